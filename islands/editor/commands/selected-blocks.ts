import type { Node } from 'prosemirror-model';
import type { EditorState } from 'prosemirror-state';

/** The blocks of text that the selection touches, with where each begins; cells selected apart each give theirs. */
export function selectedBlocks({ doc, selection }: EditorState): { node: Node; pos: number }[] {
  const found: { node: Node; pos: number }[] = [];
  for (const { $from, $to } of selection.ranges) {
    doc.nodesBetween($from.pos, $to.pos, (node, pos) => {
      if (!node.isTextblock) return true;
      found.push({ node, pos });
      return false;
    });
  }
  return found;
}

/** The block of text where the selection begins: what the toolbar tells about. Null next to a picture, a table or a formula of its own. */
export function firstBlock({ selection: { $from } }: EditorState): Node | null {
  return $from.parent.isTextblock ? $from.parent : null;
}

/** Paragraphs and headings have alignment, indentation and direction; code and captions have none. */
export const hasFormat = (node: Node): boolean => node.type.name === 'paragraph' || node.type.name === 'heading';
