import { lstat, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, extname, join, relative, sep } from 'node:path';
import { isReadableImage } from '../../../platform/files/images.ts';
import { maxImageBytes } from '../../../shared/forms/catalogue.ts';
import { maxDocumentBytes, maxUnreducedBytes } from '../../../shared/forms/content.ts';
import { coverFault } from '../../catalogue/index.ts';
import type { FaultList } from './fault.ts';

/** Largest text file, in bytes. */
const MAX_TEXT_BYTES = 1_000_000;

export interface FolderEntry {
  readonly name: string;
  readonly path: string;
  readonly kind: 'file' | 'folder';
}

const SIGNATURES: Record<string, RegExp> = {
  png: /^\x89PNG\r\n/,
  jpg: /^\xff\xd8\xff/,
  jpeg: /^\xff\xd8\xff/,
  gif: /^GIF8[79]a/,
  webp: /^RIFF[\s\S]{4}WEBP/,
};

/**
 * Reads the files of one content folder. Nothing outside the folder is read, and every file that cannot be read is reported as a
 * fault.
 */
export class FolderFiles {
  readonly #root: string;
  readonly #faults: FaultList;

  private constructor(root: string, faults: FaultList) {
    this.#root = root;
    this.#faults = faults;
  }

  /** Opens a content folder. Returns null, with the fault reported, when `path` is not a folder. */
  static async open(path: string, faults: FaultList): Promise<FolderFiles | null> {
    try {
      const root = await realpath(path);
      if ((await stat(root)).isDirectory()) return new FolderFiles(root, faults);
      faults.in(shown(path))(1, "Ce n'est pas un dossier");
    } catch {
      faults.in(shown(path))(1, 'Dossier introuvable ou illisible');
    }
    return null;
  }

  /** Returns the entries of a folder sorted by name, without hidden files. */
  async list(folder: string): Promise<FolderEntry[]> {
    let names: string[];
    try {
      names = await readdir(folder);
    } catch {
      this.#faults.in(shown(folder))(1, 'Dossier introuvable ou illisible');
      return [];
    }
    const entries = await Promise.all(names.filter((name) => !name.startsWith('.')).map((name) => this.#entry(folder, name)));
    return entries.filter((entry) => entry !== null).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  async #entry(folder: string, name: string): Promise<FolderEntry | null> {
    const path = join(folder, name);
    const report = this.#faults.in(shown(path));
    try {
      if ((await lstat(path)).isSymbolicLink()) {
        const inside = relative(this.#root, await realpath(path));
        if (inside === '..' || inside.startsWith(`..${sep}`)) {
          report(1, 'Lien symbolique refusé : il sort du dossier');
          return null;
        }
      }
      const found = await stat(path);
      if (found.isDirectory()) return { name, path, kind: 'folder' };
      if (found.isFile()) return { name, path, kind: 'file' };
      report(1, "Ce n'est ni un fichier ni un dossier");
    } catch {
      report(1, 'Fichier illisible');
    }
    return null;
  }

  /** Returns the text of a file with `\n` line ends; null, with the fault reported, when it cannot be read. */
  async readText(path: string): Promise<string | null> {
    const report = this.#faults.in(shown(path));
    let bytes: Buffer;
    try {
      if ((await stat(path)).size > MAX_TEXT_BYTES) {
        report(1, `Fichier trop gros (${MAX_TEXT_BYTES / 1_000_000} Mo au maximum)`);
        return null;
      }
      bytes = await readFile(path);
    } catch {
      report(1, 'Fichier illisible');
      return null;
    }
    const text = decode(bytes);
    if (text === null) {
      report(firstBrokenLine(bytes), "Le fichier n'est pas en UTF-8");
      return null;
    }
    const lines = text.replaceAll(/\r\n?/g, '\n');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    const forbidden = lines.search(/[\u0000-\u0008\u000b-\u001f]/);
    if (forbidden === -1) return lines;
    report(lineAt(lines, forbidden), lines[forbidden] === '\0' ? 'Caractère NUL interdit' : 'Caractère de contrôle interdit');
    return null;
  }

  /** Returns the bytes of a Word document or a question file; null, with the fault reported, when it cannot be read. */
  async readDocument(path: string): Promise<Buffer | null> {
    const report = this.#faults.in(shown(path));
    try {
      const { size } = await stat(path);
      const most = /\.(?:docx|odt)$/i.test(path) ? maxUnreducedBytes : maxDocumentBytes;
      if (size <= most) return await readFile(path);
      report(1, `Document trop gros (${most / 1024 ** 2} Mo au maximum)`);
    } catch {
      report(1, 'Fichier illisible');
    }
    return null;
  }

  /** Returns the bytes of a picture in this folder, by its path there with `/`; null when there is none, or it is too large. */
  async readPicture(path: string): Promise<Buffer | null> {
    try {
      const real = await realpath(join(this.#root, ...path.split('/')));
      const inside = relative(this.#root, real);
      if (inside === '..' || inside.startsWith(`..${sep}`)) return null;
      const found = await stat(real);
      return found.isFile() && found.size <= maxDocumentBytes ? await readFile(real) : null;
    } catch {
      return null;
    }
  }

  /** Returns the fault of an image, in French; null when it has none. */
  async imageFault(path: string, types: readonly string[], { cover = false } = {}): Promise<string | null> {
    const name = basename(path);
    const type = extname(name).slice(1).toLowerCase();
    if (!types.includes(type)) return `Type d'image refusé : ${name} (${types.join(', ')})`;
    try {
      if ((await stat(path)).size > maxImageBytes) return `Image trop grosse : ${name} (2 Mo au maximum)`;
      const bytes = await readFile(path);
      if (!SIGNATURES[type]?.test(bytes.subarray(0, 16).toString('latin1'))) return `Le contenu de ${name} n'est pas une image ${type}`;
      if (!(await isReadableImage(bytes))) return `Image illisible : ${name}`;
      // Covers must meet the rules of uploads; this is checked before anything is loaded.
      const fault = cover ? await coverFault(bytes) : null;
      return fault && `Image refusée : ${name}. ${fault}`;
    } catch {
      return `Image illisible : ${name}`;
    }
  }
}

/** Returns a path as messages show it. */
export function shown(path: string): string {
  return path.split(sep).join('/');
}

function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/**
 * Returns the first line that is not valid UTF-8. No multi-byte character contains a newline byte, so lines can be decoded one by
 * one.
 */
function firstBrokenLine(bytes: Buffer): number {
  let line = 1;
  for (let start = 0; start < bytes.length; line += 1) {
    const end = bytes.indexOf(10, start);
    if (decode(bytes.subarray(start, end === -1 ? bytes.length : end)) === null) return line;
    if (end === -1) break;
    start = end + 1;
  }
  return 1;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
