import type { StoreImage } from '../image-intake.ts';
import type { ImportedText, OwnPlaces } from '../imported-text.ts';
import type { Remarks } from '../remarks.ts';
import { finishText } from './finish-text.ts';
import { readDocx } from './read-docx.ts';

/**
 * Converts a Word document into texts of the schema. Parts that cannot be kept are added to `remarks`.
 * @param places whether the title is removed from the text, and whether a heading "Corrigé" starts the correction
 * @throws AppError 400 when the bytes are not a Word document, or it is too large
 */
export async function importDocx(bytes: Buffer, store: StoreImage, remarks: Remarks, places: OwnPlaces): Promise<ImportedText> {
  const { word, ...read } = readDocx(bytes, remarks);
  return finishText({ ...read, media: (part) => word.media(part) }, store, remarks, places);
}
