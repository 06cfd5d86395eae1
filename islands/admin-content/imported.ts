import { Fragment, type Node } from 'prosemirror-model';
import { documentFromJson } from '../../src/shared/rich-text/document.ts';
import { isEmpty } from '../../src/shared/rich-text/emptiness.ts';
import type { ImportedDocument } from './calls.ts';
import type { Kind, TextField } from './records.ts';
import type { Documents } from './use-editing.ts';

export type ImportManner = 'replace' | 'append';

interface Target {
  kind: Kind;
  /** The text whose tab is shown. */
  field: TextField;
  how: ImportManner;
}

/**
 * The texts with what a file has brought. A correction that the file has goes to the correction, when the text itself was meant and the item
 * has one; otherwise it follows the text.
 * @throws RichTextError when the answer is no document
 */
export function mergeImport(
  now: Documents,
  imported: Pick<ImportedDocument, 'document' | 'corrige'>,
  { kind, field, how }: Target,
): Documents {
  const text = documentFromJson(imported.document);
  const correction = imported.corrige && documentFromJson(imported.corrige);
  const apart = correction !== null && field === 'contenu' && kind !== 'course';
  const whole = correction && !apart ? joined(text, correction) : text;
  const put = (before: Node, after: Node) => (how === 'replace' || isEmpty(before) ? after : joined(before, after));
  const merged: Documents = { ...now, [field]: put(now[field], whole) };
  return apart ? { ...merged, corrige: put(now.corrige, correction) } : merged;
}

const joined = (first: Node, second: Node): Node => first.copy(Fragment.from(first.content).append(second.content));
