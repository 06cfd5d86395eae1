import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { Decrypter, Encrypter } from 'age-encryption';
import { damaged, refused } from './backup-errors.ts';

/** First bytes of every age file (age-encryption.org/v1). */
export const ageHeader = 'age-encryption.org/v1';

/** Returns an encrypted stream that the private key of any of the recipients can decrypt, also with `age --decrypt`. */
export async function encrypted(plain: Readable, recipients: readonly string[]): Promise<Readable> {
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  return fromWeb(await encrypter.encrypt(toWeb(plain)));
}

/** Returns a decrypted stream. @param identity the private key, as `age-keygen` writes it  @throws AppError if the key does not fit */
export async function decrypted(source: Readable, identity: string): Promise<Readable> {
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  try {
    return fromWeb(await decrypter.decrypt(toWeb(source)));
  } catch (cause) {
    source.destroy();
    if (/no identity matched/.test(String(cause))) throw refused("Cette clé n'ouvre pas cette sauvegarde.", cause);
    throw damaged("l'en-tête de son chiffrement n'est pas lisible", cause);
  }
}

/** Returns the private key in a file of `age-keygen`, whose other lines are comments. */
export async function readIdentity(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((cause) => {
    throw refused(`Le fichier de la clé ${path} n'est pas lisible.`, cause);
  });
  const key = text.split('\n').find((line) => line.startsWith('AGE-SECRET-KEY-'));
  if (!key) throw refused(`Le fichier ${path} ne contient pas de clé privée age (AGE-SECRET-KEY-…).`);
  return key.trim();
}

const toWeb = (stream: Readable) => Readable.toWeb(stream) as unknown as globalThis.ReadableStream<Uint8Array>;
const fromWeb = (stream: globalThis.ReadableStream<Uint8Array>) => Readable.fromWeb(stream as unknown as ReadableStream<Uint8Array>);
