import { decodePage } from '../../../../shared/saved-pages/decode-page.ts';
import { maxPictureBytes } from '../../../../shared/saved-pages/embed-pictures.ts';
import type { Archive } from '../docx/archive.ts';
import type { StoreImage } from '../image-intake.ts';
import type { ImportedText, OwnPlaces } from '../imported-text.ts';
import { refused } from '../refusal.ts';
import type { Remarks } from '../remarks.ts';
import { importHtml } from './import-html.ts';
import { withPictures } from './with-pictures.ts';

const maxPageBytes = 10 * 1024 * 1024;

/** Returns the names of the pages in an archive, as a browser or Google Docs writes them; frames within them are left out. */
export function pagesOf(archive: Archive): string[] {
  const pages = archive.names.filter(
    (name) => /\.x?html?$/i.test(name) && !/(?:^|\/)(?:__MACOSX|\.[^/]*|[^/]*_(?:files|fichiers))(?:\/|$)/.test(name),
  );
  const depth = Math.min(...pages.map((name) => name.split('/').length));
  return pages.filter((name) => name.split('/').length === depth);
}

/** Converts the only page of an archive, with the pictures beside it (see importHtml). @throws AppError 400 */
export async function importPageArchive(archive: Archive, store: StoreImage, remarks: Remarks, places: OwnPlaces): Promise<ImportedText> {
  const [name = '', ...others] = pagesOf(archive);
  if (others.length > 0) throw refused(`Cette archive contient ${others.length + 1} pages : importez-la comme plusieurs fichiers.`);
  const { text, isGuess } = decodePage(archive.read(name, maxPageBytes) ?? Buffer.alloc(0));
  if (isGuess) remarks.say("La page n'est pas en UTF-8 : vérifiez les lettres accentuées.");
  const whole = await withPictures(text, name, (path) => archive.read(path, maxPictureBytes));
  // The mark says that the bytes are UTF-8, whatever the page says about itself.
  return importHtml(Buffer.from(`\uFEFF${whole}`), store, remarks, places);
}
