import { createECDH, createPrivateKey, sign } from 'node:crypto';

/** The site's key pair for push services (RFC 8292), in base64url: an uncompressed P-256 point, and the private number. */
export interface VapidKeys {
  publicKey: string;
  privateKey: string;
}

/** Time for which a signature is valid, in seconds. RFC 8292 allows 24 hours. */
const validSeconds = 12 * 3600;

export function createVapidKeys(): VapidKeys {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  // The private number has no leading zeros of its own.
  const number = pair.getPrivateKey();
  const privateKey = Buffer.concat([Buffer.alloc(32 - number.length), number]).toString('base64url');
  return { publicKey: pair.getPublicKey('base64url'), privateKey };
}

/** Returns whether the public key belongs to the private key. */
export function isVapidPair({ publicKey, privateKey }: VapidKeys): boolean {
  const pair = createECDH('prime256v1');
  try {
    pair.setPrivateKey(Buffer.from(privateKey, 'base64url'));
  } catch {
    return false;
  }
  return pair.getPublicKey('base64url') === publicKey;
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/**
 * Returns the Authorization header of requests to one push service (RFC 8292).
 * @param audience origin of the push service
 * @param subject address of the site's operator: `mailto:…` or `https:…`
 */
export function vapidHeader({ publicKey, privateKey }: VapidKeys, audience: string, subject: string, now: Date): string {
  const point = Buffer.from(publicKey, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const key = createPrivateKey({ key: { kty: 'EC', crv: 'P-256', x, y, d: privateKey }, format: 'jwk' });
  const claims = { aud: audience, exp: Math.floor(now.getTime() / 1000) + validSeconds, sub: subject };
  const unsigned = `${encoded({ typ: 'JWT', alg: 'ES256' })}.${encoded(claims)}`;
  const signature = sign('sha256', Buffer.from(unsigned), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url');
  return `vapid t=${unsigned}.${signature}, k=${publicKey}`;
}
