import { type Command, type EditorState, Selection, TextSelection } from 'prosemirror-state';
import { addRowAfter, goToNextCell, isInTable, selectedRect, TableMap } from 'prosemirror-tables';
import { richTextSchema } from '../../../src/shared/rich-text/schema.ts';

const { nodes } = richTextSchema;

/** Moves to the next cell. After the last cell, adds a row. */
export const nextCell: Command = (state, dispatch) => {
  if (!isInTable(state)) return false;
  if (goToNextCell(1)(state, dispatch)) return true;
  if (!dispatch) return true;
  return addRowAfter(state, (tr) => {
    const added = state.apply(tr);
    // `added` has the new row, so the next cell is the first of that row.
    goToNextCell(1)(added, (move) => {
      tr.setSelection(TextSelection.create(tr.doc, move.selection.from, move.selection.to));
    });
    dispatch(tr.scrollIntoView());
  });
};

export const previousCell: Command = goToNextCell(-1);

/** Wraps a command that removes rows or columns: the cursor stays in the table, in the cell at the same place. */
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

/** Sets the width of the selected columns in percent of the table, or null for automatic. */
export function setColumnWidth(width: number | null): Command {
  return (state, dispatch) => {
    if (!isInTable(state)) return false;
    if (!dispatch) return true;
    const { map, table, tableStart, left, right } = selectedRect(state);
    const { tr } = state;
    for (const pos of map.cellsInRect({ left, right, top: 0, bottom: map.height })) {
      const cell = table.nodeAt(pos);
      // A cell that spans columns cannot hold the width of a single one.
      if (cell && cell.attrs.width !== width && (cell.attrs.colspan === 1 || width === null))
        tr.setNodeAttribute(tableStart + pos, 'width', width);
    }
    dispatch(tr);
    return true;
  };
}

/** Returns the width of the first selected column in percent, or null. */
export function columnWidth(state: EditorState): number | null {
  if (!isInTable(state)) return null;
  const { map, table, left, top } = selectedRect(state);
  return (table.nodeAt(map.map[top * map.width + left] ?? -1)?.attrs.width as number | null | undefined) ?? null;
}
