import { useState } from 'react';
import { insertTable, MAX_TABLE_SIDE } from '../commands/insert-table.ts';
import type { DialogProps } from './dialog-props.ts';
import { NumberField, wholeNumber } from './NumberField.tsx';
import { ToolDialog } from './ToolDialog.tsx';

/** Asks for the size of a new table. */
export function TableDialog({ session, onClose }: DialogProps) {
  const [rows, setRows] = useState('3');
  const [columns, setColumns] = useState('3');
  const [headed, setHeaded] = useState(true);
  const height = wholeNumber(rows, 1, MAX_TABLE_SIDE);
  const width = wholeNumber(columns, 1, MAX_TABLE_SIDE);

  return (
    <ToolDialog
      title="Insérer un tableau"
      action="Insérer"
      first="#editor-rows"
      disabled={height === null || width === null}
      onSubmit={() => session.run(insertTable(height ?? 1, width ?? 1, headed))}
      onClose={onClose}
    >
      <div className="editor__pair">
        <NumberField id="editor-rows" label="Lignes" value={rows} min={1} max={MAX_TABLE_SIDE} onChange={setRows} />
        <NumberField id="editor-columns" label="Colonnes" value={columns} min={1} max={MAX_TABLE_SIDE} onChange={setColumns} />
      </div>
      <label className="choice">
        <input type="checkbox" checked={headed} onChange={({ target }) => setHeaded(target.checked)} />
        La première ligne contient les en-têtes
      </label>
    </ToolDialog>
  );
}
