import { Fragment, type Node } from 'prosemirror-model';
import { type ItemKind, kindDetails, type TextField } from '../../../src/shared/item-kinds.ts';
import { documentFromJson } from '../../../src/shared/rich-text/document.ts';
import { isEmpty } from '../../../src/shared/rich-text/emptiness.ts';
import type { ImportedDocument } from '../items/calls.ts';
import type { Documents } from '../items/documents.ts';

export type ImportManner = 'replace' | 'append';

/** Returns whether a file's correction is read separately: only for the main text of an item that has a correction. */
export const hasCorrectionApart = (kind: ItemKind, field: TextField): boolean =>
  field === 'contenu' && kindDetails[kind].hasCorrection === true;

/**
 * Merges a file into the item's texts. A correction read separately (see `hasCorrectionApart`) goes to the item's correction.
 * @throws RichTextError when the response holds no valid document
 */
export function mergeImport(
  now: Documents,
  imported: Pick<ImportedDocument, 'document' | 'corrige'>,
  { field, how }: { field: TextField; how: ImportManner },
): Documents {
  const text = documentFromJson(imported.document);
  const correction = imported.corrige && documentFromJson(imported.corrige);
  const put = (before: Node, after: Node) => (how === 'replace' || isEmpty(before) ? after : joined(before, after));
  const merged: Documents = { ...now, [field]: put(now[field], text) };
  if (!correction) return merged;
  return { ...merged, corrige: field === 'corrige' ? joined(merged.corrige, correction) : put(now.corrige, correction) };
}

const joined = (first: Node, second: Node): Node => first.copy(Fragment.from(first.content).append(second.content));
