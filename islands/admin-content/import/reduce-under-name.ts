import { maxReducedFile, reducedPicture, textPicture } from '../../runtime/reduce-picture.ts';

/** First bytes, in hexadecimal, of the formats that browsers can read and reduce. */
const signatures = [
  [/^ffd8ff/, 'image/jpeg'],
  [/^89504e47/, 'image/png'],
  [/^424d/, 'image/bmp'],
  [/^52494646.{8}57454250/, 'image/webp'],
  [/^(?:49492a00|4d4d002a)/, 'image/tiff'],
] as const;

/**
 * Returns a smaller version of a heavy picture under the same name, or the file itself (see reducedPicture). The server reads pictures by
 * their content, not by their name.
 */
export async function reducedUnderName(file: File): Promise<File> {
  if (file.size > maxReducedFile) return file;
  const start = Array.from(new Uint8Array(await file.slice(0, 12).arrayBuffer()), (byte) => byte.toString(16).padStart(2, '0')).join('');
  const type = signatures.find(([signature]) => signature.test(start))?.[1];
  if (!type) return file;
  const picture = new File([file], file.name, { type });
  const reduced = await reducedPicture(picture, textPicture);
  return reduced === picture ? file : new File([reduced], file.name, { type: reduced.type });
}
