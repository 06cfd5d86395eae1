import { invalidRequest } from '../../../../platform/errors.ts';
import type { FileStore } from '../../../../platform/files/storage.ts';

/** Matches pictures in canonical HTML, where a `<` in text is written as `&lt;`. */
const picture = /(<img src=")\/media\/(content\/[0-9a-f]{32}\.webp)(?=")/g;
/** Largest sum of the pictures of an exam, in bytes. More would not fit into its paper. */
const maxPictureBytes = 8_000_000;

/** Puts stored pictures into texts as data: addresses, so that a copy of a text needs no file. */
export class PictureReader {
  readonly #files: FileStore;
  readonly #addresses = new Map<string, string>();
  #bytes = 0;

  constructor(files: FileStore) {
    this.#files = files;
  }

  /**
   * Returns a text with its pictures in it.
   * @param titre names the text in errors
   * @throws AppError 400 when a file is missing, or all pictures together are too large
   */
  async inText(html: string, titre: string): Promise<string> {
    for (const [, , name = ''] of html.matchAll(picture))
      if (!this.#addresses.has(name)) this.#addresses.set(name, await this.#read(name, titre));
    return html.replaceAll(picture, (_, before: string, name: string) => `${before}${this.#addresses.get(name)}`);
  }

  async #read(name: string, titre: string): Promise<string> {
    const bytes = await this.#files.read(name);
    if (!bytes) throw refused(`Une image de « ${titre} » manque : ouvrez ce contenu, et remplacez-la.`);
    this.#bytes += bytes.length;
    if (this.#bytes > maxPictureBytes)
      throw refused(`Les images de ce concours blanc dépassent ${maxPictureBytes / 1_000_000} Mo : réduisez-les, ou retirez une épreuve.`);
    return `data:image/webp;base64,${bytes.toString('base64')}`;
  }
}

const refused = (message: string) => invalidRequest([{ field: 'epreuves', message }], message);
