import type { Node } from 'prosemirror-model';

const heights = new WeakMap<Node, number>();

/** Returns the number of nested levels in a node, itself included. Cached by node: a change keeps most nodes of a document. */
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
