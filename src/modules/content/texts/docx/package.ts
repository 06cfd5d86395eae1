import { posix } from 'node:path';
import { unreadableWord } from '../refusal.ts';
import { Archive } from './archive.ts';
import { attribute, elementsOf, parseXml } from './xml.ts';

/** Bytes of one XML part, at most. A hundred pages with formulas are about 5 MB. */
const maxXmlBytes = 16 * 1024 * 1024;
const maxMediaBytes = 40 * 1024 * 1024;

export interface Relationship {
  /** The last word of its type: `image`, `hyperlink`, `footnotes`. */
  readonly type: string;
  /** A path within the archive, or an address. */
  readonly target: string;
  readonly isExternal: boolean;
}

/** The parts of a .docx file, read when asked for. */
export class WordPackage {
  readonly #archive: Archive;
  /** Where the text is: `word/document.xml`, by any name. */
  readonly main: string;
  readonly #relationships: ReadonlyMap<string, Relationship>;

  /** @throws AppError 400 */
  constructor(bytes: Buffer) {
    this.#archive = new Archive(bytes);
    const main = [...this.relationshipsOf('').values()].find(({ type }) => type === 'officeDocument')?.target ?? 'word/document.xml';
    if (!this.#archive.has(main)) throw unreadableWord();
    this.main = main;
    this.#relationships = this.relationshipsOf(main);
  }

  /** A part beside the text, by its kind. @throws AppError 400 */
  part(type: string): { name: string; document: Document } | null {
    const [name] = this.partsOf(type);
    const document = name === undefined ? null : this.xml(name);
    return name !== undefined && document ? { name, document } : null;
  }

  /** Names of all parts beside the text of one kind. */
  partsOf(type: string): string[] {
    return [...this.#relationships.values()].filter((found) => found.type === type && !found.isExternal).map(({ target }) => target);
  }

  /** @throws AppError 400 */
  xml(name: string): Document | null {
    const bytes = this.#archive.read(name, maxXmlBytes);
    return bytes && parseXml(bytes);
  }

  /** The bytes of a picture, null when it is not there. @throws AppError 400 */
  media(name: string): Buffer | null {
    return this.#archive.read(name, maxMediaBytes);
  }

  /** What a part points at, by id. */
  relationshipsOf(part: string): ReadonlyMap<string, Relationship> {
    const folder = posix.dirname(part);
    const name = posix.join(folder, '_rels', `${posix.basename(part)}.rels`).replace(/^\.\//, '');
    const found = new Map<string, Relationship>();
    for (const element of elementsOf(this.xml(name)?.documentElement)) {
      const [id, type, target] = ['Id', 'Type', 'Target'].map((key) => attribute(element, key) ?? '') as [string, string, string];
      const isExternal = attribute(element, 'TargetMode') === 'External';
      const path = target.startsWith('/') ? target.slice(1) : posix.join(folder, target);
      found.set(id, { type: type.slice(type.lastIndexOf('/') + 1), target: isExternal ? target : path, isExternal });
    }
    return found;
  }
}
