import { isOffline } from '../../../runtime/without-network.ts';
import { keptAddress } from './address.ts';

/**
 * Lets links and forms to kept pages work without network. `behaviours/offline.ts` blocks all others, so that the learner is not taken from a
 * working page to one that cannot load.
 */
export function keepWays(): void {
  const pass = (event: Event) => {
    if (isOffline() && isKeptWay(event)) event.stopPropagation();
  };
  // behaviours/offline.ts listens on the window, which gets the event after the document.
  document.addEventListener('click', pass);
  document.addEventListener('submit', pass);
}

function isKeptWay(event: Event): boolean {
  const { target } = event;
  if (!(target instanceof Element)) return false;
  const address = event.type === 'submit' ? (target as HTMLFormElement).action : target.closest<HTMLAnchorElement>('a[href]')?.href;
  if (!address) return false;
  const url = new URL(address, location.href);
  if (url.origin !== location.origin) return false;
  // A search form's action has no words yet; the 'J'ai terminé' form posts to /termine.
  return (
    keptAddress(url) !== null ||
    url.pathname === '/user/recherche' ||
    url.pathname === '/user/hors-ligne' ||
    /\/termine$/.test(url.pathname)
  );
}
