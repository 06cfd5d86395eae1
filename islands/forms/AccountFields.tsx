import { suggestEmail } from '../../src/shared/forms/mail-domain.ts';
import { Field } from '../ui/Field.tsx';
import { PasswordField } from '../ui/PasswordField.tsx';
import { bindField, type FieldBinding } from './field-binding.ts';
import type { Typed } from './form-fields.ts';
import { MailSuggestion } from './MailSuggestion.tsx';
import { Requirements } from './Requirements.tsx';

interface AccountFieldsProps extends FieldBinding {
  values: Typed;
  /** The password typed so far, for the list of requirements. */
  password: string;
  emailHint?: string;
  /** The e-mail address typed so far. */
  email: string;
  /** Domains with which an account can be registered; null: any. */
  allowedDomains: readonly string[] | null;
}

export function AccountFields({ values, password, email, allowedDomains, emailHint, ...form }: AccountFieldsProps) {
  const bind = bindField(form);
  const typing = !form.errors.email;
  const meant = suggestEmail(email, allowedDomains ? { typing, allowed: allowedDomains } : { typing });
  const requirementsId = `${form.prefix}-password-requirements`;
  return (
    <>
      <Field
        label="Nom d'utilisateur"
        hint="3 à 30 caractères : lettres, chiffres et underscores"
        {...bind('username', {
          type: 'text',
          autoComplete: 'username',
          autoCapitalize: 'none',
          spellCheck: false,
          defaultValue: values.username ?? '',
        })}
      />
      <Field
        label="Email"
        {...(emailHint && { hint: emailHint })}
        {...bind('email', { type: 'email', autoComplete: 'email', inputMode: 'email', defaultValue: values.email ?? '' })}
      >
        <MailSuggestion field={`${form.prefix}-email`} meant={meant} />
      </Field>
      <PasswordField label="Mot de passe" describedBy={requirementsId} {...bind('password', { autoComplete: 'new-password' })}>
        <Requirements id={requirementsId} password={password} />
      </PasswordField>
      <PasswordField label="Confirmation du mot de passe" {...bind('confirmPassword', { autoComplete: 'new-password' })} />
    </>
  );
}
