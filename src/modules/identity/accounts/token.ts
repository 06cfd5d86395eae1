import { hash, randomBytes } from 'node:crypto';

/** Returns the stored form of a token. A reader of the table cannot sign in with it. */
export const hashToken = (token: string): string => hash('sha256', token);

/** Returns 32 random bytes in base64url: 43 characters, safe in addresses. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** Returns whether a value has the form of `newToken`. */
export const isToken = (value: unknown): value is string => typeof value === 'string' && /^[\w-]{43}$/.test(value);
