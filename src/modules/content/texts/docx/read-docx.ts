import { parseHTML } from 'linkedom';
import { maxStorageBytes } from '../mathtype/mathtype-latex.ts';
import type { Remarks } from '../remarks.ts';
import { Numbering } from './numbering.ts';
import { WordPackage } from './package.ts';
import type { Reading } from './reading.ts';
import { Styles } from './styles.ts';
import { TextReader } from './text-reader.ts';
import { attribute, child, elementsOf, nameOf } from './xml.ts';

/**
 * Reads a .docx file.
 * @returns `root`: its paragraphs and tables as HTML; `reading`: further facts about these elements; `coreTitle`: the title in the
 * file's properties
 * @throws AppError 400
 */
export function readDocx(bytes: Buffer, remarks: Remarks) {
  const word = new WordPackage(bytes);
  const document: Document = parseHTML('<!doctype html><html><body></body></html>').document;
  const styles = new Styles(word.part('styles')?.document ?? null);
  const numbering = new Numbering(word.part('numbering')?.document ?? null, styles);
  const noteParts = notePartsOf(word, document);
  const reading: Reading = {
    document,
    styles,
    numbering,
    remarks,
    notes: new Map(noteParts.flatMap(({ notes }) => notes.map(({ key, item }) => [key, item]))),
    paragraphs: new Map(),
    pictures: new Map(),
    equations: new Map(),
    unreadEquations: [],
    references: new Map(),
    storage: (part) => word.object(part, maxStorageBytes),
    unknownSymbols: new Set(),
  };
  const body = child(word.xml(word.main)?.documentElement, 'w:body');
  if (body) new TextReader(reading, word.relationshipsOf(word.main)).fill(document.body, body);
  for (const { name, notes } of noteParts) {
    const reader = new TextReader(reading, word.relationshipsOf(name));
    for (const { item, note } of notes) reader.fill(item, note);
  }
  nameSymbols(reading);
  nameParts(word, remarks);
  return { root: document.body, reading, word, coreTitle: coreTitle(word) };
}

function notePartsOf(word: WordPackage, document: Document) {
  return (['footnote', 'endnote'] as const).flatMap((kind) => {
    const part = word.part(`${kind}s`);
    if (!part) return [];
    const notes = elementsOf(part.document.documentElement)
      .filter((note) => nameOf(note) === `w:${kind}` && !/separator|notice/i.test(attribute(note, 'w:type') ?? ''))
      .map((note) => ({ key: `${kind} ${attribute(note, 'w:id') ?? ''}`, note, item: document.createElement('li') }));
    return [{ name: part.name, notes }];
  });
}

function nameSymbols({ unknownSymbols, remarks }: Reading): void {
  if (unknownSymbols.size > 0)
    remarks.countOf('caractère', " d'une police de symboles sans équivalent : à retaper dans le texte.", unknownSymbols.size);
}

/** Adds remarks about comments, headers and footers, which are not imported. */
function nameParts(word: WordPackage, remarks: Remarks): void {
  const comments = elementsOf(word.part('comments')?.document.documentElement).filter((element) => nameOf(element) === 'w:comment').length;
  if (comments > 0) remarks.countOf('commentaire', ' de relecture, sans place ici.', comments);
  const edges = [...word.partsOf('header'), ...word.partsOf('footer')].filter(
    (name) => (word.xml(name)?.documentElement.textContent ?? '').trim() !== '',
  );
  if (edges.length > 0) remarks.say("L'en-tête et le pied de page ont été laissés de côté.");
}

function coreTitle(word: WordPackage): string | null {
  const name = [...word.relationshipsOf('').values()].find(({ type }) => type === 'core-properties')?.target;
  const properties = name === undefined ? null : word.xml(name);
  const title = elementsOf(properties?.documentElement)
    .find(({ localName }) => localName === 'title')
    ?.textContent?.trim();
  return title || null;
}
