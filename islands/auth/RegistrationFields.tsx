import type { FieldErrors } from '../forms/form-fields.ts';
import { Requirements } from '../forms/Requirements.tsx';
import { Field } from '../ui/Field.tsx';
import { PasswordField } from '../ui/PasswordField.tsx';

interface RegistrationFieldsProps {
  errors: FieldErrors;
  /** The first field with an error: a page that comes back begins there. */
  first: string | undefined;
  values: { username: string; email: string };
  /** As typed so far, for the list of requirements. */
  password: string;
}

export function RegistrationFields({ errors, first, values, password }: RegistrationFieldsProps) {
  return (
    <>
      <Field
        id="inscription-username"
        label="Nom d'utilisateur"
        hint="3 à 30 caractères : lettres, chiffres et underscores"
        error={errors.username}
        input={{
          name: 'username',
          autoFocus: first === 'username',
          type: 'text',
          autoComplete: 'username',
          autoCapitalize: 'none',
          spellCheck: false,
          defaultValue: values.username,
        }}
      />
      <Field
        id="inscription-email"
        label="Email"
        error={errors.email}
        input={{
          name: 'email',
          autoFocus: first === 'email',
          type: 'email',
          autoComplete: 'email',
          inputMode: 'email',
          defaultValue: values.email,
        }}
      />
      <PasswordField
        id="inscription-password"
        label="Mot de passe"
        describedBy="inscription-password-requirements"
        error={errors.password}
        input={{ name: 'password', autoFocus: first === 'password', autoComplete: 'new-password' }}
      >
        <Requirements id="inscription-password-requirements" password={password} />
      </PasswordField>
      <PasswordField
        id="inscription-confirmPassword"
        label="Confirmation du mot de passe"
        error={errors.confirmPassword}
        input={{ name: 'confirmPassword', autoFocus: first === 'confirmPassword', autoComplete: 'new-password' }}
      />
    </>
  );
}
