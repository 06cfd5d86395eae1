import type { EditorState, Transaction } from 'prosemirror-state';
import { fixTables, tableEditing } from 'prosemirror-tables';
import { tableGroups } from '../toolbar/table-tools.ts';
import { columnDrag } from './column-drag.ts';

export { nextCell, previousCell } from '../commands/tables.ts';

/** Returns the toolbar's row for tables, and the plugins that edit them. */
export const tableTools = () => ({ groups: tableGroups(), plugins: [columnDrag(), tableEditing()] });

/** Returns a transaction that makes the rows of every table equally long; undefined if they are. */
export const mendTables = (state: EditorState): Transaction | undefined => fixTables(state);
