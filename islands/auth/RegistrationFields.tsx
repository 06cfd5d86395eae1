import { Field } from '../ui/Field.tsx';
import { PasswordField } from '../ui/PasswordField.tsx';
import type { FieldErrors } from './form-rules.ts';
import { Requirements } from './Requirements.tsx';

interface RegistrationFieldsProps {
  errors: FieldErrors;
  values: { username: string; email: string };
  /** As typed so far, for the list of requirements. */
  password: string;
}

export function RegistrationFields({ errors, values, password }: RegistrationFieldsProps) {
  return (
    <>
      <Field
        id="inscription-username"
        label="Nom d'utilisateur"
        hint="3 à 30 caractères : lettres, chiffres et underscores"
        error={errors.username}
        input={{
          name: 'username',
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
        input={{ name: 'email', type: 'email', autoComplete: 'email', inputMode: 'email', defaultValue: values.email }}
      />
      <PasswordField
        id="inscription-password"
        label="Mot de passe"
        describedBy="inscription-password-requirements"
        error={errors.password}
        input={{ name: 'password', autoComplete: 'new-password' }}
      >
        <Requirements id="inscription-password-requirements" password={password} />
      </PasswordField>
      <PasswordField
        id="inscription-confirmPassword"
        label="Confirmation du mot de passe"
        error={errors.confirmPassword}
        input={{ name: 'confirmPassword', autoComplete: 'new-password' }}
      />
    </>
  );
}
