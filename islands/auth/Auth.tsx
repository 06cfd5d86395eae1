import { useRef, useState } from 'react';
import type { FieldError } from '../../src/shared/forms/field-errors.ts';
import type { Typed } from '../forms/form-fields.ts';
import { type OpenRequest, useOpenRequest } from '../runtime/context.tsx';
import { toast } from '../ui/toast.ts';
import { AuthDialog } from './AuthDialog.tsx';
import { AuthForm } from './AuthForm.tsx';
import type { AuthView } from './view.ts';

export interface AuthProps {
  /** The form that the page shows, or null while both dialogs are closed. */
  view: AuthView | null;
  place: 'page' | 'dialog';
  /** Local path to return to. */
  suite: string | null;
  /** Of the form in `view`: what was typed and what was wrong with it. */
  values: Typed;
  errors: FieldError[];
  message: string | null;
  allowedDomains: string[];
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
