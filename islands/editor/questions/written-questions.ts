import type { Node } from 'prosemirror-model';
import { type Command, Selection } from 'prosemirror-state';
import { type WrittenQuestions, writtenQuestions } from '../../../src/shared/questions/written-question.ts';

interface Range {
  readonly from: number;
  readonly to: number;
}

/** Returns the questions written as text in the top-level blocks that a range touches, and the position of the first block. */
export function questionsIn(
  doc: Node,
  { from, to }: Range,
): { start: number; blocks: readonly Node[]; found: readonly WrittenQuestions[] } {
  let start = 0;
  const blocks: Node[] = [];
  doc.forEach((block, offset) => {
    if (offset + block.nodeSize <= from || offset >= to) return;
    if (blocks.length === 0) start = offset;
    blocks.push(block);
  });
  return { start, blocks, found: writtenQuestions(blocks) };
}

/** Replaces the questions that a range holds as text by questions. @param isMeant which of them; all by default */
export function transformQuestions(range: Range, isMeant: (written: WrittenQuestions) => boolean = () => true): Command {
  return (state, dispatch) => {
    const { start, blocks, found: all } = questionsIn(state.doc, range);
    const found = all.filter(isMeant);
    if (found.length === 0) return false;
    if (!dispatch) return true;
    const { tr } = state;
    // From the end, so that earlier positions stay valid.
    for (const { from, to, nodes } of found.toReversed()) {
      const sizeOf = (end: number): number => blocks.slice(0, end).reduce((size, { nodeSize }) => size + nodeSize, 0);
      tr.replaceWith(start + sizeOf(from), start + sizeOf(to), nodes);
    }
    const first = start + blocks.slice(0, found[0]?.from).reduce((size, { nodeSize }) => size + nodeSize, 0);
    dispatch(tr.setSelection(Selection.near(tr.doc.resolve(first + 1))).scrollIntoView());
    return true;
  };
}
