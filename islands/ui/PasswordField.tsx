import { useState } from 'react';
import { Field, type FieldProps } from './Field.tsx';

/** A password field with a button that shows the password. */
export function PasswordField({ input, ...field }: Omit<FieldProps, 'button'>) {
  const [shown, setShown] = useState(false);
  return (
    <Field
      {...field}
      input={{ ...input, type: shown ? 'text' : 'password', autoCapitalize: shown ? 'none' : undefined, spellCheck: false }}
      button={
        <button className="field__toggle" type="button" aria-controls={field.id} onClick={() => setShown(!shown)}>
          {shown ? 'Masquer' : 'Afficher'}
          <span className="visually-hidden"> : {field.label}</span>
        </button>
      }
    />
  );
}
