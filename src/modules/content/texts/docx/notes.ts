import type { Reading } from './reading.ts';

export interface NoteText {
  /** The number that the text shows. */
  readonly number: number;
  readonly content: Element;
  /** Where the text refers to it; its place tells which text the note belongs to. */
  readonly reference: Element;
}

/** The footnotes and endnotes that a text refers to, in its order; what refers to them becomes a raised number. */
export function numberNotes(root: Element, { references }: Reading): NoteText[] {
  const notesIn = (text: Element) =>
    [...text.getElementsByTagName('sup')].flatMap((reference) => {
      const content = references.get(reference);
      return content ? [{ reference, content }] : [];
    });
  const notes = notesIn(root);
  // A note to a note has a number, and no place.
  const further = [...new Set(notes.map(({ content }) => content))].flatMap(notesIn);
  for (const [index, { reference }] of [...notes, ...further].entries()) reference.append(`[${index + 1}]`);
  return notes.map((note, index) => ({ ...note, number: index + 1 }));
}

/** Puts each note at the end of the text that refers to it. */
export function placeNotes(notes: readonly NoteText[], texts: readonly Element[]): void {
  for (const text of texts) {
    const own = notes.filter(({ reference }) => text.contains(reference));
    const [first] = own;
    if (!first) continue;
    const heading = text.ownerDocument.createElement('p');
    const strong = text.ownerDocument.createElement('strong');
    strong.append('Notes');
    heading.append(strong);
    const list = text.ownerDocument.createElement('ol');
    if (first.number !== 1) list.setAttribute('start', String(first.number));
    // A note that the text refers to twice stands there twice, since it has two numbers.
    list.append(...own.map(({ content }) => content.cloneNode(true)));
    text.append(heading, list);
  }
}
