import type { Node } from 'prosemirror-model';
import { type Command, type EditorState, Selection, TextSelection } from 'prosemirror-state';
import { addRowAfter, goToNextCell, isInTable, selectedRect, TableMap } from 'prosemirror-tables';
import { richTextSchema } from '../../../src/shared/rich-text/schema.ts';
import { insertBlock } from './insertions.ts';

const { nodes } = richTextSchema;

/** Rows and columns of a table that is being made. */
export const MAX_TABLE_SIDE = 20;

/** A table of empty cells; the cursor goes into its first one. `headed`: its first row holds headers. */
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
          // Into the first cell: past the table's, the row's, the cell's and the paragraph's beginning.
          if (before?.eq(table)) tr.setSelection(TextSelection.create(tr.doc, $from.before() - before.nodeSize + 4));
          dispatch(tr);
        }),
    );
  };
}

/** The next cell; behind the last one a new row begins. */
export const nextCell: Command = (state, dispatch) => {
  if (!isInTable(state)) return false;
  if (goToNextCell(1)(state, dispatch)) return true;
  if (!dispatch) return true;
  return addRowAfter(state, (tr) => {
    const added = state.apply(tr);
    // The row is there: from where the cursor still is, the next cell is its first.
    goToNextCell(1)(added, (move) => {
      tr.setSelection(TextSelection.create(tr.doc, move.selection.from, move.selection.to));
    });
    dispatch(tr.scrollIntoView());
  });
};

export const previousCell: Command = goToNextCell(-1);

/** Takes rows or columns away; the cursor stays in the table, in the cell that has taken the place. */
export function takingAway(remove: Command): Command {
  return (state, dispatch) => {
    if (!isInTable(state)) return false;
    const { top, left, tableStart } = selectedRect(state);
    return remove(
      state,
      dispatch &&
        ((tr) => {
          const table = tr.doc.nodeAt(tableStart - 1);
          if (table?.type === nodes.table) {
            const map = TableMap.get(table);
            const index = Math.min(top, map.height - 1) * map.width + Math.min(left, map.width - 1);
            tr.setSelection(Selection.near(tr.doc.resolve(tableStart + (map.map[index] ?? 0) + 1)));
          }
          dispatch(tr);
        }),
    );
  };
}

/** The width of the selected columns in percent of the table; null: as their content asks. */
export function setColumnWidth(width: number | null): Command {
  return (state, dispatch) => {
    if (!isInTable(state)) return false;
    if (!dispatch) return true;
    const { map, table, tableStart, left, right } = selectedRect(state);
    const { tr } = state;
    for (const pos of map.cellsInRect({ left, right, top: 0, bottom: map.height })) {
      const cell = table.nodeAt(pos);
      // What spans several columns says nothing about one of them.
      if (cell && cell.attrs.width !== width && (cell.attrs.colspan === 1 || width === null))
        tr.setNodeAttribute(tableStart + pos, 'width', width);
    }
    dispatch(tr);
    return true;
  };
}

/** The width of the first selected column, or null. */
export function columnWidth(state: EditorState): number | null {
  if (!isInTable(state)) return null;
  const { map, table, left, top } = selectedRect(state);
  return (table.nodeAt(map.map[top * map.width + left] ?? -1)?.attrs.width as number | null | undefined) ?? null;
}
