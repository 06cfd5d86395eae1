import { dayMs } from '../../src/shared/dates.ts';
import { type MarksAnswer, offlineFormat, type RemovalReason } from '../../src/shared/offline/offline-copy.ts';
import { ask } from './ask.ts';
import { keepFarewell } from './farewell.ts';
import { fetchFiles, filesOf } from './kept-files.ts';
import { meet, restMs } from './meet.ts';
import { keepShell } from './shell.ts';
import { changeCopy, copy as findCopy } from './store/copies.ts';
import { note, now, putNote } from './store/device.ts';
import { isFull } from './store/make-database.ts';
import { putMarks } from './store/marks.ts';
import { entries } from './store/outbox.ts';
import type { Copy } from './store/records.ts';
import { sweep } from './store/removal.ts';
import { fetchTexts } from './texts.ts';

export interface Contacted {
  /** False: not yet again, already under way, without network, or with nothing kept. */
  done: boolean;
  removed: { id: number; nom: string; reason: RemovalReason }[];
  /** Items whose texts changed. */
  changed: number[];
  /** Prepas whose end is prolonged once the learner has signed in again. */
  signIn: number[];
}

/** A page's contact with the server: what the worker's does (`meet`), and what is new of texts, files and marks besides. @throws StorageRefused */
export async function contact({ forced = false }: { forced?: boolean } = {}): Promise<Contacted> {
  const said: Contacted = { done: false, removed: [], changed: [], signIn: [] };
  const before = (await note<number>('refresh')) ?? 0;
  const isDue = forced || Math.abs(Date.now() - before) >= restMs || (await entries()).length > 0;
  // The worker's own may just have been: it brings none of this.
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
  return said;
}

/** Of a copy that is here whole; what could not be had comes the next time. @returns the items whose texts changed */
async function refresh(id: number, tag: string): Promise<number[]> {
  const copy = await findCopy(id);
  // Of a later release than this script: its own will see to it.
  if (!copy?.complete || copy.format > offlineFormat) return [];
  const isCurrent = copy.tag === tag && copy.format === offlineFormat;
  // The browser may have dropped files of a copy whose texts are current.
  if (isCurrent) await bringFiles(copy);
  if (isCurrent) await changeCopy(id, { updatedAt: await now() });
  const changed = isCurrent ? [] : await bring(copy);
  const marks = await ask<MarksAnswer>(`prepas/${id}/marques`);
  // Somebody else's, who has signed in meanwhile, are none of this copy's.
  if (marks?.ok && marks.body?.learner === copy.learner) await putMarks(id, marks.body.marques);
  return changed;
}

/** @returns the items whose texts changed */
async function bring(copy: Copy): Promise<number[]> {
  const texts = await fetchTexts(copy);
  if (typeof texts === 'string' || 'refused' in texts) return [];
  await changeCopy(copy.id, { format: offlineFormat, updatedAt: await now() });
  const isWhole = await bringFiles(copy);
  // With another tag than the server's the next contact tries again.
  if (!isWhole) await changeCopy(copy.id, { tag: '' });
  await sweep();
  return texts.changed;
}

/**
 * Fetches the files of a copy that are not here. After the browser had no room for one, none is fetched for a day: each attempt would cost data.
 * @returns whether all that there are came
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

/**
 * For pages that show what is kept: contact on opening and when the page is looked at again, once a minute or while something is to be sent, and when the network is
 * back.
 * @param onContact what came of each that took place
 */
export function keepInContact(onContact: (contacted: Contacted) => void): void {
  const again = (forced: boolean) => contact({ forced }).then((contacted) => contacted.done && onContact(contacted), ignore);
  again(false);
  addEventListener('online', () => again(true));
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && again(false));
}

const ignore = () => {};
