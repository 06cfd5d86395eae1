import type { FieldError } from '../../src/shared/forms/field-errors.ts';
import { AccountFields } from '../forms/AccountFields.tsx';
import type { Typed } from '../forms/form-fields.ts';
import { SignInFields } from '../forms/SignInFields.tsx';
import { leaveFor, useForm } from '../forms/use-form.ts';
import { post } from '../runtime/post.ts';
import { Alert } from '../ui/Alert.tsx';
import { BusyButton } from '../ui/BusyButton.tsx';
import { eitherOf, faultsOf, fields, readAnswer } from './form-rules.ts';
import { type AuthView, views } from './view.ts';

export interface AuthFormProps {
  view: AuthView;
  /** Local path to go on to; null: the dashboard. */
  suite: string | null;
  /** False: an account is made, and nobody signed in. */
  signsIn: boolean;
  values: Typed;
  errors: FieldError[];
  message: string | null;
  allowedDomains: string[];
  /** After a registration that signs nobody in. */
  onRegistered?: (email: string) => void;
}

/** Sign-in or registration. Without script a plain form; with it the same rules at once and the same messages in place. */
export function AuthForm({ view, suite, signsIn, values, errors, message, allowedDomains, onRegistered }: AuthFormProps) {
  const { action, button, busy } = views[view];
  const { bind, state, first, typed } = useForm({
    fields: fields[view],
    errors,
    message,
    faultsOf: (values) => faultsOf(view, values, allowedDomains),
    send: async (values) => readAnswer(view, await post(action, signsIn ? values : { ...values, connexion: false })),
    accepted: ({ email = '' }) => (signsIn ? leaveFor(suite ?? '/user/dashboard') : onRegistered?.(email)),
  });

  return (
    <form className="auth__form form" method="post" action={action} noValidate {...bind}>
      {state.notice && <Alert notice={state.notice} role="alert" />}
      <input type="hidden" name="suite" value={suite ?? ''} suppressHydrationWarning />
      {view === 'connexion' ? (
        <SignInFields prefix="connexion" errors={state.errors} first={first} email={values.email ?? ''} />
      ) : (
        <>
          <input type="hidden" name="connexion" value={signsIn ? '' : 'non'} suppressHydrationWarning />
          <AccountFields
            prefix="inscription"
            errors={state.errors}
            first={first}
            values={values}
            password={typed.password ?? ''}
            emailHint={`Adresse ${eitherOf(allowedDomains)}`}
          />
        </>
      )}
      <BusyButton className="button button--block" label={button} busyLabel={busy} busy={state.busy} />
      {view === 'connexion' && (
        <p>
          <a href={`/mot-de-passe-oublie${suite === null ? '' : `?suite=${encodeURIComponent(suite)}`}`}>Mot de passe oublié ?</a>
        </p>
      )}
    </form>
  );
}
