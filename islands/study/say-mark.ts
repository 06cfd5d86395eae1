import { pauseBeforeRetry } from '../runtime/busy.ts';

/** Marks that the server had no time for, by address. Kept with the tab: what this page cannot say any more its next one does. */
const place = 'marques';
/** At most. */
const maxKept = 100;

let timer: ReturnType<typeof setTimeout> | undefined;

/** Says a mark by its address. @returns whether it was kept, or is said later since the server has too much to do */
export async function sayMark(address: string): Promise<boolean> {
  try {
    // What answers without network notes it once by this; the server needs none.
    const key = globalThis.crypto?.randomUUID?.();
    const response = await fetch(address, { method: 'POST', keepalive: true, headers: key ? { 'idempotency-key': key } : {} });
    const pause = pauseBeforeRetry(response);
    if (pause === null) return response.ok;
    // Said again, it is the last word.
    keep([...kept().filter((other) => other !== address), address]);
    clearTimeout(timer);
    timer = setTimeout(sayKept, pause);
    return true;
  } catch {
    return false;
  }
}

/** Says what earlier pages of this tab could not. */
export async function sayKept(): Promise<void> {
  // One after the other: who has waited does not come with a crowd.
  for (const address of kept()) {
    keep(kept().filter((other) => other !== address));
    await sayMark(address);
  }
}

/** Without a storage nothing is kept. */
function kept(): string[] {
  try {
    return JSON.parse(sessionStorage.getItem(place) ?? '[]') as string[];
  } catch {
    return [];
  }
}

function keep(addresses: string[]): void {
  try {
    if (addresses.length === 0) sessionStorage.removeItem(place);
    else sessionStorage.setItem(place, JSON.stringify([...new Set(addresses)].slice(-maxKept)));
  } catch {
    // The mark alone is lost.
  }
}
