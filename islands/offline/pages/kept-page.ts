import { formatDate } from '../../../src/shared/dates.ts';
import { isOffline } from '../../runtime/without-network.ts';
import { sayMark } from '../../study/say-mark.ts';
import { arrival, isWhole, readableCopies } from '../access.ts';
import { type Contacted, keepInContact } from '../contact.ts';
import { missingFiles } from '../kept-files.ts';
import { note } from '../outbox.ts';
import { onChange } from '../store/changes.ts';
import { shellPath } from '../store/files.ts';
import { type Copy, openStore, type Store } from '../store/store.ts';
import { itemsAmong } from '../waiting.ts';
import { asAsked, isByNetwork, type KeptAddress, keptAddress, throughNetwork } from './address.ts';
import { type KeptPrepa, readPrepa } from './kept-prepa.ts';
import { presentOffline } from './offline-page.ts';
import { type KeptPage, presentKept } from './present.ts';
import { openScreen, type Screen } from './screen.ts';
import { factsOf } from './state.ts';
import { keepWays } from './ways.ts';

const studyIsland = '<div data-island="study"></div>';

/**
 * `data-behaviour="kept-page"`: shows what this device keeps of the page that its address names, at once, and what has changed since then when the server has
 * said it. What is not kept comes from the network, or the page says in a sentence that it needs it.
 */
export async function start(element: HTMLElement): Promise<void> {
  const screen = openScreen(element.closest('main') as HTMLElement);
  const url = new URL(location.href);
  if (url.pathname === shellPath) return location.replace('/user/hors-ligne');
  let store: Store | null = null;
  let reason: string | null = null;
  try {
    store = await openStore();
    const address = isByNetwork(url) ? null : keptAddress(url);
    const shown = address && (await open(store, address));
    if (shown && 'elsewhere' in shown) return location.replace(shown.elsewhere);
    if (shown && 'page' in shown) return await live(screen, store, shown);
    if (address && address.page !== 'again' && !isOffline()) return location.replace(throughNetwork(url));
    reason = url.pathname === '/user/hors-ligne' ? 'Voici ce que cet appareil garde pour être lu sans réseau.' : (shown?.reason ?? null);
  } catch (error) {
    console.error('kept page', error);
    if (!isByNetwork(url) && !isOffline()) return location.replace(throughNetwork(url));
    reason = 'Ce navigateur ne peut pas ouvrir ce qui est gardé sur cet appareil : cette page a besoin du réseau.';
  }
  await screen.show(await presentOffline(store, asAsked(url), reason).catch(() => presentOffline(null, asAsked(url), reason)));
}

interface Opened {
  address: KeptAddress;
  page: KeptPage;
  /** Those that the page shows something of. */
  prepas: KeptPrepa[];
}

type Opening = Opened | { elsewhere: string } | { reason: string | null };

/** What is shown at an address; of what is not, why. */
async function open(store: Store, address: KeptAddress): Promise<Opening> {
  // Another learner, who may have signed in, is told nothing of it.
  const kept = address.page === 'again' || (await arrival()) ? null : await store.copy(address.prepa);
  const copies = (await readableCopies()).filter(isWhole);
  // Others count for the list 'à revoir' alone.
  const needed = address.page === 'again' || address.page === 'disciplines' ? copies : copies.filter(({ id }) => id === address.prepa);
  const prepas = await Promise.all(needed.map((copy) => readPrepa(store, copy)));
  const page = presentKept(address, prepas, studyIsland);
  if (page && 'elsewhere' in page) return page;
  if (page) return { address, page, prepas: address.page === 'again' ? prepas : prepas.filter(({ copy }) => copy.id === address.prepa) };
  return { reason: kept && !copies.some(({ id }) => id === kept.id) ? reasonOf(kept, await store.now()) : null };
}

function reasonOf({ nom, endAt, complete }: Copy, now: number): string {
  if (now > endAt) return `Votre accès à ${nom} a pris fin le ${formatDate(new Date(endAt))} : la copie a été retirée de cet appareil.`;
  return complete
    ? `La copie de ${nom} ne peut plus être lue sur cet appareil : elle sera gardée à nouveau avec le réseau.`
    : `La copie de ${nom} n'est pas encore complète sur cet appareil : il faut le réseau pour la terminer.`;
}

/** Shows a page, and keeps it and what it says of itself up to date. */
async function live(screen: Screen, store: Store, opened: Opened): Promise<void> {
  let shown = opened;
  let newer: Opened | null = null;
  let signIn: Contacted['signIn'] = [];
  let isLeaving = false;

  async function say(): Promise<void> {
    const copies = shown.prepas.map(({ copy }) => copy);
    const [entries, now, missing] = await Promise.all([store.entries(), store.now(), missingFiles(copies.map(({ id }) => id))]);
    const waiting = itemsAmong(entries.filter(({ prepa }) => copies.some(({ id }) => id === prepa)));
    const suite = encodeURIComponent(asAsked(new URL(location.href)));
    const isSignedOut = copies.some(({ id }) => signIn.includes(id));
    screen.say({
      facts: factsOf({ copies, page: shown.address.page, isOffline: isOffline(), waiting, missing, now }),
      action: isSignedOut ? { href: `/login?suite=${suite}`, text: 'Reconnectez-vous pour prolonger cette copie' } : null,
      newer: newer !== null,
    });
  }

  async function show(next: Opened): Promise<void> {
    shown = next;
    newer = null;
    await screen.show(next.page);
    await say();
  }

  /** Looks again at what is kept. What somebody reads or writes in is not changed under their hands. */
  async function renew(): Promise<void> {
    const address = keptAddress(new URL(location.href));
    const now = address && (await open(store, address));
    // It has ended, or was removed: the page says why, or the server does. A sign-out that removes it is on its way to its own answer, which a reload would cut off.
    if (!now || !('page' in now)) return isLeaving ? undefined : location.reload();
    const isChanged = fingerprint(now) !== fingerprint(shown, address);
    const isQuiet = ['disciplines', 'outcome', 'again'].includes(now.address.page) && !screen.isUsed();
    if (isChanged && isQuiet) return show(now);
    newer = isChanged ? now : null;
    if (!isChanged) shown = { ...shown, prepas: now.prepas };
    await say();
  }

  screen.onShowNewer(() => {
    if (newer) show(newer).then(() => screen.focus(), fail);
  });
  keepWays();
  await show(opened);
  screen.findPlace();
  await noteOpened(opened);
  await say();
  keepInContact((contacted) => {
    signIn = contacted.signIn;
    renew().catch(fail);
  });
  addEventListener('submit', ({ target, defaultPrevented }) => {
    isLeaving = !defaultPrevented && (target as HTMLFormElement).action.endsWith('/logout');
  });
  for (const event of ['online', 'offline']) addEventListener(event, () => say().catch(fail));
  addEventListener('pageshow', ({ persisted }) => {
    isLeaving = false;
    if (persisted) renew().catch(fail);
  });
  // In another tab everything may have been removed.
  onChange(({ data }) => (data === 'entries' ? say() : renew()).catch(fail));
  // What is done here waits to be sent; it may also have ended meanwhile.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') renew().catch(fail);
  });
}

/** Two pages with the same show the same; of the study page, where other items may be read in place, by the one that is read now. */
function fingerprint({ page, prepas, address: own }: Opened, address: KeptAddress = own): string {
  if (!page.study) return JSON.stringify(page.locals);
  const item = address.page === 'study' && (address.item?.id ?? page.opened?.item);
  return JSON.stringify([page.study.props.sections, item && prepas[0]?.items.get(item)?.version]);
}

/** What the address asks for the worker has noted. Shown unasked, an item is opened too, but is none that one is brought back to. */
async function noteOpened({ page: { opened }, prepas }: Opened): Promise<void> {
  if (!opened || opened.asked || prepas[0]?.marks.has(opened.item)) return;
  const { item } = opened;
  await note('lu', item).catch(() => sayMark(`/api/items/${item}/lu`));
}

const fail = (error: unknown) => console.error('kept page', error);
