import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Returns whether `given` is the hexadecimal HMAC of exactly these bytes, compared in constant time. Without a key, or with anything
 * but one signature of the right length, it returns false (payment-providers §6, rule 8).
 */
export function isSigned(
  rawBody: Buffer,
  given: string | string[] | undefined,
  key: string | null,
  algorithm: 'sha256' | 'sha512',
): boolean {
  if (!key || typeof given !== 'string') return false;
  const expected = createHmac(algorithm, key).update(rawBody).digest();
  // Buffer.from silently stops at the first character that is not hexadecimal.
  if (!/^[\da-f]+$/i.test(given) || given.length !== expected.length * 2) return false;
  return timingSafeEqual(Buffer.from(given, 'hex'), expected);
}
