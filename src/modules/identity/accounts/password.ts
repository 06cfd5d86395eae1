import Tinypool from 'tinypool';
import type { Queue } from '../../../platform/overload/overload.ts';
import { worksAtOnce } from '../../../platform/processes/share.ts';
import { Turns, WorkError } from '../../../platform/work/turns.ts';
import { composed } from '../../../shared/forms/password.ts';
import { signInsBusy, signInsBusyMessage } from './identity.errors.ts';
import type { PasswordTask } from './password-thread.ts';

/** Longest queue of password checks. Each takes about 20 ms of CPU time. */
export const maxWaiting = 20;
/** Longest time in the queue, in ms. */
const waitMs = 5_000;

/** Time after which an idle thread is ended, in ms. Each thread takes about 10 MB. */
const idleMs = 5 * 60_000;

/** Checks that run at once. One core stays free for the event loop and the database, so that sign-ins do not slow down readers. */
const atOnce = worksAtOnce();
const turns = new Turns(atOnce, maxWaiting);

/** A separate pool, since these threads run at a lower priority (see password-thread.ts). */
let threads: Tinypool | undefined;

function inThread<Result extends string | boolean>(task: PasswordTask): Promise<Result> {
  threads ??= new Tinypool({
    runtime: 'worker_threads',
    // From source, the thread's file is run directly. In the bundles it lies next to this file (vite.config.ts).
    filename: new URL(import.meta.url.endsWith('.ts') ? './password-thread.ts' : './password-thread.js', import.meta.url).href,
    minThreads: 0,
    maxThreads: atOnce,
    idleTimeout: idleMs,
    execArgv: [],
    env: {},
  });
  return threads.run(task);
}

/** Runs password work in the queue. @throws AppError 503 with Retry-After when the queue is full or the wait too long */
async function inTurns<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await turns.run(waitMs, work);
  } catch (error) {
    throw error instanceof WorkError ? signInsBusy() : error;
  }
}

/** Queue option of routes that check a password: when the queue is full, their requests are refused before the body is read. */
export const passwordQueue: Queue = { isFull: () => turns.isFull, message: signInsBusyMessage };

/** Refuses a request early, before its first statement, when the password queue is full. @throws AppError 503 with Retry-After */
export function requireTurn(): void {
  if (turns.isFull) throw signInsBusy();
}

/** Returns the hash of a password in Unicode's composed form (NFC). */
export const hashPassword = (password: string): Promise<string> => inTurns(() => inThread<string>({ password: composed(password) }));

let decoy: Promise<string> | undefined;
let compared = 0;

/** Returns the number of password comparisons so far. Tests use it to check that unknown accounts cost the same work as known ones. */
export const comparisons = (): number => compared;

/**
 * Returns whether the password matches `stored`. Without an account it compares with a decoy, so that both cases take the same time.
 * Earlier releases hashed passwords as typed, so a password not typed in composed form is tried in both forms.
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
