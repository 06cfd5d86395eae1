import { Secret, TOTP } from 'otpauth';

/** Parameters that every authenticator application supports: six digits of SHA-1, a new code every 30 seconds. */
const shape = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** Accepted clock difference of a telephone, in steps. */
const window = 1;

const totpOf = (secret: string) => new TOTP({ ...shape, secret: Secret.fromBase32(secret) });

/** Returns 20 random bytes in base32. */
export const newSecret = (): string => new Secret({ size: 20 }).base32;

/** Returns the address in the QR code. The application shows the site's name and the account next to the codes. */
export const addressOf = (secret: string, issuer: string, label: string): string =>
  new TOTP({ ...shape, issuer, label, secret: Secret.fromBase32(secret) }).toString();

/** Returns the 30-second step of a code that is valid now or one step earlier or later; null for any other code. */
export function stepOf(secret: string, code: string, now: Date): number | null {
  const totp = totpOf(secret);
  const timestamp = now.getTime();
  const delta = totp.validate({ token: code, timestamp, window });
  return delta === null ? null : totp.counter({ timestamp }) + delta;
}
