import type { ContactAnswer, EndOfCopy } from '../../src/shared/offline/offline-copy.ts';
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

/** At most one contact in so many ms, unless it is forced. */
export const restMs = 60_000;

/** What a page does of an answer besides. @param copies as they were before */
type Refresh = (answer: ContactAnswer, copies: readonly Copy[]) => Promise<void>;

/**
 * Tells the server what this device keeps, and does what it answers: removes what has ended, takes new ends, and sends what was done here. Safe from several tabs and
 * the worker at once.
 * @returns false: not yet again, already under way, without network, or with nothing kept  @throws StorageRefused
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
    // A Wi-Fi portal, too, answers.
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
    // Not of a sign-in that came meanwhile.
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

/** Takes an end that the server has signed now: its time puts the reader's right. */
async function renew(copy: Copy, end: EndOfCopy): Promise<void> {
  const said = await readEnd(end, copy.publicKey);
  if (!isFor(copy, said)) return;
  await trust(said.signedAt);
  await changeCopy(copy.id, { end, endAt: said.end });
}
