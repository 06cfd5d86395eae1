import type { FastifyRequest } from 'fastify';
import { AppError } from '../../../platform/errors.ts';
import { DistinctLimit } from '../../../platform/limits/distinct-limit.ts';

/** Window of the limit, in ms. No person reads hundreds of lessons within it; a program that copies a prepa does. */
const windowMs = 10 * 60_000;

const message = 'Vous avez ouvert beaucoup de contenus en peu de temps. Ceux que vous avez déjà ouverts restent lisibles.';

/** Limits how many different items a learner opens, by any route: page, text, API call or document. Needs no database query. */
export class ReadsLimit {
  readonly #limit: DistinctLimit;

  /** @param most items per learner within 10 minutes; 0: no limit */
  constructor(most: number) {
    this.#limit = new DistinctLimit('content.reads', most, windowMs);
  }

  /** Counts items as opened by the learner. @param what ids of items, names of documents @throws AppError 429 with Retry-After */
  async take(request: FastifyRequest, learnerId: string, what: readonly (number | string)[], now: Date): Promise<void> {
    const refusal = await this.#limit.take(learnerId, what, now);
    if (refusal === null) return;
    // Log once per window: a program does not stop at the first refusal.
    if (refusal.isFirst) {
      request.log.warn({ alert: 'item-reads', learner: learnerId, items: refusal.taken }, 'a learner opens more items than anybody reads');
    }
    const retryAfter = Math.max(1, Math.ceil(refusal.retryAfterSeconds));
    throw new AppError('ITEM.TOO_MANY', 429, message, { heading: 'Trop de contenus à la fois', retryAfter });
  }
}
