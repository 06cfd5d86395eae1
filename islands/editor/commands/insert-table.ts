import type { Node } from 'prosemirror-model';
import { type Command, type EditorState, TextSelection } from 'prosemirror-state';
import { richTextSchema } from '../../../src/shared/rich-text/schema.ts';
import { insertBlock } from './insertions.ts';

const { nodes } = richTextSchema;

/** Returns whether the selection is in a table. */
export function inTable({ selection: { $head } }: EditorState): boolean {
  for (let depth = $head.depth; depth > 0; depth -= 1) if ($head.node(depth).type === nodes.table_row) return true;
  return false;
}

/** Maximum number of rows and of columns of a new table. */
export const MAX_TABLE_SIDE = 20;

/** Inserts a table of empty cells, with the cursor in the first. `headed`: the first row has header cells. */
export function insertTable(rows: number, columns: number, headed: boolean): Command {
  return (state, dispatch) => {
    const cell = (type: typeof nodes.table_cell) => type.createAndFill() as Node;
    const row = (type: typeof nodes.table_cell) =>
      nodes.table_row.create(
        null,
        Array.from({ length: columns }, () => cell(type)),
      );
    const table = nodes.table.create(
      null,
      Array.from({ length: rows }, (_, index) => row(headed && index === 0 ? nodes.table_header : nodes.table_cell)),
    );
    return insertBlock(table)(
      state,
      dispatch &&
        ((tr) => {
          const { $from } = tr.selection;
          const before = $from.depth > 0 ? tr.doc.resolve($from.before()).nodeBefore : null;
          // Position in the first cell: after the starts of the table, row, cell and paragraph.
          if (before?.eq(table)) tr.setSelection(TextSelection.create(tr.doc, $from.before() - before.nodeSize + 4));
          dispatch(tr);
        }),
    );
  };
}
