import { formatDate } from '../../../../src/shared/dates.ts';
import { isOffline } from '../../../runtime/without-network.ts';
import { applyAppearance } from '../../../study/appearance.ts';
import { sayMark } from '../../../study/say-mark.ts';
import { arrival, isWhole, readableCopies } from '../../both/access.ts';
import { note } from '../../both/outbox.ts';
import { onChange } from '../../both/store/changes.ts';
import { shellPath } from '../../both/store/files.ts';
import { type Contacted, keepInContact } from '../contact.ts';
import { missingFiles } from '../kept-files.ts';
import { currentSession, sessionsOf } from '../session/current.ts';
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
 * `data-behaviour="kept-page"`: shows the page that the URL names from the kept copy, and newer content after a contact with the server.
 * A page that is not kept is loaded from the network; without network a sentence says that the page needs it.
 */
export async function start(element: HTMLElement): Promise<void> {
  applyAppearance();
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
    if (address && address.page !== 'learner' && !isOffline()) return location.replace(throughNetwork(url));
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
  /** The prepas that the page shows. */
  prepas: KeptPrepa[];
}

type Opening = Opened | { elsewhere: string } | { reason: string | null };

/** Returns the page of a URL, a redirect, or the reason why the page cannot be shown. */
async function open(store: Store, address: KeptAddress): Promise<Opening> {
  if (address.page === 'session') return openSession(store, address);
  // While a sign-in is unconfirmed, another learner must not learn which prepas are kept.
  const kept = address.page === 'learner' || (await arrival()) ? null : await store.copy(address.prepa);
  const copies = (await readableCopies()).filter(isWhole);
  // Pages over all prepas, and the links to them from a prepa's page, need all copies; other pages need one.
  const needed = address.page === 'learner' || address.page === 'disciplines' ? copies : copies.filter(({ id }) => id === address.prepa);
  const prepas = await Promise.all(needed.map((copy) => readPrepa(store, copy)));
  const page = presentKept(address, prepas, studyIsland, await store.now());
  if (page && 'elsewhere' in page) return page;
  if (page) return { address, page, prepas: address.page === 'learner' ? prepas : prepas.filter(({ copy }) => copy.id === address.prepa) };
  return { reason: kept && !copies.some(({ id }) => id === kept.id) ? reasonOf(kept, await store.now()) : null };
}

/** Returns the page of the session of the day, of the named session's or prepa's copy, else of the first one with questions. */
async function openSession(store: Store, address: Extract<KeptAddress, { page: 'session' }>): Promise<Opening> {
  const asking = (await readableCopies()).filter((copy) => isWhole(copy) && copy.revision);
  const now = new Date(await store.now());
  const copy =
    asking.find((one) => sessionsOf(one).some(({ id }) => id === address.id)) ??
    asking.find(({ id }) => id === address.prepa) ??
    asking.find((one) => currentSession(one, now)?.finishedAt === null) ??
    asking[0];
  if (!copy)
    return { reason: 'La séance du jour se fait sans réseau avec une préparation gardée sur cet appareil, qui pose des questions.' };
  const { isSessionDone, presentSessionPage } = await import('../session/session-pages.ts');
  let prepa = await readPrepa(store, copy);
  const current = currentSession(copy, now);
  // The exercise was marked on its own page.
  if (current && isSessionDone(prepa, now)) {
    await (await import('../session/acts.ts')).endSession(current.id, { fin: true });
    prepa = await readPrepa(store, (await store.copy(copy.id)) ?? copy);
  }
  const waiting = (await store.entries()).filter((entry) => entry.prepa === copy.id);
  const others = asking.filter((one) => one !== copy);
  return { address, page: presentSessionPage(prepa, others, waiting, now), prepas: [prepa] };
}

function reasonOf({ nom, endAt, complete }: Copy, now: number): string {
  if (now > endAt) return `Votre accès à ${nom} a pris fin le ${formatDate(new Date(endAt))} : la copie a été retirée de cet appareil.`;
  return complete
    ? `La copie de ${nom} ne peut plus être lue sur cet appareil : elle sera gardée à nouveau avec le réseau.`
    : `La copie de ${nom} n'est pas encore complète sur cet appareil : il faut le réseau pour la terminer.`;
}

/** Shows a page, and updates it and its state line. */
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

  /** Reads the copy again. A page in which the learner reads or types is not replaced; the state line offers the newer one. */
  async function renew(): Promise<void> {
    const address = keptAddress(new URL(location.href));
    const now = address && (await open(store, address));
    // The copy has ended or was removed: the reloaded page explains why.
    // During a sign-out there is no reload, which would cancel the sign-out's request.
    if (!now || !('page' in now)) return isLeaving ? undefined : location.reload();
    const isChanged = fingerprint(now) !== fingerprint(shown, address);
    const isQuiet = ['disciplines', 'outcome', 'learner'].includes(now.address.page) && !screen.isUsed();
    if (isChanged && isQuiet) return show(now);
    newer = isChanged ? now : null;
    if (!isChanged) shown = { ...shown, prepas: now.prepas };
    await say();
  }

  screen.onShowNewer(() => {
    // The scripts of a session begin with its page.
    if (newer?.page.mark) return location.reload();
    if (newer) show(newer).then(() => screen.focus(), fail);
  });
  screen.judgeAnswers(() => say().catch(fail));
  screen.actOnSessions(fail);
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
  // Another tab may have removed everything.
  onChange(({ data }) => (data === 'entries' ? say() : renew()).catch(fail));
  // While the page was hidden, entries may have been added or the copy may have ended.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') renew().catch(fail);
  });
}

/** Returns a string that is equal for pages with equal content. The study page is compared by the item that the learner reads now. */
function fingerprint({ page, prepas, address: own }: Opened, address: KeptAddress = own): string {
  if (page.mark) return page.mark;
  if (!page.study) return JSON.stringify(page.locals);
  const item = address.page === 'study' && (address.item?.id ?? page.opened?.item);
  return JSON.stringify([page.study.props.sections, item && prepas[0]?.items.get(item)?.version]);
}

/** Notes that an item was opened when the URL does not name it and it has no mark yet. The worker notes an item that the URL names. */
async function noteOpened({ page: { opened }, prepas }: Opened): Promise<void> {
  if (!opened || opened.asked || prepas[0]?.marks.has(opened.item)) return;
  const { item } = opened;
  await note('lu', item).catch(() => sayMark(`/api/items/${item}/lu`));
}

const fail = (error: unknown) => console.error('kept page', error);
