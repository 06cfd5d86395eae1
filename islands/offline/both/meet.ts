import type { ContactAnswer, EndOfCopy } from '../../../src/shared/offline/offline-copy.ts';
import { arrival, isFor, lastingCopies, readEnd } from './access.ts';
import { ask } from './ask.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { dropOld, sendOutbox } from './outbox.ts';
import { isAnythingLeft, leaveIfEmpty, tellOfRemoved } from './removal.ts';
import { tellOfChange } from './store/changes.ts';
import { changeCopy } from './store/copies.ts';
import { changeNote, device, note, putNote, see, trust } from './store/device.ts';
import type { Copy } from './store/records.ts';
import { forget } from './store/removal.ts';

/** Minimum time between two contacts that are not forced, in ms. */
export const restMs = 60_000;

/** A page's own work after a contact. @param copies the copies as they were before the contact */
type Refresh = (answer: ContactAnswer, copies: readonly Copy[]) => Promise<void>;

/**
 * Reports the kept prepas to the server and follows its response: removes ended copies, stores new signed ends, and sends the outbox.
 * May be called by several tabs and the worker at the same time.
 * @returns false when no contact took place: too early, already running, without network, or nothing is kept  @throws StorageRefused
 */
export const meet = async (forced: boolean, refresh?: Refresh): Promise<boolean> =>
  navigator.onLine && (await oneAtATime('contact', forced, () => meetNow(forced, refresh))) === true;

async function meetNow(forced: boolean, refresh?: Refresh): Promise<boolean> {
  const copies = await lastingCopies();
  const arrived = await arrival();
  const before = (await note<number>('contact')) ?? 0;
  if (!(await isAnythingLeft())) await leaveIfEmpty();
  else if (forced || Math.abs(Date.now() - before) >= restMs) {
    await putNote('contact', Date.now());
    const prepas = copies.map(({ id, disciplines }) => ({ id, disciplines }));
    const answer = (await ask<ContactAnswer>('contact', { body: { appareil: await device(), prepas } }))?.body;
    // Not our server's response: perhaps a Wi-Fi portal's.
    if (!answer?.prepas?.map) return false;
    await see(answer.now);
    const { learner } = answer;
    if (learner) await sendOutbox(learner);
    await dropOld(answer.now);
    for (const said of answer.prepas) {
      const { id, end } = said;
      const copy = copies.find((one) => one.id === id);
      if (!copy) continue;
      if (learner && learner !== copy.learner) said.state = 'remove';
      if (said.state === 'remove') await forget(id);
      else if (end) await renew(copy, end);
    }
    // Keep the note of a newer sign-in, which this contact does not confirm.
    if (arrived) {
      await changeNote('arrival', (at) => (at === arrived ? null : at));
      tellOfChange();
    }
    await tellOfRemoved();
    await refresh?.(answer, copies);
    await leaveIfEmpty();
    return true;
  }
  return false;
}

/** Stores a newly signed end. The time of its signature also corrects the device's stored time. */
async function renew(copy: Copy, end: EndOfCopy): Promise<void> {
  const said = await readEnd(end, copy.publicKey);
  if (!isFor(copy, said)) return;
  await trust(said.signedAt);
  await changeCopy(copy.id, { end, endAt: said.end });
}
