import { isOffline, withoutNetwork } from '../runtime/without-network.ts';
import { toast } from '../ui/toast.ts';
import { closest } from './closest.ts';

/**
 * Offline, following a link or sending a plain form would replace the page by the browser's error page. The first tap shows a warning and
 * stays on the page; a second tap on the same element is not prevented, because the browser's network state can be wrong. A learner's
 * sign-out that would delete kept prepas is confirmed first (docs/offline.md).
 */
export function startOffline(): void {
  let told: EventTarget | null = null;
  let confirmed = false;
  const say = (what = 'Cette page reste lisible, les autres attendent le réseau.') => toast('warning', `${withoutNetwork} ${what}`);
  const hold = (event: Event) => {
    if (event.defaultPrevented) return;
    const way = event.type === 'submit' ? event.target : closest<HTMLAnchorElement>(event, 'a[href]');
    const isSignOut = way instanceof HTMLFormElement && way.action.endsWith('/users/logout');
    // Only a device that keeps prepas has a service worker. It also handles a sign-out without network.
    if (isSignOut && navigator.serviceWorker?.controller) {
      if (confirmed) return;
      event.preventDefault();
      import('../offline/page/sign-out.ts')
        .then(
          ({ confirmSignOut }) => confirmSignOut(),
          // Without network the script may be absent, and with it the names.
          () => confirm("Votre téléphone garde une préparation hors ligne. Vous déconnecter l'efface."),
        )
        .then((isSure) => {
          confirmed = isSure;
          // Unlike submit(), this sends the event from which a kept page learns that the page is left.
          if (isSure) way.requestSubmit();
        });
      return;
    }
    if (!isOffline()) return;
    if (!way || way === told || (way instanceof HTMLAnchorElement && !leadsAway(way))) return;
    told = way;
    event.preventDefault();
    say(isSignOut ? 'Vous restez connecté : la déconnexion attend le réseau.' : undefined);
  };
  addEventListener('click', hold);
  addEventListener('submit', hold);
  // Pages of the offline copy show the network state themselves.
  addEventListener('offline', () => document.querySelector('[data-kept-state]') ?? say());
}

/** Returns whether a link leads to another page, not to an anchor, a phone number or an e-mail address. */
const leadsAway = ({ protocol, href }: HTMLAnchorElement): boolean =>
  protocol.startsWith('http') && href.split('#')[0] !== location.href.split('#')[0];
