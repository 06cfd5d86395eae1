import { copies } from '../both/store/copies.ts';

/** Returns whether the learner signs out, after asking when that deletes prepas kept on this device. */
export async function confirmSignOut(): Promise<boolean> {
  const names = (await copies().catch(() => [])).map(({ nom }) => nom);
  const kept = new Intl.ListFormat('fr').format(names);
  return names.length === 0 || confirm(`Votre téléphone garde ${kept} hors ligne. Vous déconnecter l'efface.`);
}
