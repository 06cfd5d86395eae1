import { Fragment, type Node, Slice } from 'prosemirror-model';
import type { EditorState } from 'prosemirror-state';
import { MAX_DEPTH } from '../../../src/shared/rich-text/bounds.ts';
import { height } from '../commands/node-height.ts';

/** Returns the pasted content, as plain blocks if its lists, quotations and tables would exceed the maximum depth at the selection. */
export function limitDepth(slice: Slice, { selection }: EditorState): Slice {
  const { content } = slice;
  const tallest = content.content.reduce((max, node) => Math.max(max, height(node)), 0);
  if (selection.$from.depth + tallest <= MAX_DEPTH) return slice;
  const blocks: Node[] = [];
  content.descendants((node) => {
    if (!node.isTextblock && !node.isLeaf) return true;
    blocks.push(node);
    return false;
  });
  return new Slice(Fragment.from(blocks), 0, 0);
}
