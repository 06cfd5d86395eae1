import { ForeignReader } from './readers/reader.ts';
import { placeVmlPictures } from './readers/vml-pictures.ts';
import { guessListFormats } from './readers/word-lists.ts';
import { StyleSheet } from './styles/style-sheet.ts';
import { Notes } from './support/notes.ts';

/**
 * Converts any HTML (Word, LibreOffice, Google Docs, Quill, web pages, and our own) in place to the tags and classes that the schema reads.
 * `root` is a `body`, an `html` or any other element of a document parsed by a browser or by linkedom. Time and memory grow with the
 * input's size. For any input, the output has only elements and attributes of the schema, and the schema's parser still checks it.
 *
 * @param fetchesPictures whether the caller stores pictures of other sites and reports those that it could not store
 * @returns French sentences about content that was lost, one per kind
 */
export function normaliseForeign(root: Element, { fetchesPictures = false } = {}): { notes: string[] } {
  const document = root.ownerDocument;
  const sheet = new StyleSheet();
  // A document has its styles in the head; a fragment has them anywhere.
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
