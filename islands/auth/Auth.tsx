import { useRef, useState } from 'react';
import { leaveFor } from '../forms/use-form.ts';
import { type OpenRequest, useOpenRequest } from '../runtime/context.tsx';
import { openModal } from '../ui/modal.ts';
import { toast } from '../ui/toast.ts';
import { AuthDialog } from './AuthDialog.tsx';
import { AuthForm, type AuthFormProps } from './AuthForm.tsx';
import { type AuthView, views } from './view.ts';

export interface AuthProps extends Omit<AuthFormProps, 'view' | 'onRegistered'> {
  /** The view to show. `values`, `errors` and `message` belong to it. Null if both dialogs are closed. */
  view: AuthView | null;
  place: 'page' | 'dialog';
  /** Why a sign-in is required, after a link to a protected page. */
  reason: string | null;
  /** What the visitor comes for: the end of 'Connectez-vous pour …', in place of `reason`. */
  purpose: string | null;
}

/** Sign-in and registration: one form on its own page, or both as dialogs of the landing page. */
export default function Auth(props: AuthProps) {
  const request = useOpenRequest();
  if (props.place === 'dialog') return <AuthDialogs {...props} request={request} />;
  const { view, place: _place, reason: _reason, purpose, ...form } = props;
  const shown = view ?? 'connexion';
  return (
    <>
      {purpose && <p className="auth__reason">{views[shown].purpose(purpose)}</p>}
      <AuthForm {...form} view={shown} onRegistered={() => leaveFor('/login')} />
    </>
  );
}

function AuthDialogs({
  view: openView,
  place: _place,
  reason,
  purpose: ownPurpose,
  request,
  ...props
}: AuthProps & { request: OpenRequest | null }) {
  const signInDialog = useRef<HTMLDialogElement>(null);
  /** E-mail of the last account created here, the initial value of the sign-in. */
  const [account, setAccount] = useState<{ email: string; number: number }>();
  const suite = request?.suite ?? props.suite;
  const purpose = request?.purpose ?? (suite === props.suite ? ownPurpose : null);

  function registered(email: string): void {
    // A new key resets both forms: the registration is empty, the sign-in has the e-mail.
    setAccount({ email, number: (account?.number ?? 0) + 1 });
    if (signInDialog.current) openModal(signInDialog.current);
    toast('success', 'Inscription réussie !');
  }

  return (
    <>
      <AuthDialog
        ref={signInDialog}
        view="connexion"
        openView={openView}
        reason={purpose ? views.connexion.purpose(purpose) : reason}
        formKey={account?.number}
        email={account?.email}
        form={{ ...props, suite, signsIn: true }}
      />
      <AuthDialog
        view="inscription"
        openView={openView}
        reason={purpose && views.inscription.purpose(purpose)}
        formKey={account?.number}
        form={{ ...props, suite, signsIn: props.signsIn && request?.connexion !== 'non', onRegistered: registered }}
      />
    </>
  );
}
