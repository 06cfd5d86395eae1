import { AccountFields } from '../forms/AccountFields.tsx';
import type { FieldErrors, Typed } from '../forms/form-fields.ts';
import { PasswordField } from '../ui/PasswordField.tsx';
import { RoleField } from './RoleField.tsx';

interface RegistrationFieldsProps {
  errors: FieldErrors;
  /** The first field with an error: a page that comes back begins there. */
  first: string | undefined;
  values: Typed;
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
      <AccountFields prefix="admin" errors={errors} first={first} values={values} password={password} />
      <RoleField error={errors.role} focused={first === 'role'} role={values.role ?? ''} />
    </>
  );
}
