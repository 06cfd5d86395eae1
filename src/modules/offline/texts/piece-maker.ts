import Tinypool from 'tinypool';
import { AppError } from '../../../platform/errors.ts';
import type { Piece } from '../../../platform/pages/gzip-member.ts';
import { Turns, WorkError } from '../../../platform/work/turns.ts';
import type { KeptItem } from '../../../shared/offline/offline-copy.ts';

/** Maximum number of waiting pieces. A download waits for one piece at a time. */
const maxWaiting = 100;
/** Maximum wait of a piece, in ms. A piece takes about 20 ms of a core, three times as long on a busy machine. */
const waitMs = 30_000;
/** Time after which an idle thread is ended, in ms. */
const idleMs = 30_000;

const turns = new Turns(1, maxWaiting);

/** A single thread, with low priority (see piece-thread.ts). */
let thread: Tinypool | undefined;

/** Compresses items with their stored texts as a piece of a gzip member. @throws AppError 503 with Retry-After when too many wait */
export async function deflateItems(items: readonly KeptItem[]): Promise<Omit<Piece, 'operator'>> {
  thread ??= new Tinypool({
    runtime: 'worker_threads',
    // TypeScript sources run directly; the bundle has the thread's file next to it (vite.config.ts).
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
