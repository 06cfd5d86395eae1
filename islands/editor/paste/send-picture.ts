import { maxImageBytes } from '../../../src/shared/forms/catalogue.ts';
import { maxReducedFile, reducedPicture, textPicture } from '../../runtime/reduce-picture.ts';
import type { EditorHost, UploadedImage } from '../commands/editor-host.ts';

/**
 * Uploads a picture of a text, reduced to what a page shows of it. Nothing is sent if the server would refuse it for its size.
 * @returns its address and size, or the fault in French, and the file that was to be sent
 */
export async function sendPicture(
  picture: File,
  { uploadImage }: Pick<EditorHost, 'uploadImage'>,
): Promise<{ result: UploadedImage; sent: File }> {
  const sent = await reducedPicture(picture, textPicture);
  if (sent.size > maxReducedFile) return { result: { fault: "L'image dépasse 60 Mo." }, sent };
  if (sent.size > maxImageBytes) return { result: { fault: "L'image dépasse 2 Mo, et ce navigateur n'a pas pu la réduire." }, sent };
  const result = await uploadImage(sent).catch(() => ({ fault: "L'image n'a pas pu être envoyée." }));
  return { result, sent };
}
