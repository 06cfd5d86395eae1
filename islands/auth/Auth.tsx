import { useRef, useState } from 'react';
import { type OpenRequest, useOpenRequest } from '../runtime/context.tsx';
import { openModal } from '../ui/modal.ts';
import { toast } from '../ui/toast.ts';
import { AuthDialog } from './AuthDialog.tsx';
import { AuthForm, type AuthFormProps } from './AuthForm.tsx';
import type { AuthView } from './view.ts';

export interface AuthProps extends Omit<AuthFormProps, 'view' | 'signsIn' | 'onRegistered'> {
  /** The form that the page shows, what was typed in it and what was wrong; null while both dialogs are closed. */
  view: AuthView | null;
  place: 'page' | 'dialog';
  /** Why somebody who followed a guarded address has to sign in. */
  reason: string | null;
}

/** Sign-in and registration: one form on a page of its own, or both as dialogs of the landing page. */
export default function Auth(props: AuthProps) {
  const request = useOpenRequest();
  if (props.place === 'dialog') return <AuthDialogs {...props} request={request} />;
  const { view, place: _place, reason: _reason, ...form } = props;
  return <AuthForm {...form} view={view ?? 'connexion'} signsIn />;
}

function AuthDialogs({ view: openView, place: _place, reason, request, ...props }: AuthProps & { request: OpenRequest | null }) {
  const signInDialog = useRef<HTMLDialogElement>(null);
  /** The e-mail of the account that was made last: the sign-in begins with it. */
  const [account, setAccount] = useState<{ email: string; number: number }>();
  const suite = request?.suite ?? props.suite;

  function registered(email: string): void {
    // Forms of another key: the registration is empty again, the sign-in filled in.
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
        reason={reason}
        formKey={account?.number}
        email={account?.email}
        form={{ ...props, suite, signsIn: true }}
      />
      <AuthDialog
        view="inscription"
        openView={openView}
        formKey={account?.number}
        form={{ ...props, suite, signsIn: request?.connexion !== 'non', onRegistered: registered }}
      />
    </>
  );
}
