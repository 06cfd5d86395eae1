import { decodePage } from '../../../src/shared/saved-pages/decode-page.ts';
import { embedPictures, PicturesTooLarge } from '../../../src/shared/saved-pages/embed-pictures.ts';
import { reducedUnderName } from './reduce-under-name.ts';

/** A file with its path in an archive or drop. */
export interface PlacedFile {
  path: string;
  file: File;
}

export type PageFault = (page: File, fault: string) => void;

const isPage = (path: string): boolean => /\.x?html?$/i.test(path);
/** Files that only belong to a page: pictures, styles, scripts, fonts. */
const belongsToPage = (path: string): boolean => /\.(?:png|jpe?g|gif|webp|avif|svg|bmp|tiff?|ico|css|m?js|json|woff2?|ttf)$/i.test(path);
/** Folder of a page that a browser has saved; pages in it are frames. */
const besidePage = /(?:^|\/)[^/]+_(?:files|fichiers)\//;

/**
 * Returns the files to import: each page with its pictures in it, photographs reduced, without the files that only belong to pages. Files without any page
 * among them stay as they are.
 * @param onFault gets each page that cannot be read with its pictures, and why, in French
 */
export async function gatherPages(files: readonly PlacedFile[], onFault: PageFault): Promise<PlacedFile[]> {
  const pages = files.filter(({ path }) => isPage(path) && !besidePage.test(path));
  if (pages.length === 0) return [...files];
  const byPath = new Map(files.map(({ path, file }) => [path, file]));
  const gathered: PlacedFile[] = [];
  for (const { path, file } of files) {
    if (belongsToPage(path) || besidePage.test(path)) continue;
    try {
      gathered.push({ path, file: isPage(path) ? await withPictures(file, path, byPath) : file });
    } catch (error) {
      onFault(file, error instanceof PicturesTooLarge ? error.message : "Cette page n'a pas pu être lue.");
    }
  }
  return gathered;
}

async function withPictures(page: File, path: string, files: Map<string, File>): Promise<File> {
  const { text, isGuess } = decodePage(new Uint8Array(await page.arrayBuffer()));
  const whole = await embedPictures(text, path, async (name) => {
    const file = files.get(name);
    if (!file) return null;
    const reduced = await reducedUnderName(file);
    // Pages of one folder often show the same pictures.
    files.set(name, reduced);
    return new Uint8Array(await reduced.arrayBuffer());
  });
  // The mark says that the text is UTF-8 now. A page whose encoding was guessed stays as it was, so that the server says so.
  return whole === text || isGuess ? page : new File(['\uFEFF', whole], page.name, { type: 'text/html' });
}
