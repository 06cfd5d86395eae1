import { placeNotes } from '../docx/notes.ts';
import type { TexContext, TexNote } from './context.ts';
import type { Cursor } from './cursor.ts';
import type { CommandNode } from './nodes.ts';
import type { TexReader } from './reader.ts';

/** Reads a footnote: a number in the text, and its content at the end. */
export function footnote(reader: TexReader, cursor: Cursor): void {
  const { context, document } = reader;
  cursor.option();
  const item = document.createElement('li');
  const mark = document.createElement('sup');
  const { noteReference } = context;
  context.notes.push({ content: item, mark, reference: noteReference ?? mark });
  reader.inline(mark);
  context.noteReference ??= mark;
  reader.blocksInto(item, cursor.argument() ?? []);
  context.noteReference = noteReference;
}

/** Numbers the notes of each text from 1, and appends them to it. */
export function appendNotes(notes: readonly TexNote[], texts: readonly Element[]): void {
  for (const text of texts) {
    const own = notes.filter(({ reference }) => text.contains(reference));
    const numbered = own.map((note, index) => ({ ...note, number: index + 1 }));
    for (const { mark, number } of numbered) mark.textContent = `[${number}]`;
    placeNotes(numbered, [text]);
  }
}

/** Gives the last number a name. */
export function label(reader: TexReader, cursor: Cursor): void {
  reader.context.numbers.label(cursor.rawGroup().trim());
}

/** Returns the handler of a command that refers to a label. Its number is written when all labels are known. */
export const reference =
  (before: string, behind: string) =>
  (reader: TexReader, cursor: Cursor, node: CommandNode): void => {
    cursor.takeStar();
    const key = cursor.rawGroup().trim();
    const mark = reader.document.createElement('a');
    reader.context.references.set(mark, { key, line: reader.lineOf(node), before, behind });
    reader.inline(mark);
  };

/** Writes the numbers that the text refers to. A label that is not there is reported. */
export function writeReferences({ references, numbers, report }: TexContext): void {
  for (const [mark, { key, line, before, behind }] of references) {
    const number = numbers.reference(key);
    if (number === undefined) report.say(line, `Renvoi à compléter, son étiquette n'a pas de numéro : \\ref{${key.slice(0, 80)}}`);
    mark.replaceWith(`${before}${number ?? '??'}${behind}`);
  }
}
