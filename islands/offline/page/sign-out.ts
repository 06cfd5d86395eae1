import { copies } from '../both/store/copies.ts';

/** Asks before a sign-out that deletes prepas kept on this device, then sends the form. */
export async function confirmSignOut(form: HTMLFormElement): Promise<void> {
  const names = (await copies().catch(() => [])).map(({ nom }) => nom);
  const kept = new Intl.ListFormat('fr').format(names);
  if (names.length === 0 || confirm(`Votre téléphone garde ${kept} hors ligne. Vous déconnecter l'efface.`)) form.submit();
}
