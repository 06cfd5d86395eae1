import { Field } from '../ui/Field.tsx';
import { PasswordField } from '../ui/PasswordField.tsx';
import type { FieldErrors, Typed } from './form-fields.ts';
import { Requirements } from './Requirements.tsx';

interface AccountFieldsProps {
  /** What the fields' ids begin with. */
  prefix: string;
  errors: FieldErrors;
  /** The first field with an error: a page that comes back begins there. */
  first: string | undefined;
  values: Typed;
  /** As typed so far, for the list of requirements. */
  password: string;
}

/** Name, e-mail and password of a new account. */
export function AccountFields({ prefix, errors, first, values, password }: AccountFieldsProps) {
  return (
    <>
      <Field
        id={`${prefix}-username`}
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
          defaultValue: values.username ?? '',
        }}
      />
      <Field
        id={`${prefix}-email`}
        label="Email"
        error={errors.email}
        input={{
          name: 'email',
          autoFocus: first === 'email',
          type: 'email',
          autoComplete: 'email',
          inputMode: 'email',
          defaultValue: values.email ?? '',
        }}
      />
      <PasswordField
        id={`${prefix}-password`}
        label="Mot de passe"
        describedBy={`${prefix}-password-requirements`}
        error={errors.password}
        input={{ name: 'password', autoFocus: first === 'password', autoComplete: 'new-password' }}
      >
        <Requirements id={`${prefix}-password-requirements`} password={password} />
      </PasswordField>
      <PasswordField
        id={`${prefix}-confirmPassword`}
        label="Confirmation du mot de passe"
        error={errors.confirmPassword}
        input={{ name: 'confirmPassword', autoFocus: first === 'confirmPassword', autoComplete: 'new-password' }}
      />
    </>
  );
}
