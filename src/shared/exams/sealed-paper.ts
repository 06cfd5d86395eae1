/** Length of a key, in bytes. */
const keyLength = 32;
/** Length of the initialisation vector at the beginning of a sealed paper, in bytes. */
const ivLength = 12;

const importKey = (key: Uint8Array<ArrayBuffer>, use: 'encrypt' | 'decrypt'): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', key, 'AES-GCM', false, [use]);

/** Returns a new random key. */
export const newKey = (): Uint8Array<ArrayBuffer> => crypto.getRandomValues(new Uint8Array(keyLength));

/** Seals content with AES-256-GCM. @returns the initialisation vector, then the encrypted content with its tag */
export async function seal(content: Uint8Array<ArrayBuffer>, key: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const iv = crypto.getRandomValues(new Uint8Array(ivLength));
  const encrypted = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, await importKey(key, 'encrypt'), content);
  const sealed = new Uint8Array(ivLength + encrypted.byteLength);
  sealed.set(iv);
  sealed.set(new Uint8Array(encrypted), ivLength);
  return sealed;
}

/** Opens what `seal` returned. @throws DOMException OperationError for another key or damaged content */
export async function unseal(sealed: Uint8Array<ArrayBuffer>, key: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const iv = sealed.subarray(0, ivLength);
  const content = sealed.subarray(ivLength);
  return new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, await importKey(key, 'decrypt'), content));
}
