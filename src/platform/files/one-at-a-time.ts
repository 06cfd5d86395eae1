import { AppError } from '../errors.ts';

/** Pictures under way and waiting for their turn, at most: each is held in memory meanwhile, mostly 2 MB. A text with 20 of them is nothing rare. */
const maxWaiting = 40;

let waiting = 0;
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs work on pictures one after the other in this process: each may need 100 MB.
 * @throws AppError 503 when too many wait already
 */
export async function oneAtATime<Result>(work: () => Promise<Result>): Promise<Result> {
  if (waiting >= maxWaiting)
    throw new AppError('IMAGE.BUSY', 503, "Trop d'images sont en cours de traitement. Réessayez dans un instant.", { retryAfter: 5 });
  waiting += 1;
  const turn = last.then(work).finally(() => {
    waiting -= 1;
  });
  last = turn.catch(() => {});
  return turn;
}
