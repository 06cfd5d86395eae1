import type { CheckoutBrowser } from './checkout-contract.ts';

/** Pauses between automatic checks, in ms: about five minutes in all. Afterwards only the server checks the payment. */
const pauses = [3, 5, 7, 10, 15, 20, 30, 45, 60, 60, 60].map((seconds) => seconds * 1000);

/** Returns the pause before check number `count` (from 0), in ms, or null if there is no further check. */
export const pauseBeforeCheck = (count: number): number | null => pauses[count] ?? null;

/** Checks an open payment repeatedly, with growing pauses. */
export function createStatusChecks({ later }: Pick<CheckoutBrowser, 'later'>) {
  let cancel: () => void = () => {};
  let checkNow: (() => void) | null = null;

  function stop(): void {
    cancel();
    checkNow = null;
  }

  /** @param check returns whether the payment is still open */
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
    /** Runs a planned check at once, because the payer has returned to the page. */
    now: () => checkNow?.(),
  };
}
