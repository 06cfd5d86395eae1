import { isOffline } from '../../runtime/without-network.ts';
import { keptAddress } from './address.ts';

/**
 * `behaviours/offline.ts` keeps a page without network from being left for one that waits for it. What is kept does not: its links and forms go their way.
 */
export function keepWays(): void {
  const pass = (event: Event) => {
    if (isOffline() && isKeptWay(event)) event.stopPropagation();
  };
  // Before the window, where it listens.
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
  // Of a search the words are not in the form's address yet; 'J'ai terminé' posts.
  return (
    keptAddress(url) !== null ||
    url.pathname === '/user/recherche' ||
    url.pathname === '/user/hors-ligne' ||
    /\/termine$/.test(url.pathname)
  );
}
