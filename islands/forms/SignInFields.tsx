import { Field } from '../ui/Field.tsx';
import { PasswordField } from '../ui/PasswordField.tsx';
import type { FieldErrors } from './form-fields.ts';

interface SignInFieldsProps {
  /** What the fields' ids begin with. */
  prefix: string;
  errors: FieldErrors;
  /** The first field with an error: a page that comes back begins there. */
  first: string | undefined;
  email: string;
}

/** E-mail and password of somebody who has an account. */
export function SignInFields({ prefix, errors, first, email }: SignInFieldsProps) {
  return (
    <>
      <Field
        id={`${prefix}-email`}
        label="Email"
        error={errors.email}
        input={{
          name: 'email',
          autoFocus: first === 'email',
          type: 'email',
          autoComplete: 'username',
          inputMode: 'email',
          defaultValue: email,
        }}
      />
      <PasswordField
        id={`${prefix}-password`}
        label="Mot de passe"
        error={errors.password}
        input={{ name: 'password', autoFocus: first === 'password', autoComplete: 'current-password' }}
      />
    </>
  );
}
