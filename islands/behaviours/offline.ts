import { isOffline, withoutNetwork } from '../runtime/without-network.ts';
import { toast } from '../ui/toast.ts';
import { closest } from './closest.ts';

/**
 * Without network a link or a plain form gives up the page for the browser's own error. The first tap says so and keeps the page; a second one on the same
 * goes on, since a browser can be wrong about it.
 */
export function startOffline(): void {
  let told: EventTarget | null = null;
  const say = () => toast('warning', `${withoutNetwork} Cette page reste lisible, les autres attendent le réseau.`);
  const hold = (event: Event) => {
    if (!isOffline() || event.defaultPrevented) return;
    const way = event.type === 'submit' ? event.target : closest<HTMLAnchorElement>(event, 'a[href]');
    if (!way || way === told || (way instanceof HTMLAnchorElement && !leadsAway(way))) return;
    told = way;
    event.preventDefault();
    say();
  };
  addEventListener('click', hold);
  addEventListener('submit', hold);
  // A page of what is kept says it itself.
  addEventListener('offline', () => document.querySelector('[data-kept-state]') ?? say());
}

/** Not to a place of this page, a telephone number or an e-mail. */
const leadsAway = ({ protocol, href }: HTMLAnchorElement): boolean =>
  protocol.startsWith('http') && href.split('#')[0] !== location.href.split('#')[0];
