import type { Node } from 'prosemirror-model';

/** Whether nothing stands in `doc`: no text, no picture, no formula, whatever its empty blocks are. */
export function isEmpty(doc: Node): boolean {
  return !hasContent(doc);
}

function hasContent(node: Node): boolean {
  if (node.isText) return (node.text ?? '').trim() !== '';
  // A figure is its picture, with or without a caption.
  if (node.isLeaf || node.type.name === 'figure') return node.type.name !== 'hard_break';
  for (let index = 0; index < node.childCount; index += 1) if (hasContent(node.child(index))) return true;
  return false;
}
