import { useRef, useState } from 'react';
import { type OpenRequest, useOpenRequest } from '../runtime/context.tsx';
import { toast } from '../ui/toast.ts';
import { AuthDialog } from './AuthDialog.tsx';
import { AuthForm, type AuthFormProps } from './AuthForm.tsx';
import type { AuthView } from './view.ts';

export interface AuthProps extends Omit<AuthFormProps, 'view' | 'signsIn' | 'onRegistered'> {
  /** The form that the page shows, what was typed in it and what was wrong; null while both dialogs are closed. */
  view: AuthView | null;
  place: 'page' | 'dialog';
}

/** Sign-in and registration: one form on a page of its own, or both as dialogs of the landing page. */
export default function Auth(props: AuthProps) {
  const request = useOpenRequest();
  if (props.place === 'dialog') return <AuthDialogs {...props} request={request} />;
  const { view, place: _place, ...form } = props;
  return <AuthForm {...form} view={view ?? 'connexion'} signsIn />;
}

function AuthDialogs({ view: openView, place: _place, request, ...props }: AuthProps & { request: OpenRequest | null }) {
  const registrationDialog = useRef<HTMLDialogElement>(null);
  const [registrations, setRegistrations] = useState(0);
  const suite = request?.suite ?? props.suite;

  function registered(): void {
    registrationDialog.current?.close();
    toast('success', 'Inscription réussie !');
    // A form of another key is an empty one.
    setRegistrations(registrations + 1);
  }

  return (
    <>
      <AuthDialog view="connexion" openView={openView} form={{ ...props, suite, signsIn: true }} />
      <AuthDialog
        ref={registrationDialog}
        view="inscription"
        openView={openView}
        formKey={registrations}
        form={{ ...props, suite, signsIn: request?.connexion !== 'non', onRegistered: registered }}
      />
    </>
  );
}
