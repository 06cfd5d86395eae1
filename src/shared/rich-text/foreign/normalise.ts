import { Notes } from './notes.ts';
import { ForeignReader } from './reader.ts';
import { StyleSheet } from './style-sheet.ts';
import { placeVmlPictures } from './vml-pictures.ts';
import { guessListFormats } from './word-lists.ts';

/**
 * Turns anybody's HTML (Word, LibreOffice, Google Docs, Quill, web pages, and our own) into the tags and classes that the schema reads,
 * in place: `root` is a `body`, an `html` or any other element of a parsed document, a browser's or linkedom's. Time and memory grow with
 * the input's size; whatever it says, only elements and attributes of the schema come out, and the schema's parser is still the gate.
 *
 * @param fetchesPictures whether pictures of other sites are stored afterwards, and named where they are not
 * @returns what could not be carried over, a French sentence a kind.
 */
export function normaliseForeign(root: Element, { fetchesPictures = false } = {}): { notes: string[] } {
  const document = root.ownerDocument;
  const sheet = new StyleSheet();
  // A document's styles stand in its head, a fragment's anywhere.
  const styled: ParentNode = root.localName === 'body' || root.localName === 'html' ? document : root;
  for (const style of styled.querySelectorAll('style')) sheet.add(style.textContent ?? '');

  const notes = new Notes();
  const output = document.createElement('div');
  const target = root.localName === 'html' ? (document.body ?? root) : root;
  placeVmlPictures(target);
  guessListFormats(target, sheet);
  new ForeignReader(output, sheet, notes).read(target);
  target.textContent = '';
  while (output.firstChild) target.appendChild(output.firstChild);
  return { notes: notes.sentences(fetchesPictures ? ['googleImage'] : []) };
}
