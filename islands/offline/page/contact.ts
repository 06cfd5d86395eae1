import { dayMs } from '../../../src/shared/dates.ts';
import { type MarksAnswer, offlineFormat, type RemovalReason } from '../../../src/shared/offline/offline-copy.ts';
import { ask } from '../both/ask.ts';
import { meet, restMs } from '../both/meet.ts';
import { changeCopy, copy as findCopy } from '../both/store/copies.ts';
import { note, now, putNote } from '../both/store/device.ts';
import { putMarks } from '../both/store/marks.ts';
import { entries } from '../both/store/outbox.ts';
import type { Copy } from '../both/store/records.ts';
import { sweep } from '../both/store/removal.ts';
import { keepFarewell } from './farewell.ts';
import { fetchFiles, filesOf } from './kept-files.ts';
import { keepRevision, marksPath } from './session/keep-revision.ts';
import { keepShell } from './shell.ts';
import { isFull } from './store/make-database.ts';
import { fetchTexts } from './texts.ts';

export interface Contacted {
  /** False when no contact took place: too early, already running, without network, or nothing is kept. */
  done: boolean;
  removed: { id: number; nom: string; reason: RemovalReason }[];
  /** Ids of items whose texts changed. */
  changed: number[];
  /** Prepas whose end the server will prolong after the learner signs in again. */
  signIn: number[];
  /** Whether entries that should have been sent still wait. */
  waits: boolean;
}

/** Contacts the server from a page: does what the worker's contact does (`meet`), and fetches new texts, files and marks. @throws StorageRefused */
export async function contact({ forced = false }: { forced?: boolean } = {}): Promise<Contacted> {
  const said: Contacted = { done: false, removed: [], changed: [], signIn: [], waits: false };
  const before = (await note<number>('refresh')) ?? 0;
  const hadEntries = (await entries()).length > 0;
  const isDue = forced || Math.abs(Date.now() - before) >= restMs || hadEntries;
  // Counted apart from the worker's contacts, which fetch no texts, files or marks.
  if (!isDue) return said;
  said.done = await meet(true, async ({ prepas }, copies) => {
    await putNote('refresh', Date.now());
    for (const { id, state, reason, tag } of prepas) {
      const copy = copies.find((one) => one.id === id);
      if (copy && state === 'remove') said.removed.push({ id, nom: copy.nom, reason: reason ?? 'ended' });
      if (state === 'sign-in') said.signIn.push(id);
      if (state === 'keep' && tag) said.changed.push(...(await refresh(id, tag)));
    }
    if (!prepas.some(({ state }) => state === 'keep')) return;
    await keepFarewell();
    await keepShell({ isForced: false });
  });
  said.waits = hadEntries && (await entries()).length > 0;
  return said;
}

/** Updates a complete copy. Anything that could not be fetched is fetched at the next contact. @returns ids of the items whose texts changed */
async function refresh(id: number, tag: string): Promise<number[]> {
  const copy = await findCopy(id);
  // A later release wrote this copy; its own script updates it.
  if (!copy?.complete || copy.format > offlineFormat) return [];
  const isCurrent = copy.tag === tag && copy.format === offlineFormat;
  // The browser may have dropped files of a copy whose texts are current.
  if (isCurrent) await bringFiles(copy);
  if (isCurrent) await changeCopy(id, { updatedAt: await now() });
  const changed = isCurrent ? [] : await bring(copy);
  const marks = await ask<MarksAnswer>(marksPath(copy));
  // Another learner may have signed in meanwhile; their marks do not belong to this copy.
  if (marks?.ok && marks.body?.learner === copy.learner) {
    await putMarks(id, marks.body.marques);
    await keepRevision(id, marks.body);
  }
  return changed;
}

/** Fetches the changed texts of a copy, then its missing files. @returns ids of the items whose texts changed */
async function bring(copy: Copy): Promise<number[]> {
  const texts = await fetchTexts(copy);
  if (typeof texts === 'string' || 'refused' in texts) return [];
  await changeCopy(copy.id, { format: offlineFormat, updatedAt: await now() });
  const isWhole = await bringFiles(copy);
  // An empty tag differs from the server's, so the next contact tries again.
  if (!isWhole) await changeCopy(copy.id, { tag: '' });
  await sweep();
  return texts.changed;
}

/**
 * Fetches the missing files of a copy. After the browser's storage was full, no file is fetched for a day, because each attempt costs data.
 * @returns whether no file is missing any more
 */
async function bringFiles(copy: Copy): Promise<boolean> {
  const { missing } = await filesOf(copy);
  if (missing.length === 0) return true;
  if (Math.abs(Date.now() - ((await note<number>('full')) ?? 0)) < dayMs) return false;
  try {
    return await fetchFiles(missing, () => {});
  } catch (error) {
    if (isFull(error)) await putNote('full', Date.now());
    return false;
  }
}

/** Time until a page tries again while entries wait, in ms. It doubles with each attempt, up to the last one. */
const againMs = { first: 5_000, last: 80_000 };

/**
 * Contacts the server when the page opens or becomes visible again (at most once a minute, unless entries wait to be sent), when the network
 * returns, and again while entries wait: the network may fail, or a busy server refuse them. For pages that show kept prepas.
 * @param onContact called with the result of each contact that took place
 */
export function keepInContact(onContact: (contacted: Contacted) => void): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wait = againMs.first;
  const again = (forced: boolean) =>
    contact({ forced }).then((contacted) => {
      clearTimeout(timer);
      if (contacted.done) onContact(contacted);
      if (!contacted.waits) wait = againMs.first;
      else if (navigator.onLine && document.visibilityState === 'visible') {
        timer = setTimeout(again, wait, false);
        wait = Math.min(2 * wait, againMs.last);
      }
    }, ignore);
  again(false);
  addEventListener('online', () => again(true));
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && again(false));
}

const ignore = () => {};
