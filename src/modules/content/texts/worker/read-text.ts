import type { Node } from 'prosemirror-model';
import { checkDocument, documentFromJson, RichTextError } from '../../../../shared/rich-text/document.ts';
import { isEmpty } from '../../../../shared/rich-text/emptiness.ts';
import { readHtml } from '../html/reader.ts';
import type { Remarks } from '../remarks.ts';

/**
 * Reads a text of a request: HTML, an editor document as JSON, or nothing. Stores nothing.
 * @returns null for a text without content
 * @throws RichTextError with a French message
 */
export function readText(input: unknown, remarks: Remarks): Node | null {
  if (input === null || input === undefined || input === '') return null;
  try {
    const doc = typeof input === 'string' ? readHtml(input, remarks) : documentFromJson(input);
    checkDocument(doc);
    return isEmpty(doc) ? null : doc;
  } catch (error) {
    // Parsers recurse once per level: a text that exhausts the stack is reported like any other fault.
    if (error instanceof RangeError && error.message.includes('call stack'))
      throw new RichTextError('Le texte a trop de niveaux imbriqués.');
    throw error;
  }
}
