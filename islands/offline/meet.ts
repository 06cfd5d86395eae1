import type { ContactAnswer, EndOfCopy } from '../../src/shared/offline/offline-copy.ts';
import { isFor, readableCopies, readEnd } from './access.ts';
import { ask } from './ask.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { sendOutbox } from './outbox.ts';
import { isAnythingLeft, leaveIfEmpty, tellOfRemoved } from './removal.ts';
import { changeCopy } from './store/copies.ts';
import { device, note, putNote, see, trust } from './store/device.ts';
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
  navigator.onLine !== false && (await oneAtATime('contact', forced, () => meetNow(forced, refresh))) === true;

async function meetNow(forced: boolean, refresh?: Refresh): Promise<boolean> {
  const copies = await readableCopies();
  const before = (await note<number>('contact')) ?? 0;
  if (!(await isAnythingLeft())) await leaveIfEmpty();
  else if (forced || Math.abs(Date.now() - before) >= restMs) {
    await putNote('contact', Date.now());
    await tellOfRemoved();
    const prepas = copies.map(({ id, disciplines }) => ({ id, disciplines }));
    const answer = (await ask<ContactAnswer>('contact', { body: { appareil: await device(), prepas } }))?.body;
    // A Wi-Fi portal, too, answers.
    if (!answer?.prepas?.map) return false;
    await see(answer.now);
    if (answer.learner) await sendOutbox(answer.learner);
    for (const { id, state, end } of answer.prepas) {
      const copy = copies.find((one) => one.id === id);
      if (copy && state === 'remove') await forget(id, false);
      if (copy && end) await renew(copy, end);
    }
    await refresh?.(answer, copies);
    await leaveIfEmpty();
    return true;
  }
  return false;
}

/** Takes an end that the server has signed now: its time puts the reader's right. */
async function renew(copy: Copy, end: EndOfCopy): Promise<void> {
  const said = await readEnd(end, copy.publicKey);
  if (!said || !isFor(copy, said)) return;
  await trust(said.signedAt);
  await changeCopy(copy.id, { end, endAt: said.end });
}
