import type { AppError } from '../../../../platform/errors.ts';
import { AppError as Refusal } from '../../../../platform/errors.ts';
import { Archive } from '../docx/archive.ts';
import { parseXml } from '../docx/xml.ts';
import { refused } from '../refusal.ts';

/** Largest XML part, in bytes. A hundred pages take about 5 MB. */
const maxXmlBytes = 16 * 1024 * 1024;
/** Largest file of an embedded formula, in bytes. An ordinary one takes 1,000. */
const maxFormulaBytes = 512 * 1024;
/** Maximum number of files: LibreOffice writes four for each formula. */
const maxEntries = 20_000;
/** Type of OpenDocument texts; templates and texts for the web add to it. */
const textType = 'application/vnd.oasis.opendocument.text';
/** Older programs declare the type of MathML, without entities of their own. */
const PLAIN_DOCTYPE = /^(\s*(?:<\?xml[^>]*\?>)?\s*)<!DOCTYPE[^[<>]*>/;

const unreadableOdt = (cause?: unknown): AppError =>
  refused('Ce document est illisible. Ouvrez-le dans LibreOffice, enregistrez-le au format .odt, puis réessayez.', cause);

/** Returns whether an archive is an OpenDocument file: a text, spreadsheet or presentation. */
export const isOpenDocument = (archive: Archive): boolean =>
  !archive.has('[Content_Types].xml') && (archive.has('content.xml') || archive.has('mimetype'));

/** Gives access to the parts of an .odt file. Each part is read on demand. */
export class OdtPackage {
  readonly #archive: Archive;

  /** @throws AppError 400 when the bytes are not an OpenDocument text, or it is encrypted */
  constructor(bytes: Buffer) {
    this.#archive = new Archive(bytes, { unreadable: unreadableOdt, maxEntries });
    const type = this.#archive.read('mimetype', 1_000)?.toString('latin1').trim() ?? textType;
    if (!type.startsWith(textType))
      throw refused("Ce fichier n'est pas un texte. Enregistrez son texte au format .odt ou .docx, puis réessayez.");
    if (/<(?:\w+:)?encryption-data\b/.test(this.#archive.read('META-INF/manifest.xml', maxXmlBytes)?.toString('utf8') ?? ''))
      throw refused('Ce document est protégé par un mot de passe. Retirez la protection, puis réessayez.');
    if (!this.#archive.has('content.xml')) throw unreadableOdt();
  }

  /** Returns a part as an XML document; null when it does not exist. @throws AppError 400 */
  xml(name: string): Document | null {
    const bytes = this.#archive.read(name, maxXmlBytes);
    return bytes && parseXml(bytes, unreadableOdt);
  }

  /** Returns the root element of an embedded object; null when it is missing, damaged or too large. */
  object(name: string): Element | null {
    try {
      const bytes = this.#archive.read(`${name}/content.xml`, maxFormulaBytes) ?? this.#archive.read(name, maxFormulaBytes);
      if (!bytes) return null;
      const source = bytes.toString('utf8').replace(PLAIN_DOCTYPE, '$1');
      return parseXml(Buffer.from(source), unreadableOdt).documentElement;
    } catch (error) {
      if (error instanceof Refusal) return null;
      throw error;
    }
  }

  has(name: string): boolean {
    return this.#archive.has(name);
  }

  /** Returns the bytes of a picture; null when it does not exist. @throws AppError 400 when it is damaged or too large */
  media(name: string): Buffer | null {
    return this.#archive.picture(name);
  }

  /** Returns the name of the part to which an address refers, such as `./Object 1`; null for other addresses. */
  partOf(href: string): string | null {
    const name = href.replace(/^(?:\.\/)+/, '').replace(/\/$/, '');
    for (const candidate of [name, decoded(name)])
      if (this.#archive.has(candidate) || this.#archive.has(`${candidate}/content.xml`)) return candidate;
    return null;
  }
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
