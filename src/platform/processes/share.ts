import { availableParallelism } from 'node:os';
import { isOneOfSeveral } from './first-process.ts';

/** Returns the number of processes that serve the site on this machine. */
export const processes = (): number => (isOneOfSeveral() ? Number(process.env.WEB_PROCESSES_STARTED ?? 1) : 1);

/**
 * Returns how many pieces of work outside the event loop this process may do at once: all processes together leave one core free, and
 * each may do at least one.
 */
export const worksAtOnce = (): number => Math.max(1, Math.floor((availableParallelism() - 1) / processes()));
