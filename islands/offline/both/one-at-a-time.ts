import { storeName } from './store/name.ts';

/**
 * Runs `work` under a lock with this name, shared by all tabs and the worker. Browsers without locks run `work` at once, which only costs an
 * additional call.
 * @param waits true: waits for the lock; false: returns null at once when the lock is taken
 */
export async function oneAtATime<Result>(name: string, waits: boolean, work: () => Promise<Result>): Promise<Result | null> {
  if (!navigator.locks) return work();
  return navigator.locks.request(`${storeName} ${name}`, { ifAvailable: !waits }, (lock) => (lock ? work() : null));
}
