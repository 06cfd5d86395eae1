import { type Node, NodeRange, type NodeType } from 'prosemirror-model';
import type { EditorState, Transaction } from 'prosemirror-state';
import { liftTarget } from 'prosemirror-transform';

export interface SelectedBlock {
  readonly node: Node;
  readonly pos: number;
}

/** Returns the text blocks touched by the selection, with their positions, also for a selection of table cells. */
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

/** Returns the text block at the beginning of the selection, for the toolbar. Null beside a picture, a table or a block formula. */
export function firstBlock({ selection: { $from } }: EditorState): Node | null {
  return $from.parent.isTextblock ? $from.parent : null;
}

/** Returns whether the block has alignment, indentation and direction: only paragraphs and headings do. */
export const hasFormat = (node: Node): boolean => node.type.name === 'paragraph' || node.type.name === 'heading';

/** Lifts blocks out of all surrounding nodes of these types, up to their table cell. Lifts a list item as a whole, with its nested lists. */
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
