import { availableParallelism } from 'node:os';
import { isOneOfSeveral } from './first-process.ts';

/** How many processes serve the site on this machine, with this one. */
export const processes = (): number => (isOneOfSeveral() ? Number(process.env.WEB_PROCESSES_STARTED ?? 1) : 1);

/** Works beside the event loop that this process may do at the same time: all processes of the machine together leave it a core, and each may do one. */
export const worksAtOnce = (): number => Math.max(1, Math.floor((availableParallelism() - 1) / processes()));
