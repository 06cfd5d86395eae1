import { sayCorrection, splitCorrection } from '../correction.ts';
import { ImageIntake, type StoreImage } from '../image-intake.ts';
import { asDocument, type ImportedText, type OwnPlaces } from '../imported-text.ts';
import { readDefinitions } from '../macros/read-definitions.ts';
import { takeOnlyHeading } from '../only-heading.ts';
import { refused, tooComplex } from '../refusal.ts';
import type { Remarks } from '../remarks.ts';
import { adaptedTitles } from '../title.ts';
import { whatIsLost } from './completeness.ts';
import { Definitions } from './definitions.ts';
import { EMBEDDED, readImportedBody } from './import-body.ts';
import { shareNotes } from './notes.ts';
import type { Report } from './source-lines.ts';

/** Longest text in characters, without embedded pictures. */
const maxCharacters = 1_000_000;
/** Maximum number of characters between two empty lines: a paragraph's cost may grow with the square of its length. */
const maxStretch = 100_000;
const CORRECTION = /^\s*<!--\s*corrigé\s*-->\s*$/;
const DATA_IMAGE = /data:image\/(?:png|jpe?g|gif|webp);base64,([A-Za-z0-9+/=]+)/gi;
const HEAD_LINE = /^([\p{L}_-]+)\s*:(.*)$/u;
/** Maximum number of lines of a front matter. If no end is found within them, the first line of dashes is a horizontal rule. */
const maxHeadLines = 40;

/**
 * Converts a Markdown text, in the dialect of docs/content-format.md, into texts of the schema. Parts that cannot be kept are added
 * to `remarks`, with their line.
 * @throws AppError 400 when the text is too long or too deeply nested
 */
export async function importMarkdown(source: string, store: StoreImage, remarks: Remarks, places: OwnPlaces): Promise<ImportedText> {
  const reports: { line: number; message: string }[] = [];
  const report: Report = (line, message) => reports.push({ line, message });
  const pictures: Buffer[] = [];
  const embedded = source
    .normalize('NFC')
    .replaceAll(DATA_IMAGE, (_, base64: string) => `${EMBEDDED}${pictures.push(Buffer.from(base64, 'base64')) - 1}`);
  if (embedded.length > maxCharacters) throw refused('Ce texte est trop long (1 million de caractères au maximum).');
  refuseEndless(embedded);
  const { macros, text, faults } = readDefinitions(embedded);
  for (const { line, message } of faults) report(line, message);
  const intake = new ImageIntake(store, remarks);
  const lines = text.split('\n');
  const head = readHead(lines, report, places);
  const mark = places.hasCorrection ? lines.findIndex((line, index) => index >= head.length && CORRECTION.test(line)) : -1;
  const definitions = definitionsOf(lines.slice(head.length).join('\n'), head.length + 1);
  let hasNotes = false;
  const read = async (from: number, to?: number): Promise<Element> => {
    const keep = async (index: number) => {
      const bytes = pictures[index];
      return bytes ? intake.keep(String(index), () => bytes) : null;
    };
    const body = await readImportedBody(lines.slice(from, to).join('\n'), from + 1, report, keep, definitions, macros);
    for (const { line, message } of reports.splice(0).toSorted((a, b) => a.line - b.line)) remarks.say(`Ligne ${line} : ${message}`);
    for (const remark of body.remarks) remarks.say(remark);
    hasNotes = body.hasNotes;
    return body.root;
  };
  const root = await read(head.length, mark === -1 ? undefined : mark);
  const title = head.titre ?? (places.hasTitle ? takeOnlyHeading(root, remarks) : null);
  let correction: Element | null = null;
  if (mark !== -1) {
    correction = await read(mark + 1);
    sayCorrection([...correction.children], remarks);
  } else if (places.hasCorrection) {
    correction = splitCorrection(root, remarks);
    if (correction && hasNotes) shareNotes(correction, [root, correction]);
  }
  return {
    ...adaptedTitles(title, remarks),
    contenu: wholeDocument(root, remarks),
    corrige: correction && wholeDocument(correction, remarks),
  };
}

/** Refuses a text with a stretch longer than `maxStretch` between empty lines. @throws AppError 400 */
function refuseEndless(text: string): void {
  let line = 1;
  for (const stretch of text.split(/\n(?=[ \t]*\n)/)) {
    if (stretch.length > maxStretch) {
      const start = line + (/^\s*\n/.exec(stretch)?.[0].split('\n').length ?? 1) - 1;
      throw refused(
        `Ligne ${start} : plus de 100 000 caractères sans ligne vide. Séparez les paragraphes par des lignes vides, puis réessayez.`,
      );
    }
    line += stretch.split('\n').length;
  }
}

function definitionsOf(source: string, firstLine: number): Definitions {
  try {
    return new Definitions(source, firstLine);
  } catch (error) {
    throw error instanceof RangeError ? tooComplex() : error;
  }
}

/** Reads the front matter, if there is one: the number of its lines, and the title in it. */
function readHead(lines: readonly string[], report: Report, { hasTitle }: OwnPlaces): { length: number; titre: string | null } {
  const none = { length: 0, titre: null };
  if (lines[0]?.trimEnd() !== '---') return none;
  const end = lines.findIndex((line, index) => index > 0 && index <= maxHeadLines && line.trimEnd() === '---');
  const inside = end === -1 ? [] : lines.slice(1, end);
  const entries: { key: string; value: string; line: number }[] = [];
  for (const [index, line] of inside.entries()) {
    const [, key, value = ''] = HEAD_LINE.exec(line) ?? [];
    const last = entries.at(-1);
    if (key !== undefined) entries.push({ key, value: value.trim(), line: index + 2 });
    // A value may continue on the lines below its key, for example as list items.
    else if (last && /^(?:\s+\S|- )/.test(line)) last.value = `${last.value} ${line.trim()}`.trim();
    else if (/^#/.test(line)) entries.push({ key: '#', value: line.slice(1).trim(), line: index + 2 });
    else if (line.trim() !== '') return none;
  }
  if (entries.length === 0) return none;
  let titre: string | null = null;
  for (const { key, value, line } of entries) {
    if (hasTitle && /^tit(?:re|le)$/i.test(key) && titre === null)
      titre = value.replace(/^[>|][+-]?\s+/, '').replace(/^(["'])(.*)\1$/, '$2');
    else report(line, `Donnée de l'en-tête à saisir vous-même : ${key} : ${value.slice(0, 200)}`);
  }
  return { length: end + 1, titre };
}

function wholeDocument(root: Element, remarks: Remarks) {
  const document = asDocument(root);
  if (whatIsLost(root, document)) remarks.say("Un élément n'était pas à sa place : comparez le résultat avec votre fichier.");
  return document;
}
