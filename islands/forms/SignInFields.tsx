import { Field } from '../ui/Field.tsx';
import { PasswordField } from '../ui/PasswordField.tsx';
import { bindField, type FieldBinding } from './field-binding.ts';

export function SignInFields({ email, ...form }: FieldBinding & { email: string }) {
  const bind = bindField(form);
  return (
    <>
      <Field label="Email" {...bind('email', { type: 'email', autoComplete: 'username', inputMode: 'email', defaultValue: email })} />
      <PasswordField label="Mot de passe" {...bind('password', { autoComplete: 'current-password' })} />
    </>
  );
}
