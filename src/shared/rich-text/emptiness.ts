import type { Node } from 'prosemirror-model';

/** Returns whether `doc` has no text, picture or formula; empty blocks do not count. */
export function isEmpty(doc: Node): boolean {
  return !hasContent(doc);
}

function hasContent(node: Node): boolean {
  if (node.isText) return (node.text ?? '').trim() !== '';
  // A figure always contains its picture.
  if (node.isLeaf || node.type.name === 'figure') return node.type.name !== 'hard_break';
  for (let index = 0; index < node.childCount; index += 1) if (hasContent(node.child(index))) return true;
  return false;
}
