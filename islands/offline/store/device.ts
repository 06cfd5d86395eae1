import { answer, writing } from './database.ts';
import { ignore } from './ignore.ts';
import { get } from './rows.ts';

/** The highest time is written anew when so many ms have passed. */
const timeStepMs = 10_000;

/** Small things by name. */
export const note = async <Value>(name: string): Promise<Value | null | undefined> =>
  (await get<{ value: Value | null }>('meta', name))?.value;
/** Replaces one by a rule about what it was. @returns what it is */
export const changeNote = <Value>(key: string, next: (before: Value | undefined) => Value): Promise<Value> =>
  writing(['meta'], async (open) => {
    const value = next((await answer(open('meta').get(key)))?.value);
    open('meta').put({ key, value });
    return value;
  });

export const putNote = <Value>(key: string, value: Value): Promise<Value> => changeNote(key, () => value);

/** What the server knows this device by, made once: a secret that only bodies of calls hold. */
export const device = (): Promise<string> => changeNote('device', (before: string | undefined) => before ?? crypto.randomUUID());

/** The reader's time: never before the highest that was ever seen. */
export async function now(): Promise<number> {
  const highest = (await note<number>('time')) ?? 0;
  const own = Date.now();
  if (highest && own >= highest + timeStepMs) await see(own).catch(ignore);
  return Math.max(highest, own);
}

/** Raises it. */
export const see = (ms: number): Promise<number> => changeNote('time', (before: number | undefined) => Math.max(before ?? 0, ms));

/** The server's own word puts it right after a device's clock has been wrong. */
export const trust = (ms: number): Promise<number> => putNote('time', ms);
