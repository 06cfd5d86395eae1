import { closeHistory } from 'prosemirror-history';
import { type Fragment, Slice } from 'prosemirror-model';
import { type EditorState, TextSelection, type Transaction } from 'prosemirror-state';
import { canJoin } from 'prosemirror-transform';
import { richTextSchema } from '../../../src/shared/rich-text/schema.ts';
import { limitDepth } from './limit-depth.ts';

const { nodes } = richTextSchema;

/**
 * Returns a transaction that replaces a range by blocks, as one step of the history. Text of the same paragraph before and after the range
 * is joined with the first and last block where these are paragraphs, and becomes a paragraph of its own elsewhere. Counts as a paste.
 */
export function replaceByBlocks(state: EditorState, { from, to }: { from: number; to: number }, blocks: Fragment): Transaction {
  const { content } = limitDepth(new Slice(blocks, 0, 0), state);
  const { tr } = state;
  const $from = state.doc.resolve(from);
  const $to = state.doc.resolve(to);
  const hasTail = $to.parent.isTextblock && $to.parentOffset < $to.parent.content.size;
  const hasHead = $from.parent.isTextblock && $from.parentOffset > 0;
  let start = $from.parent.isTextblock && !hasHead ? from - 1 : from;
  let end = $to.parent.isTextblock ? to + 1 : to;
  if (hasTail) tr.split(to);
  if (hasHead) {
    tr.split(from);
    start += 1;
    end += 2;
  }
  const $start = tr.doc.resolve(start);
  const $end = tr.doc.resolve(end);
  if (!$start.sameParent($end) || !$start.parent.canReplace($start.index(), $end.index(), content))
    return asOneStep(state.tr.replaceRange(from, to, new Slice(content, 0, 0)), to);
  tr.replaceWith(start, end, content);
  end = start + content.size;
  let caret = end;
  if (hasTail && joins(tr, end)) {
    tr.join(end);
    caret -= 1;
  }
  if (hasHead && joins(tr, start)) {
    tr.join(start);
    caret -= 2;
  }
  return asOneStep(tr, caret);
}

function joins({ doc }: Transaction, pos: number): boolean {
  const { nodeBefore, nodeAfter } = doc.resolve(pos);
  return nodeBefore?.type === nodes.paragraph && nodeAfter?.type === nodes.paragraph && canJoin(doc, pos);
}

function asOneStep(tr: Transaction, caret: number): Transaction {
  const $caret = tr.doc.resolve(Math.min(caret, tr.doc.content.size));
  tr.setSelection(TextSelection.near($caret, -1)).setMeta('paste', true).scrollIntoView();
  return closeHistory(tr);
}
