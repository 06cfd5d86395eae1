import type { Node } from 'prosemirror-model';
import { type Command, type EditorState, Selection } from 'prosemirror-state';
import { type WrittenQuestions, writtenQuestions } from '../../../src/shared/questions/written-question.ts';

/** Maximum number of selected blocks in which questions are searched: the toolbar asks at each change of the selection. */
const maxBlocks = 500;

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
  return { start, blocks, found: blocks.length > maxBlocks ? [] : writtenQuestions(blocks) };
}

/** Replaces questions written as text by questions. @param rangeOf returns the range in which they are; null for none */
export function transformQuestions(rangeOf: (state: EditorState) => Range | null): Command {
  return (state, dispatch) => {
    const range = rangeOf(state);
    if (!range || range.from === range.to) return false;
    const { start, blocks, found } = questionsIn(state.doc, range);
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

/** Makes questions of a selected numbered text with lettered choices. */
export const transformSelected: Command = transformQuestions(({ selection }) => selection);
