import { hash, randomBytes } from 'node:crypto';

/** What is stored of a token: whoever reads the table cannot present what stands there. */
export const hashToken = (token: string): string => hash('sha256', token);

/** 32 random bytes, as they stand in an address: 43 characters. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** Whether this can be one of `newToken`. */
export const isToken = (value: unknown): value is string => typeof value === 'string' && /^[\w-]{43}$/.test(value);
