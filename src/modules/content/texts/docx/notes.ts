import type { TextFacts } from './reading.ts';

export interface NoteText {
  /** The number shown in the text. */
  readonly number: number;
  readonly content: Element;
  /** The reference in the text. Its position shows which text the note belongs to. */
  readonly reference: Element;
}

/** Numbers the footnotes and endnotes of a text in the order of their references, and writes the numbers into the references. */
export function numberNotes(root: Element, { references }: TextFacts): NoteText[] {
  const notesIn = (text: Element) =>
    [...text.getElementsByTagName('sup')].flatMap((reference) => {
      const content = references.get(reference);
      return content ? [{ reference, content }] : [];
    });
  const notes = notesIn(root);
  // A note that only another note refers to gets a number, but is not placed at the end of a text.
  const further = [...new Set(notes.map(({ content }) => content))].flatMap(notesIn);
  for (const [index, { reference }] of [...notes, ...further].entries()) reference.append(`[${index + 1}]`);
  return notes.map((note, index) => ({ ...note, number: index + 1 }));
}

/** Appends to each text the notes to which it refers. */
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
    // A note with two references is written twice, since it has two numbers.
    list.append(...own.map(({ content }) => content.cloneNode(true)));
    text.append(heading, list);
  }
}
