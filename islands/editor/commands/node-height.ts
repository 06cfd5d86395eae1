import type { Node } from 'prosemirror-model';

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
