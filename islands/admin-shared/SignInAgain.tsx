import type { ReactNode } from 'react';

/** Shown in a dialog when the session has ended: the dialog stays open. `children` says what to do after the sign-in. */
export function SignInAgain({ children }: { children: ReactNode }) {
  return (
    <p className="workbench__signin">
      <a className="button button--secondary" href="/admin/connexion" target="_blank" rel="noopener">
        Se reconnecter dans un nouvel onglet
      </a>{' '}
      {children}
    </p>
  );
}
