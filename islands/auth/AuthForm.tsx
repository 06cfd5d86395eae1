import { type FormEvent, useReducer, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { FieldError } from '../../src/shared/forms/field-errors.ts';
import { post } from '../runtime/post.ts';
import { Alert } from '../ui/Alert.tsx';
import { BusyButton } from '../ui/BusyButton.tsx';
import { toast } from '../ui/toast.ts';
import { byField, faultsOf, firstFault, readForm } from './form-rules.ts';
import { initialForm, readAnswer, reduceForm } from './form-state.ts';
import { RegistrationFields } from './RegistrationFields.tsx';
import { SignInFields } from './SignInFields.tsx';
import { type AuthView, views } from './view.ts';

export interface AuthFormProps {
  view: AuthView;
  /** Local path to go on to; null: the dashboard. */
  suite: string | null;
  /** False: an account is made, and nobody signed in. */
  signsIn: boolean;
  values: { username: string; email: string };
  errors: FieldError[];
  message: string | null;
  allowedDomains: string[];
  /** After a registration that signs nobody in. */
  onRegistered?: () => void;
}

/** Sign-in or registration. Without script a plain form; with it the same rules at once and the same messages in place. */
export function AuthForm({ view, suite, signsIn, values, errors, message, allowedDomains, onRegistered }: AuthFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [state, dispatch] = useReducer(reduceForm, null, () => initialForm(byField(view, errors), message));
  const [password, setPassword] = useState('');
  const { action, button, busy } = views[view];
  const first = firstFault(view, state.errors);

  function show(event: Parameters<typeof reduceForm>[1]): void {
    flushSync(() => dispatch(event));
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (state.busy) return;
    const typed = readForm(event.currentTarget, view);
    const faults = faultsOf(view, typed, allowedDomains);
    if (Object.keys(faults).length > 0) return show({ type: 'refused', errors: faults, notice: null });

    dispatch({ type: 'sent' });
    const outcome = readAnswer(view, await post(action, signsIn ? typed : { ...typed, connexion: false }));
    if (outcome.kind === 'refused') {
      if (outcome.toast) toast('error', outcome.toast);
      return show({ type: 'refused', errors: outcome.errors, notice: outcome.notice });
    }
    if (!signsIn) return onRegistered?.();
    // The success toast waits on the next page. Back from there, this page would still show a visitor.
    addEventListener('pageshow', () => location.reload(), { once: true });
    location.assign(suite ?? '/user/dashboard');
  }

  function edit(event: FormEvent<HTMLFormElement>): void {
    const { name } = event.target as HTMLInputElement;
    const typed = readForm(event.currentTarget, view);
    setPassword(typed.password ?? '');
    if (state.submitted) dispatch({ type: 'edited', field: name, faults: faultsOf(view, typed, allowedDomains) });
  }

  return (
    <form ref={form} className="auth__form form" method="post" action={action} noValidate onSubmit={submit} onInput={edit}>
      {state.notice && <Alert notice={state.notice} role="alert" />}
      <input type="hidden" name="suite" value={suite ?? ''} suppressHydrationWarning />
      {view === 'connexion' ? (
        <SignInFields errors={state.errors} first={first} email={values.email} />
      ) : (
        <>
          <input type="hidden" name="connexion" value={signsIn ? '' : 'non'} suppressHydrationWarning />
          <RegistrationFields errors={state.errors} first={first} values={values} password={password} />
        </>
      )}
      <BusyButton block label={button} busyLabel={busy} busy={state.busy} />
    </form>
  );
}
