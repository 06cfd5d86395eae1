import type { FieldErrors } from '../forms/form-fields.ts';
import { Field } from '../ui/Field.tsx';
import { PasswordField } from '../ui/PasswordField.tsx';

export function SignInFields({ errors, first, email }: { errors: FieldErrors; first: string | undefined; email: string }) {
  return (
    <>
      <Field
        id="connexion-email"
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
        id="connexion-password"
        label="Mot de passe"
        error={errors.password}
        input={{ name: 'password', autoFocus: first === 'password', autoComplete: 'current-password' }}
      />
    </>
  );
}
