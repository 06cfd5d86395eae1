import Tinypool from 'tinypool';
import type { Queue } from '../../../platform/overload/overload.ts';
import { worksAtOnce } from '../../../platform/processes/share.ts';
import { Turns, WorkError } from '../../../platform/work/turns.ts';
import { composed } from '../../../shared/forms/password.ts';
import { signInsBusy, signInsBusyMessage } from './identity.errors.ts';
import type { PasswordTask } from './password-thread.ts';

/** Passwords that wait, at most: each takes some 20 ms of a core. */
export const maxWaiting = 20;
/** How long one waits for its turn, in ms. */
const waitMs = 5_000;

/** How long a thread without work is kept, in ms: each takes some 10 MB. */
const idleMs = 5 * 60_000;

/** A core is left to the event loop and to the database, so that those who sign in do not slow those who read. */
const atOnce = worksAtOnce();
const turns = new Turns(atOnce, maxWaiting);

/** Threads of their own, since these stand back (see password-thread.ts). */
let threads: Tinypool | undefined;

function inThread<Result extends string | boolean>(task: PasswordTask): Promise<Result> {
  threads ??= new Tinypool({
    runtime: 'worker_threads',
    // The sources run as they are; the bundles have the thread beside them (vite.config.ts).
    filename: new URL(import.meta.url.endsWith('.ts') ? './password-thread.ts' : './password-thread.js', import.meta.url).href,
    minThreads: 0,
    maxThreads: atOnce,
    idleTimeout: idleMs,
    execArgv: [],
    env: {},
  });
  return threads.run(task);
}

/** @throws AppError 503 with Retry-After when too many wait */
async function inTurns<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await turns.run(waitMs, work);
  } catch (error) {
    throw error instanceof WorkError ? signInsBusy() : error;
  }
}

/** For routes that check a password first of all: their calls are refused before they are read. */
export const passwordQueue: Queue = { isFull: () => turns.isFull, message: signInsBusyMessage };

/** Before a statement is asked for whoever would be refused. @throws AppError 503 with Retry-After when too many passwords wait */
export function requireTurn(): void {
  if (turns.isFull) throw signInsBusy();
}

/** Hashes a password as it is composed. */
export const hashPassword = (password: string): Promise<string> => inTurns(() => inThread<string>({ password: composed(password) }));

let decoy: Promise<string> | undefined;
let compared = 0;

/** How often a password has been compared with a hash: the work that must be the same whether or not there is an account. */
export const comparisons = (): number => compared;

/**
 * Verifies against `stored`, or against a decoy when there is no account, so that both take the same time. Releases before hashed a password as it was typed: one that is
 * typed otherwise than it is composed is tried in both forms.
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  decoy ??= inThread<string>({ password: 'decoy' }).catch((error: unknown) => {
    decoy = undefined;
    throw error;
  });
  const against = stored ?? (await decoy);
  const matches = await inTurns(async () => {
    for (const form of new Set([composed(password), password])) {
      compared += 1;
      if (await inThread<boolean>({ password: form, stored: against })) return true;
    }
    return false;
  });
  return stored !== null && matches;
}
