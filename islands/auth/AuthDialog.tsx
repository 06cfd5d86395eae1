import type { Ref } from 'react';
import type { Typed } from '../forms/form-fields.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { AuthForm, type AuthFormProps } from './AuthForm.tsx';
import { type AuthView, views } from './view.ts';

interface AuthDialogProps {
  ref?: Ref<HTMLDialogElement>;
  view: AuthView;
  /** The view that is open in the server's HTML. */
  openView: AuthView | null;
  reason?: string | null;
  form: Omit<AuthFormProps, 'view'>;
  /** Another key empties the form. */
  formKey?: number | undefined;
  /** What its e-mail begins with, after a registration. */
  email?: string | undefined;
}

const others = {
  connexion: { view: 'inscription', question: 'Pas encore de compte ?', link: "S'inscrire" },
  inscription: { view: 'connexion', question: 'Déjà un compte ?', link: 'Se connecter' },
} as const;

/** One form in its dialog, with the way to the other one. */
export function AuthDialog({ ref, view, openView, reason, form, formKey, email }: AuthDialogProps) {
  const open = view === openView;
  const other = others[view];
  const suite = form.suite === null ? '' : `&suite=${encodeURIComponent(form.suite)}`;
  // What a refused form brought back belongs to the view that was sent.
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
