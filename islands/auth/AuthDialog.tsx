import type { Ref } from 'react';
import type { Typed } from '../forms/form-fields.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { AuthForm, type AuthFormProps } from './AuthForm.tsx';
import { type AuthView, views } from './view.ts';

interface AuthDialogProps {
  ref?: Ref<HTMLDialogElement>;
  view: AuthView;
  /** The view open in the server's HTML. */
  openView: AuthView | null;
  reason?: string | null;
  form: Omit<AuthFormProps, 'view'>;
  /** A new key resets the form. */
  formKey?: number | undefined;
  /** Initial value of the e-mail field, after a registration. */
  email?: string | undefined;
}

const others = {
  connexion: { view: 'inscription', question: 'Pas encore de compte ?', link: "S'inscrire" },
  inscription: { view: 'connexion', question: 'Déjà un compte ?', link: 'Se connecter' },
} as const;

/** One of the forms in a dialog, with a link to the other one. */
export function AuthDialog({ ref, view, openView, reason, form, formKey, email }: AuthDialogProps) {
  const open = view === openView;
  const other = others[view];
  const suite = form.suite === null ? '' : `&suite=${encodeURIComponent(form.suite)}`;
  // The values and errors of a refused form belong to the submitted view.
  const values: Typed = email === undefined ? {} : { email };
  const returned = open && email === undefined ? {} : { values, errors: [], message: null };
  return (
    <Dialog ref={ref} id={`auth-${view}`} title={views[view].title} view={view} open={open} closeHref="/">
      {reason && <p className="auth__reason">{reason}</p>}
      <AuthForm key={formKey} {...form} {...returned} view={view} />
      <p className="auth__switch">
        {other.question}{' '}
        <a href={`/?${other.view}=1${suite}`} data-opens="auth" data-view={other.view}>
          {other.link}
        </a>
      </p>
    </Dialog>
  );
}
