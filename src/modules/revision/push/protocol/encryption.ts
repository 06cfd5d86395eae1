import { createCipheriv, createECDH, createPublicKey, type ECDH, hkdfSync, randomBytes } from 'node:crypto';

/** The browser's keys, in base64url. */
export interface BrowserKeys {
  /** An uncompressed P-256 point. */
  p256dh: string;
  /** A secret of 16 bytes. */
  auth: string;
}

/** Size of the only record, in bytes; push services accept no more than 4,096. */
const recordSize = 4096;

const derived = (key: Buffer, salt: Buffer, info: string | Buffer, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, info, length));

/** Returns whether both keys are usable: a point on the curve, and 16 bytes. */
export function areBrowserKeys({ p256dh, auth }: BrowserKeys): boolean {
  const point = Buffer.from(p256dh, 'base64url');
  if (point.length !== 65 || point[0] !== 4 || Buffer.from(auth, 'base64url').length !== 16) return false;
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  try {
    createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
    return true;
  } catch {
    return false;
  }
}

function newPair(): ECDH {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  return pair;
}

/**
 * Returns a message encrypted for one browser: content encoding `aes128gcm` (RFC 8188) with the keys of RFC 8291.
 * @param own key pair and salt of this message; only tests give them
 * @throws Error when `p256dh` is no point on the curve
 */
export function encryptFor({ p256dh, auth }: BrowserKeys, text: string, own = { pair: newPair(), salt: randomBytes(16) }): Buffer {
  const { pair, salt } = own;
  const browser = Buffer.from(p256dh, 'base64url');
  const sender = pair.getPublicKey();
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser, sender]);
  const secret = derived(pair.computeSecret(browser), Buffer.from(auth, 'base64url'), info, 32);
  const cipher = createCipheriv(
    'aes-128-gcm',
    derived(secret, salt, 'Content-Encoding: aes128gcm\0', 16),
    derived(secret, salt, 'Content-Encoding: nonce\0', 12),
  );
  const header = Buffer.alloc(5);
  header.writeUInt32BE(recordSize);
  header.writeUInt8(sender.length, 4);
  // 2 marks the last record.
  const record = [cipher.update(text), cipher.update(Buffer.from([2])), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat([salt, header, sender, ...record]);
}
