import { AppError } from '../errors.ts';

/** Maximum number of pictures being processed or waiting. Each takes about 2 MB of memory; a text with 20 pictures is common. */
const maxWaiting = 40;

let waiting = 0;
let last: Promise<unknown> = Promise.resolve();

/**
 * Processes pictures one after the other in this process, since each may need 100 MB.
 * @throws AppError 503 when too many are waiting
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
