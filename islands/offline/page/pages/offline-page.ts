import { prepaHref, studyHref } from '../../../../src/shared/study/place.ts';
import { isWhole, readableCopies } from '../../both/access.ts';
import type { Store } from '../store/store.ts';
import type { KeptPage } from './present.ts';

/**
 * Returns the page shown instead of a page that needs the network: the reason, and the kept prepas that can be read.
 * @param store null when the browser refuses storage
 * @param retry path of the page that needs the network
 */
export async function presentOffline(store: Store | null, retry: string, reason: string | null): Promise<KeptPage> {
  const title = 'Vous êtes hors connexion';
  const copies = store ? (await readableCopies()).filter(isWhole) : [];
  const prepas = await Promise.all(
    copies.map(async ({ id, nom }) => ({
      nom,
      href: prepaHref(id),
      disciplines: ((await store?.disciplinesOf(id)) ?? []).map((discipline) => ({
        nom: discipline.nom,
        href: studyHref(id, discipline.id),
      })),
    })),
  );
  return { view: '/offline/offline', title, locals: { title, reason, retry, prepas } };
}
