import { useState } from 'react';
import { MAX_LIST_START } from '../../../src/shared/rich-text/bounds.ts';
import { listAround, setListStart } from '../commands/lists.ts';
import { textSelected } from '../commands/whole-text.ts';
import type { DialogProps } from './dialog-props.ts';
import { NumberField, wholeNumber } from './NumberField.tsx';
import { ToolDialog } from './ToolDialog.tsx';

/** Edits the first number of a list that continues an earlier one. */
export function ListStartDialog({ session, onClose }: DialogProps) {
  const [start, setStart] = useState(() => String(listAround(textSelected(session.view.state))?.node.attrs.order ?? 1));
  const order = wholeNumber(start, 0, MAX_LIST_START);
  return (
    <ToolDialog
      title="Numéro de départ de la liste"
      action="Appliquer"
      first="#editor-start"
      disabled={order === null}
      onSubmit={() => session.run(setListStart(order ?? 1))}
      onClose={onClose}
    >
      <NumberField id="editor-start" label="Numéro du premier élément" value={start} min={0} max={MAX_LIST_START} onChange={setStart} />
    </ToolDialog>
  );
}
