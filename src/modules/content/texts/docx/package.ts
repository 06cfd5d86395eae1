import { posix } from 'node:path';
import { AppError } from '../../../../platform/errors.ts';
import { unreadableWord } from '../refusal.ts';
import { Archive } from './archive.ts';
import { attribute, elementsOf, parseXml } from './xml.ts';

/** Largest XML part, in bytes. A hundred pages with formulas take about 5 MB. */
const maxXmlBytes = 16 * 1024 * 1024;

export interface Relationship {
  /** Last segment of the relationship's type: `image`, `hyperlink`, `footnotes`. */
  readonly type: string;
  /** Path within the archive, or an external address. */
  readonly target: string;
  readonly isExternal: boolean;
}

/** Gives access to the parts of a .docx file. Each part is read on demand. */
export class WordPackage {
  readonly #archive: Archive;
  /** Name of the main part, usually `word/document.xml`. */
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

  /** Returns the part of this type to which the main part refers; null when there is none. @throws AppError 400 */
  part(type: string): { name: string; document: Document } | null {
    const [name] = this.partsOf(type);
    const document = name === undefined ? null : this.xml(name);
    return name !== undefined && document ? { name, document } : null;
  }

  /** Returns the names of all parts of this type to which the main part refers. */
  partsOf(type: string): string[] {
    return [...this.#relationships.values()].filter((found) => found.type === type && !found.isExternal).map(({ target }) => target);
  }

  /** Returns a part as an XML document; null when it does not exist. @throws AppError 400 */
  xml(name: string): Document | null {
    const bytes = this.#archive.read(name, maxXmlBytes);
    return bytes && parseXml(bytes);
  }

  /** Returns the bytes of a picture; null when it does not exist. @throws AppError 400 when it is damaged or too large */
  media(name: string): Buffer | null {
    return this.#archive.picture(name);
  }

  /** Returns the bytes of an embedded object; null when it does not exist, is damaged or is larger than `most`. */
  object(name: string, most: number): Buffer | null {
    try {
      return this.#archive.read(name, most);
    } catch (error) {
      if (error instanceof AppError) return null;
      throw error;
    }
  }

  /** Returns the relationships of a part, by id. */
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
