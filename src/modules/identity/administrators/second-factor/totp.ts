import { Secret, TOTP } from 'otpauth';

/** What every application understands: six digits of SHA-1, a new code every 30 seconds. */
const shape = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** A telephone's clock may be a step early or late. */
const window = 1;

const totpOf = (secret: string) => new TOTP({ ...shape, secret: Secret.fromBase32(secret) });

/** 20 random bytes, in base32. */
export const newSecret = (): string => new Secret({ size: 20 }).base32;

/** What an application reads from the picture: the site's name and the account's beside its code. */
export const addressOf = (secret: string, issuer: string, label: string): string =>
  new TOTP({ ...shape, issuer, label, secret: Secret.fromBase32(secret) }).toString();

/** The step of 30 seconds that a code is of, at this instant or one step beside it; null for any other code. */
export function stepOf(secret: string, code: string, now: Date): number | null {
  const totp = totpOf(secret);
  const timestamp = now.getTime();
  const delta = totp.validate({ token: code, timestamp, window });
  return delta === null ? null : totp.counter({ timestamp }) + delta;
}
