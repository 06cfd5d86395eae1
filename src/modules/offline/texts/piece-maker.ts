import Tinypool from 'tinypool';
import { AppError } from '../../../platform/errors.ts';
import type { Piece } from '../../../platform/pages/gzip-member.ts';
import { Turns, WorkError } from '../../../platform/work/turns.ts';
import type { KeptItem } from '../../../shared/offline/offline-copy.ts';

/** Pieces that wait, at most: whoever downloads waits for one at a time. */
const maxWaiting = 100;
/** How long one waits for its turn, in ms: each takes some 20 ms of a core, three times that where others want it. */
const waitMs = 30_000;
/** How long the thread is kept without work, in ms. */
const idleMs = 30_000;

const turns = new Turns(1, maxWaiting);

/** One, since it stands back (see piece-thread.ts). */
let thread: Tinypool | undefined;

/** Compresses items with their stored texts as a piece of a gzip member. @throws AppError 503 with Retry-After when too many wait */
export async function deflateItems(items: readonly KeptItem[]): Promise<Omit<Piece, 'operator'>> {
  thread ??= new Tinypool({
    runtime: 'worker_threads',
    // The sources run as they are; the bundle has the thread beside it (vite.config.ts).
    filename: new URL(import.meta.url.endsWith('.ts') ? './piece-thread.ts' : './piece-thread.js', import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: idleMs,
    execArgv: [],
    env: {},
  });
  const pool = thread;
  try {
    const piece: Omit<Piece, 'operator'> = await turns.run(waitMs, () => pool.run(items));
    return { ...piece, deflated: Buffer.from(piece.deflated) };
  } catch (error) {
    throw error instanceof WorkError ? new AppError('OFFLINE.BUSY', 503, busy, { retryAfter: 30 }) : error;
  }
}

const busy = 'Beaucoup de préparations sont téléchargées en ce moment. Réessayez dans un instant.';
