import type { Dispatch, FocusEvent } from 'react';
import { formatXaf } from '../../src/shared/money.ts';
import type { FieldErrors } from '../forms/form-fields.ts';
import { Field } from '../ui/Field.tsx';
import { TextArea } from '../ui/TextArea.tsx';
import type { EditEvent, EditState } from './edit-state.ts';
import type { Kind } from './records.ts';

interface EditFieldsProps {
  kind: Kind;
  state: EditState;
  faults: FieldErrors;
  dispatch: Dispatch<EditEvent>;
}

/** The fields of a prepa or discipline. After a conflict, each shows the value saved by somebody else. */
export function EditFields({ kind, state: { values, others }, faults, dispatch }: EditFieldsProps) {
  const bind = (field: string) => ({
    name: field,
    value: values[field] ?? '',
    onChange: ({ target }: { target: { value: string } }) => dispatch({ type: 'typed', field, value: target.value }),
    onBlur: ({ relatedTarget }: FocusEvent) => {
      // A fault shown now would move the button under the pointer. Submitting shows the faults anyway.
      if (!(relatedTarget instanceof HTMLButtonElement)) dispatch({ type: 'left', field });
    },
  });
  const other = (field: string) =>
    others[field] !== undefined && others[field] !== values[field] ? (
      <OtherValue
        value={field === 'prix' ? formatXaf(Number(others[field])) : others[field]}
        onTaken={() => {
          dispatch({ type: 'typed', field, value: others[field] ?? '' });
          // The button disappears: focus the field that got its value.
          document.getElementById(`edit-${field}`)?.focus();
        }}
      />
    ) : null;

  return (
    <>
      <Field id="edit-nom" label="Nom" error={faults.nom} input={{ ...bind('nom'), type: 'text', autoComplete: 'off' }}>
        {other('nom')}
      </Field>
      <TextArea id="edit-description" label="Description" error={faults.description} textarea={bind('description')}>
        {other('description')}
      </TextArea>
      {kind === 'prepa' && (
        <Field
          id="edit-prix"
          label="Prix (XAF)"
          error={faults.prix}
          input={{ ...bind('prix'), type: 'text', inputMode: 'numeric', autoComplete: 'off' }}
        >
          {other('prix')}
        </Field>
      )}
    </>
  );
}

function OtherValue({ value, onTaken }: { value: string; onTaken: () => void }) {
  return (
    <div className="workbench__other">
      <p>
        Valeur actuelle : <q>{value}</q>
      </p>
      <button className="button button--secondary" type="button" onClick={onTaken}>
        Reprendre
      </button>
    </div>
  );
}
