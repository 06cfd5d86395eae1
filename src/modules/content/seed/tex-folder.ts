import { readFile, stat } from 'node:fs/promises';
import { type FileBeside, isTexName, type TexDocument, texBundle, texDocuments } from '../../../shared/tex-bundle.ts';
import type { FolderEntry, FolderFiles } from './folder-files.ts';

/** Most files of a folder and its subfolders that may belong to TeX files. */
const maxFiles = 2_000;

interface Beside extends FileBeside {
  /** Name in the folder itself; null for a file of a subfolder. */
  readonly entry: string | null;
}

/** The TeX documents of a folder, each with the pictures and texts that it names, from the folder and the folders in it. */
export class TexFolder {
  readonly #documents: ReadonlyMap<string, TexDocument<Beside>>;
  readonly #parts: ReadonlySet<string>;

  private constructor(documents: readonly TexDocument<Beside>[]) {
    this.#documents = new Map(documents.flatMap((document) => (document.main.entry === null ? [] : [[document.main.entry, document]])));
    this.#parts = new Set(documents.flatMap(({ main, parts }) => (main.entry === null ? [] : parts.flatMap(({ entry }) => entry ?? []))));
  }

  /** Returns null when the folder has no TeX file. */
  static async read(entries: readonly FolderEntry[], files: FolderFiles): Promise<TexFolder | null> {
    if (!entries.some(({ name }) => isTexName(name))) return null;
    const found: Beside[] = [];
    const add = async ({ name, path, kind }: FolderEntry, entry: string | null): Promise<void> => {
      if (kind !== 'file' || found.length >= maxFiles) return;
      const size = await stat(path).then(
        (one) => one.size,
        () => Number.POSITIVE_INFINITY,
      );
      found.push({ name, entry, size, bytes: () => readFile(path) });
    };
    for (const entry of entries) {
      await add(entry, entry.name);
      if (entry.kind === 'folder') for (const inner of await files.list(entry.path)) await add(inner, null);
    }
    return new TexFolder(await texDocuments(found));
  }

  /** Returns whether a TeX file reads or shows this one. */
  isPart(name: string): boolean {
    return this.#parts.has(name) && !this.#documents.has(name);
  }

  /** Returns a TeX file with its parts; null for other files, and for one without parts. */
  async bundle(name: string): Promise<Buffer | null> {
    const document = this.#documents.get(name);
    return document && document.parts.length > 0 ? Buffer.from(await texBundle(document)) : null;
  }
}
