import type { EditorState, Plugin, Transaction } from 'prosemirror-state';
import { fixTables, tableEditing } from 'prosemirror-tables';
import { tableGroups } from '../toolbar/table-tools.ts';

export { nextCell, previousCell } from '../commands/tables.ts';

/** Returns the toolbar's row for tables, and the plugins that edit them. */
export function tableTools() {
  return { groups: tableGroups(), plugins: [tableEditing()] satisfies Plugin[] };
}

/** Makes the rows of every table equally long; null if they are. */
export const mendTables = (state: EditorState): Transaction | undefined => fixTables(state);
