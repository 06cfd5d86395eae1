import { createHash } from 'node:crypto';
import type { Node } from 'prosemirror-model';
import { fingerprintText, withDifference } from '../../../../shared/rich-text/difference.ts';
import { isEmpty } from '../../../../shared/rich-text/emptiness.ts';
import { readOwnHtml } from '../html/reader.ts';
import type { TextChange } from './tasks.ts';

/** The change was made to another document than the one that the stored text is read as here. */
export class OtherBase extends Error {
  override name = 'OtherBase';
}

/**
 * Returns the changed document, under the rules of a whole text; null without content.
 * @throws OtherBase when the result is not the sender's document
 * @throws RichTextError with a French message
 */
export function readChange({ stored, difference, fingerprint }: TextChange): Node | null {
  const base = readOwnHtml(stored);
  if (!base || difference.to > base.childCount) throw new OtherBase('the stored text is not the base of the change');
  const doc = withDifference(base, difference);
  if (createHash('sha256').update(fingerprintText(doc)).digest('hex') !== fingerprint)
    throw new OtherBase('the change leads to another document');
  return isEmpty(doc) ? null : doc;
}
