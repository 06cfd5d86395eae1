import { createECDH, createHmac, createPrivateKey, type JsonWebKey, type KeyObject, sign } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { siteSecret } from '../../../platform/database/site-secret.ts';
import type { EndOfCopy, SignedEnd } from '../../../shared/offline/offline-copy.ts';

/**
 * Signs until when a device may show a copy, so that the device notices an end that was changed in its store. ECDSA P-256, because all
 * supported browsers can verify it without network.
 */
class EndSigner {
  readonly #key: KeyObject;
  readonly #names: Buffer;
  /** Key with which devices verify ends. */
  readonly publicKey: PublicKey;

  constructor(keySecret: Buffer, names: Buffer) {
    const { privateKey, publicKey } = keyPairOf(keySecret);
    this.#key = createPrivateKey({ key: privateKey, format: 'jwk' });
    this.publicKey = publicKey;
    this.#names = names;
  }

  sign(end: SignedEnd): EndOfCopy {
    const said = JSON.stringify(end);
    const signature = sign('sha256', Buffer.from(said), { key: this.#key, dsaEncoding: 'ieee-p1363' }).toString('base64url');
    return { said, signature };
  }

  /** Returns the learner's tag for devices: the same in all of the learner's sessions, different for every learner. */
  learnerTag(userId: string): string {
    return createHmac('sha256', this.#names).update(userId).digest('base64url').slice(0, 16);
  }
}

/** As a JSON Web Key. */
type PublicKey = Record<'kty' | 'crv' | 'x' | 'y', string>;

/** Order of the curve's group. A private key is a number from 1 to `order - 1`. */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** Derives the key pair from 32 random bytes. */
function keyPairOf(secret: Buffer): { privateKey: JsonWebKey; publicKey: PublicKey } {
  const number = (BigInt(`0x${secret.toString('hex')}`) % (order - 1n)) + 1n;
  const d = Buffer.from(number.toString(16).padStart(64, '0'), 'hex');
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(d);
  // Uncompressed point: the byte 4, then both coordinates.
  const point = pair.getPublicKey();
  const publicKey = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  return { privateKey: { ...publicKey, d: d.toString('base64url') }, publicKey };
}

/** Returns the process's signer. Its secrets are read from the database at the first call. */
export type FindEndSigner = (em: EntityManager) => Promise<EndSigner>;

export function endSigner(): FindEndSigner {
  const [key, names] = [siteSecret('offline-ends'), siteSecret('offline-learners')];
  let signer: EndSigner | undefined;
  return async (em) => {
    signer ??= new EndSigner(await key(em), await names(em));
    return signer;
  };
}
