import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { Turns, WorkError } from '../../../platform/work/turns.ts';
import { signInsBusy } from './identity.errors.ts';

/** argon2id (the library's default), 19 MiB, 2 passes, 1 lane: OWASP's recommendation. */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Passwords that wait, at most: each takes some 20 ms of a core. */
export const maxWaiting = 20;
/** How long one waits for its turn, in ms. */
const waitMs = 5_000;

/** The library works in threads beside the event loop. A core is left to it and to the database, so that those who sign in do not slow those who read. */
const turns = new Turns(Math.max(1, availableParallelism() - 1), maxWaiting);

/** @throws AppError 503 with Retry-After when too many wait */
async function inTurns<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await turns.run(waitMs, work);
  } catch (error) {
    throw error instanceof WorkError ? signInsBusy() : error;
  }
}

/** Before a statement is asked for whoever would be refused. @throws AppError 503 with Retry-After when too many passwords wait */
export function requireTurn(): void {
  if (turns.isFull) throw signInsBusy();
}

export const hashPassword = (password: string): Promise<string> => inTurns(() => hash(password, options));

let decoy: Promise<string> | undefined;

/** Verifies against `stored`, or against a decoy when there is no account, so that both take the same time. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  decoy ??= hash('decoy', options);
  const against = stored ?? (await decoy);
  const matches = await inTurns(() => verify(against, password));
  return stored !== null && matches;
}
