import { pauseBeforeRetry } from '../runtime/busy.ts';

/** Storage key of marks that a busy server refused. They are kept per tab, so that its next page can send them. */
const place = 'marques';
/** Maximum number of marks kept. */
const maxKept = 100;

let timer: ReturnType<typeof setTimeout> | undefined;

/** Sends a mark. @returns whether it was stored, or is kept to be sent later because the server was busy */
export async function sayMark(address: string): Promise<boolean> {
  try {
    // A service worker that responds offline stores the mark once per key. The server does not need the key.
    const key = globalThis.crypto?.randomUUID?.();
    const response = await fetch(address, { method: 'POST', keepalive: true, headers: key ? { 'idempotency-key': key } : {} });
    const pause = pauseBeforeRetry(response);
    if (pause === null) return response.ok;
    // Moves a repeated mark to the end, so that the latest one is sent last.
    keep([...kept().filter((other) => other !== address), address]);
    clearTimeout(timer);
    timer = setTimeout(sayKept, pause);
    return true;
  } catch {
    return false;
  }
}

/** Sends the marks that earlier pages of this tab have kept. */
export async function sayKept(): Promise<void> {
  // One request at a time: parallel requests would add to the server's load.
  for (const address of kept()) {
    keep(kept().filter((other) => other !== address));
    await sayMark(address);
  }
}

/** Returns the kept marks; none without storage. */
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
    // The storage is unavailable or full: the marks that wait for a retry are lost.
  }
}
