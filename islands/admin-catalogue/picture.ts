import { maxImageBytes } from '../../src/shared/forms/catalogue.ts';

/** Returns the fault that the server would find, as far as the browser can check, or null. */
export async function pictureFault(file: Blob): Promise<string | null> {
  if (file.size > maxImageBytes) return "L'image dépasse 2 Mo.";
  // Fails if the file was deleted since it was chosen, or may not be read.
  const start = await file
    .slice(0, 8)
    .arrayBuffer()
    .catch(() => null);
  if (start === null) return "L'image est illisible.";
  const bytes = new Uint8Array(start);
  return isJpeg(bytes) || isPng(bytes) ? null : "L'image doit être au format JPG ou PNG.";
}

const begins = (bytes: Uint8Array, signature: number[]) => signature.every((byte, index) => bytes[index] === byte);
const isJpeg = (bytes: Uint8Array) => begins(bytes, [0xff, 0xd8, 0xff]);
const isPng = (bytes: Uint8Array) => begins(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
