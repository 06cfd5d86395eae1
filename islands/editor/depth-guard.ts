import type { Node } from 'prosemirror-model';
import { Plugin } from 'prosemirror-state';
import { MAX_DEPTH } from '../../src/shared/rich-text/bounds.ts';
import type { Doors } from './doors.ts';

/** Refuses what would make the text nest deeper than may be stored. What is pasted is made flat before (paste/shallow.ts). */
export const depthGuard = ({ notify }: Doors): Plugin =>
  new Plugin({
    filterTransaction: ({ docChanged, doc, before }) => {
      if (!docChanged || height(doc) <= Math.max(MAX_DEPTH, height(before))) return true;
      notify('warning', 'Le texte a trop de niveaux imbriqués.');
      return false;
    },
  });

const heights = new WeakMap<Node, number>();

/** Nodes inside one another, this one included. A change leaves most of a text's nodes as they are, whose height is known. */
export function height(node: Node): number {
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
