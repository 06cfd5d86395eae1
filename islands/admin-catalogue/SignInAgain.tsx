/** The session has ended while something was typed: it waits here. */
export function SignInAgain() {
  return (
    <p className="workbench__signin">
      <a className="button button--secondary" href="/admin/connexion" target="_blank" rel="noopener">
        Se reconnecter dans un nouvel onglet
      </a>{' '}
      Revenez ensuite ici et enregistrez de nouveau.
    </p>
  );
}
