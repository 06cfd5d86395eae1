import type { Node } from 'prosemirror-model';
import { type DocumentJson, documentFromJson, RichTextError } from './document.ts';

/** A change of a text's outermost blocks: `blocks` replace those from `from` to `to`, counted from 0, `to` not included. */
export interface BlockDifference {
  readonly from: number;
  readonly to: number;
  readonly blocks: readonly DocumentJson[];
}

/** Returns what changed between two documents: all blocks but the equal ones at the beginning and at the end. */
export function differenceOf(base: Node, doc: Node): BlockDifference {
  const shorter = Math.min(base.childCount, doc.childCount);
  let from = 0;
  while (from < shorter && base.child(from).eq(doc.child(from))) from += 1;
  let after = 0;
  while (after < shorter - from && base.child(base.childCount - 1 - after).eq(doc.child(doc.childCount - 1 - after))) after += 1;
  const blocks: DocumentJson[] = [];
  for (let index = from; index < doc.childCount - after; index += 1) blocks.push(doc.child(index).toJSON() as DocumentJson);
  return { from, to: base.childCount - after, blocks };
}

/**
 * Returns the changed document, checked like any other.
 * @throws {RichTextError} when the difference does not fit the base, or its result is no document or breaks a limit
 */
export function withDifference(base: Node, { from, to, blocks }: BlockDifference): Node {
  if (from > to || to > base.childCount) throw new RichTextError("La modification ne correspond pas au texte qu'elle modifie.");
  const content: unknown[] = (base.toJSON() as { content: unknown[] }).content;
  return documentFromJson({ type: 'doc', content: [...content.slice(0, from), ...blocks, ...content.slice(to)] });
}

/** Returns the text whose SHA-256 identifies a document. Equal documents have equal texts on the server and in the browser. */
export const fingerprintText = (doc: Node): string => JSON.stringify(doc.toJSON());
