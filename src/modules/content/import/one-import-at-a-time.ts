import { AppError } from '../../../platform/errors.ts';

/** Documents that wait for their turn, at most: each is held in memory meanwhile. */
const maxWaiting = 5;

let waiting = 0;
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs imports one after the other in this process: a long document takes a second of it.
 * @throws AppError 503 when too many wait already
 */
export async function oneImportAtATime<Result>(work: () => Promise<Result>): Promise<Result> {
  if (waiting >= maxWaiting)
    throw new AppError('IMPORT.BUSY', 503, "Trop de documents sont en cours d'importation. Réessayez dans un instant.", { retryAfter: 5 });
  waiting += 1;
  const turn = last.then(work).finally(() => {
    waiting -= 1;
  });
  last = turn.catch(() => {});
  return turn;
}
