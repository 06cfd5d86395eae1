import type { FieldError } from '../../src/shared/forms/field-errors.ts';
import { AccountFields } from '../forms/AccountFields.tsx';
import type { Typed } from '../forms/form-fields.ts';
import { SignInFields } from '../forms/SignInFields.tsx';
import { leaveFor, submitAsPage, useForm } from '../forms/use-form.ts';
import { isPastWorker } from '../runtime/past-worker.ts';
import { post } from '../runtime/post.ts';
import { Alert } from '../ui/Alert.tsx';
import { BusyButton } from '../ui/BusyButton.tsx';
import { eitherOf, faultsOf, fields, readAnswer } from './form-rules.ts';
import { type AuthView, views } from './view.ts';

export interface AuthFormProps {
  view: AuthView;
  /** Local path to open afterwards, or null for the dashboard. */
  suite: string | null;
  /** False if a registration starts no session. */
  signsIn: boolean;
  values: Typed;
  errors: FieldError[];
  message: string | null;
  allowedDomains: string[];
  /** Called after a registration that starts no session. */
  onRegistered?: (email: string) => void;
}

/** Sign-in or registration. Works as a plain form without script. With script, the page checks the server's rules before it sends. */
export function AuthForm({ view, suite, signsIn, values, errors, message, allowedDomains, onRegistered }: AuthFormProps) {
  const { action, button, busy } = views[view];
  const { bind, state, first, typed } = useForm({
    fields: fields[view],
    errors,
    message,
    faultsOf: (values) => faultsOf(view, values, allowedDomains),
    send: async (values) => {
      // The service worker must see each sign-in: until it knows the learner, it shows no prepas that another learner keeps on this device.
      if (signsIn && bind.ref.current && (await isPastWorker())) return submitAsPage(bind.ref.current);
      return readAnswer(view, await post(action, signsIn ? values : { ...values, connexion: false }));
    },
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
            email={typed.email ?? values.email ?? ''}
            allowedDomains={allowedDomains}
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
