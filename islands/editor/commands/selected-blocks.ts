import { type Node, NodeRange, type NodeType } from 'prosemirror-model';
import type { EditorState, Transaction } from 'prosemirror-state';
import { liftTarget } from 'prosemirror-transform';

export interface SelectedBlock {
  readonly node: Node;
  readonly pos: number;
}

/** The blocks of text that the selection touches, with where each begins; cells selected apart each give theirs. */
export function selectedBlocks({ doc, selection }: EditorState): SelectedBlock[] {
  const found: SelectedBlock[] = [];
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

/** Takes blocks out of every node of these types around them, up to their cell. An item goes out whole, since its lists hang on its text. */
export function takeOut(tr: Transaction, blocks: readonly SelectedBlock[], types: readonly NodeType[]): void {
  for (const { pos } of blocks) {
    for (;;) {
      const $pos = tr.doc.resolve(tr.mapping.map(pos + 1));
      let depth = $pos.depth - 1;
      while (depth > 0 && !types.includes($pos.node(depth).type)) depth = $pos.node(depth).type.spec.isolating ? 0 : depth - 1;
      if (depth <= 0) break;
      const isItem = $pos.node(depth).type.name === 'list_item';
      const [$from, $to] = isItem ? [tr.doc.resolve($pos.start(depth)), tr.doc.resolve($pos.end(depth))] : [$pos, $pos];
      const range = new NodeRange($from, $to, depth);
      const target = liftTarget(range);
      if (target === null) break;
      tr.lift(range, target);
    }
  }
}
