import { useState } from 'react';
import { MAX_LIST_START } from '../../../src/shared/rich-text/bounds.ts';
import { type ListLabel, listLabels, writtenLabel } from '../../../src/shared/rich-text/list-labels.ts';
import { listAround, setNumbering } from '../commands/lists.ts';
import { textSelected } from '../commands/whole-text.ts';
import type { DialogProps } from './dialog-props.ts';
import { NumberField, wholeNumber } from './NumberField.tsx';
import { ToolDialog } from './ToolDialog.tsx';

/** Edits the label of a list's items, and the first number of a list that continues an earlier one. */
export function ListNumberingDialog({ session, onClose }: DialogProps) {
  const [list] = useState(() => listAround(textSelected(session.view.state))?.node.attrs);
  const [label, setLabel] = useState<ListLabel>(list?.label ?? null);
  const [start, setStart] = useState(String(list?.order ?? 1));
  const order = wholeNumber(start, 0, MAX_LIST_START);
  return (
    <ToolDialog
      title="Numérotation de la liste"
      action="Appliquer"
      first="#editor-label"
      disabled={order === null}
      onSubmit={() => session.run(setNumbering({ order: order ?? 1, label }))}
      onClose={onClose}
    >
      <div className="field">
        <label htmlFor="editor-label">Forme des numéros</label>
        <select
          className="input"
          id="editor-label"
          value={label ?? ''}
          onChange={({ target }) => setLabel(listLabels.find((one) => one === target.value) ?? null)}
        >
          {[null, ...listLabels].map((one) => (
            <option key={one} value={one ?? ''}>
              {[1, 2, 3].map((number) => writtenLabel(one, number)).join(' ')}
            </option>
          ))}
        </select>
      </div>
      <NumberField
        id="editor-start"
        label="Numéro du premier élément"
        {...(label !== null && order !== null && { hint: `Il s'écrit ${writtenLabel(label, order)}` })}
        value={start}
        min={0}
        max={MAX_LIST_START}
        onChange={setStart}
      />
    </ToolDialog>
  );
}
