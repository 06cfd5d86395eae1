import { Archive } from '../docx/archive.ts';
import type { StoreImage } from '../image-intake.ts';
import type { ImportedText, OwnPlaces } from '../imported-text.ts';
import { refused } from '../refusal.ts';
import type { Remarks } from '../remarks.ts';
import { decodedTex } from './encoding.ts';
import { importTex } from './import-tex.ts';
import { TexFiles } from './tex-files.ts';

/** Largest file of an archive, in bytes. */
const maxFileBytes = 10 * 1024 * 1024;
const ARCHIVE = 0x504b0304;

/** The first command of a TeX file names its class. Comments and settings may stand before it. */
const STARTS = /^(?:\s|%[^\n]*\n|\\[A-Za-z]+(?:\[[^\]]*\]|\{[^{}]*\})*)*\\(?:documentclass|documentstyle)(?![A-Za-z])/;
const INPUTS = /\\(?:input|include|subfile)(?![A-Za-z])[ \t]*(?:\{([^{}\n]{1,200})\}|([\w./-]{1,200}))/g;

/**
 * Reads a TeX file, or a ZIP archive with one and the files beside it.
 * @param isNamed whether the name of the file says that it is TeX
 * @returns null when the bytes are something else
 * @throws AppError 400 when they are TeX and cannot be read
 */
export async function importTexFile(
  bytes: Buffer,
  isNamed: boolean,
  store: StoreImage,
  remarks: Remarks,
  places: OwnPlaces,
): Promise<ImportedText | null> {
  const found = bytes.length > 4 && bytes.readUInt32BE(0) === ARCHIVE ? inArchive(bytes) : isText(bytes) ? { main: bytes } : null;
  if (!found) return null;
  const { text, isSure } = decodedTex(found.main);
  if (!isNamed && !('files' in found) && !STARTS.test(text.slice(0, 20_000))) return null;
  if (!isSure) remarks.say("Le fichier n'est pas en UTF-8 : vérifiez les lettres accentuées.");
  return importTex(text, store, remarks, places, 'files' in found ? found.files : undefined);
}

/** Returns whether bytes may be text: others are refused with advice elsewhere. */
const isText = (bytes: Buffer): boolean => !bytes.includes(0) && !/^(?:%PDF|\{\\rtf|\ufffd\ufffd)/.test(bytes.toString('utf8', 0, 6));

/** Returns the main TeX file of an archive and the files beside it; null when it has none. */
function inArchive(bytes: Buffer): { main: Buffer; files: TexFiles } | null {
  const archive = new Archive(bytes, { maxEntries: 20_000 });
  const { names } = archive;
  const texts = names.filter((name) => /\.(?:tex|ltx)$/i.test(name) && !/(?:^|\/)(?:\.|__MACOSX\/)/.test(name));
  if (texts.length === 0 || archive.has('[Content_Types].xml')) return null;
  const contents = new Map(texts.slice(0, 200).map((name) => [name, archive.read(name, maxFileBytes) ?? Buffer.alloc(0)]));
  const files = new TexFiles(names, (name) => contents.get(name) ?? archive.read(name, maxFileBytes));
  const read = new Set<string>();
  for (const [name, content] of contents)
    for (const [, braced, bare] of content.toString('latin1').matchAll(INPUTS)) {
      const input = files.find(braced ?? bare ?? '', ['.tex']);
      if (input !== null && input !== name) read.add(input);
    }
  const own = texts.filter((name) => !read.has(name));
  const classed = own.filter((name) => /\\document(?:class|style)/.test(contents.get(name)?.toString('latin1') ?? ''));
  const [main, other] = classed.length > 0 ? classed : own;
  if (other !== undefined)
    throw refused(`Cette archive contient plusieurs documents TeX : ${[main, other].join(', ')}… Importez-les un par un.`);
  return { main: contents.get(main ?? texts[0] ?? '') ?? Buffer.alloc(0), files };
}
