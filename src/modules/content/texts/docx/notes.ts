import { buildBlocks } from './blocks.ts';
import type { Findings } from './findings.ts';

export interface NoteText {
  /** The number that the text shows. */
  readonly number: number;
  readonly content: Element;
  /** Where the text refers to it; its place tells which text the note belongs to. */
  readonly reference: Element;
}

/** Takes footnotes and endnotes from the end of what mammoth has written; what refers to them stays as a raised number. */
export function takeNotes(root: Element, findings: Findings): NoteText[] {
  const items = [...root.querySelectorAll(':scope > ol > li[id]')].filter(({ id }) => /^(?:foot|end)note-/.test(id));
  const list = items[0]?.parentElement;
  const notes: NoteText[] = [];
  for (const link of [...root.querySelectorAll('a[href^="#footnote-"], a[href^="#endnote-"]')]) {
    const target = link.getAttribute('href')?.slice(1) ?? '';
    const content = items.find(({ id }) => id === target);
    const reference = root.ownerDocument.createElement('span');
    reference.append(...link.childNodes);
    if (content && link.id)
      notes.push({ number: Number(/\d+/.exec(reference.textContent ?? '')?.[0] ?? notes.length + 1), content, reference });
    // The arrow back is of no use without its link.
    if (link.id) link.replaceWith(reference);
    else link.remove();
  }
  list?.remove();
  for (const content of items) buildBlocks(content, findings);
  return notes;
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
    const placed = new Map<Element, Node[]>();
    for (const { content } of own) {
      const item = text.ownerDocument.createElement('li');
      // A note that the text refers to twice stands there twice, since it has two numbers.
      const kept = placed.get(content) ?? [...content.childNodes];
      item.append(...(placed.has(content) ? kept.map((node) => node.cloneNode(true)) : kept));
      placed.set(content, kept);
      list.append(item);
    }
    text.append(heading, list);
  }
}
