import { Fragment, type Node, Slice } from 'prosemirror-model';
import { Plugin } from 'prosemirror-state';
import { MAX_DEPTH } from '../../src/shared/rich-text/bounds.ts';
import type { Doors } from './doors.ts';

/** Keeps the text from nesting deeper than may be stored: what is pasted so deep becomes plain blocks, and nothing else makes it. */
export const depthGuard = ({ notify }: Doors): Plugin =>
  new Plugin({
    filterTransaction: ({ docChanged, doc, before }) => {
      if (!docChanged || height(doc) <= Math.max(MAX_DEPTH, height(before))) return true;
      notify('warning', 'Le texte a trop de niveaux imbriqués.');
      return false;
    },
    props: {
      transformPasted: (slice, { state }) =>
        state.selection.$from.depth + slice.content.content.reduce((most, node) => Math.max(most, height(node)), 0) > MAX_DEPTH
          ? flat(slice)
          : slice,
    },
  });

const heights = new WeakMap<Node, number>();

/** Nodes inside one another, this one included. A change leaves most of a text's nodes as they are, whose height is known. */
function height(node: Node): number {
  if (node.isTextblock) return node.childCount > 0 ? 2 : 1;
  let known = heights.get(node);
  if (known === undefined) {
    known = 1;
    node.forEach((child) => {
      known = Math.max(known as number, height(child) + 1);
    });
    heights.set(node, known);
  }
  return known;
}

function flat({ content }: Slice): Slice {
  const blocks: Node[] = [];
  content.descendants((node) => {
    if (!node.isTextblock && !node.isLeaf) return true;
    blocks.push(node);
    return false;
  });
  return new Slice(Fragment.from(blocks), 0, 0);
}
