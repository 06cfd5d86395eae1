import { storeName } from './store/name.ts';

/**
 * Runs `work` when no other tab and not the worker run one of this name, where the browser can tell; elsewhere at once, which costs a call more and nothing else.
 * @param waits false: null at once when one is running
 */
export async function oneAtATime<Result>(name: string, waits: boolean, work: () => Promise<Result>): Promise<Result | null> {
  if (!navigator.locks) return work();
  return navigator.locks.request(`${storeName} ${name}`, { ifAvailable: !waits }, (lock) => (lock ? work() : null));
}
