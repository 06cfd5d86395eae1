import type { FieldErrors } from '../forms/form-fields.ts';
import { Requirements } from '../forms/Requirements.tsx';
import { Field } from '../ui/Field.tsx';
import { PasswordField } from '../ui/PasswordField.tsx';
import { RoleField } from './RoleField.tsx';

interface RegistrationFieldsProps {
  errors: FieldErrors;
  /** The first field with an error: a page that comes back begins there. */
  first: string | undefined;
  values: { username: string; email: string; role: string };
  /** As typed so far, for the list of requirements. */
  password: string;
}

/** The keys first: without them nothing else is of use. */
export function RegistrationFields({ errors, first, values, password }: RegistrationFieldsProps) {
  return (
    <>
      {([1, 2] as const).map((number) => (
        <PasswordField
          key={number}
          id={`admin-key-${number}`}
          label={`Clé d'administration ${number}`}
          error={errors[`adminKey${number}`]}
          input={{ name: `adminKey${number}`, autoFocus: first === `adminKey${number}`, autoComplete: 'off' }}
        />
      ))}
      <Field
        id="admin-username"
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
        id="admin-email"
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
        id="admin-password"
        label="Mot de passe"
        describedBy="admin-password-requirements"
        error={errors.password}
        input={{ name: 'password', autoFocus: first === 'password', autoComplete: 'new-password' }}
      >
        <Requirements id="admin-password-requirements" password={password} />
      </PasswordField>
      <PasswordField
        id="admin-confirmPassword"
        label="Confirmation du mot de passe"
        error={errors.confirmPassword}
        input={{ name: 'confirmPassword', autoFocus: first === 'confirmPassword', autoComplete: 'new-password' }}
      />
      <RoleField error={errors.role} focused={first === 'role'} role={values.role} />
    </>
  );
}
