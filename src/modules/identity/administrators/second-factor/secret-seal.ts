import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { secondFactorUnreadable } from '../../accounts/identity.errors.ts';

/** Prefix of an encrypted secret, with its version. */
const mark = 'v1:';
export const isSealed = (stored: string): boolean => stored.startsWith(mark);
const ivBytes = 12;
const tagBytes = 16;

/** Encrypts secrets for the database with AES-256-GCM, each bound to its owner. Without a key they are stored in clear. */
export function createSeal(key: string | null) {
  // The setting is random and long, so a slow key derivation is not needed.
  const cipherKey = key === null ? null : createHash('sha256').update(key).digest();
  return {
    seal(secret: string, owner: string): string {
      if (!cipherKey) return secret;
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', cipherKey, iv).setAAD(Buffer.from(owner));
      const sealed = Buffer.concat([iv, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return mark + sealed.toString('base64url');
    },
    /** Returns the secret in clear. @throws AppError 503 when it was sealed with another key, or for another owner */
    open(stored: string, owner: string): string {
      if (!isSealed(stored)) return stored;
      if (!cipherKey) throw secondFactorUnreadable();
      const sealed = Buffer.from(stored.slice(mark.length), 'base64url');
      try {
        const decipher = createDecipheriv('aes-256-gcm', cipherKey, sealed.subarray(0, ivBytes)).setAAD(Buffer.from(owner));
        decipher.setAuthTag(sealed.subarray(-tagBytes));
        return Buffer.concat([decipher.update(sealed.subarray(ivBytes, -tagBytes)), decipher.final()]).toString('utf8');
      } catch {
        throw secondFactorUnreadable();
      }
    },
  };
}

export type Seal = ReturnType<typeof createSeal>;
