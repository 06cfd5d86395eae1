import type { CheckoutBrowser } from './checkout-contract.ts';

/** Pauses between automatic checks, in ms: every few seconds at first, five minutes in all. Then the page asks no more, and the server goes on. */
const pauses = [3, 5, 7, 10, 15, 20, 30, 45, 60, 60, 60].map((seconds) => seconds * 1000);

/** How long to wait before the check number `count` (from 0); null: no further check. */
export const pauseBeforeCheck = (count: number): number | null => pauses[count] ?? null;

/** Checks an open payment again by itself, with growing pauses. */
export function createStatusChecks({ later }: Pick<CheckoutBrowser, 'later'>) {
  let cancel: () => void = () => {};
  let checkNow: (() => void) | null = null;

  function stop(): void {
    cancel();
    checkNow = null;
  }

  /** @param check answers whether the payment is still open */
  function start(check: () => Promise<boolean>, count = 0): void {
    const pause = pauseBeforeCheck(count);
    if (pause === null) return;
    checkNow = async () => {
      stop();
      if (await check()) start(check, count + 1);
    };
    cancel = later(pause, checkNow);
  }

  return {
    start,
    stop,
    /** The payer is back on the page: what would be checked later is checked at once. */
    now: () => checkNow?.(),
  };
}
