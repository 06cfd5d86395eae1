import { answer, writing } from './database.ts';
import { ignore } from './ignore.ts';
import { get } from './rows.ts';

/** The stored highest time is updated at most this often, in ms. */
const timeStepMs = 10_000;

/** Returns a small value stored by name. */
export const note = async <Value>(name: string): Promise<Value | null | undefined> =>
  (await get<{ value: Value | null }>('meta', name))?.value;
/** Replaces a note by a function of its previous value, in one transaction. @returns the new value */
export const changeNote = <Value>(key: string, next: (before: Value | undefined) => Value): Promise<Value> =>
  writing(['meta'], async (open) => {
    const value = next((await answer(open('meta').get(key)))?.value);
    open('meta').put({ key, value });
    return value;
  });

export const putNote = <Value>(key: string, value: Value): Promise<Value> => changeNote(key, () => value);

/** Returns the device's UUID, created at first use. A secret that identifies the device to the server; sent only in request bodies. */
export const device = (): Promise<string> => changeNote('device', (before: string | undefined) => before ?? crypto.randomUUID());

/** Returns the time for deciding about ends, in ms: the device's clock, but never before the highest time seen. */
export async function now(): Promise<number> {
  const highest = (await note<number>('time')) ?? 0;
  const own = Date.now();
  if (highest && own >= highest + timeStepMs) await see(own).catch(ignore);
  return Math.max(highest, own);
}

/** Raises the highest time seen, in ms. */
export const see = (ms: number): Promise<number> => changeNote('time', (before: number | undefined) => Math.max(before ?? 0, ms));

/** Sets the highest time to a time signed by the server, even if lower: corrects a device clock that was ahead. */
export const trust = (ms: number): Promise<number> => putNote('time', ms);
