import type { ReactNode } from 'react';

/** The session has ended while a dialog was open: it waits here. `children` says what to do then. */
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
