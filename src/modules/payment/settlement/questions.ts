import { LRUCache } from 'lru-cache';
import type { Verification } from '../contract/provider.ts';
import type { PaymentProviders } from '../providers/provider.registry.ts';

interface Answered {
  verification: Verification;
  /** Time of the request, by performance.now(). */
  asked: number;
}

/**
 * Requests of this process to the providers, so that reloaded pages and repeated events do not cause the same request again and
 * again.
 */
class Questions {
  /** Time of the last request whose answer was stored, for each payment, in ms of the monotonic clock. */
  readonly #answered = new LRUCache<number, number>({ max: 10_000 });
  readonly #underWay = new Map<number, Promise<Answered>>();

  /** @param share true for a waiting page: the answer to a request already in progress is enough */
  async ask(paymentId: number, question: () => Promise<Verification>, share: boolean): Promise<Answered> {
    const same = this.#underWay.get(paymentId);
    if (share && same) return same;
    const asked = performance.now();
    const answer = question().then((verification) => ({ verification, asked }));
    this.#underWay.set(paymentId, answer);
    try {
      return await answer;
    } finally {
      if (this.#underWay.get(paymentId) === answer) this.#underWay.delete(paymentId);
    }
  }

  /** Notes that an answer's effects are committed. Before that, the answer may be lost with its transaction. */
  written(paymentId: number, { verification, asked }: Answered): void {
    if (verification.kind !== 'unknown') this.#answered.set(paymentId, Math.max(asked, this.#answered.get(paymentId) ?? asked));
  }

  /**
   * Returns whether a request sent after `instant` (performance.now()) was answered and its answer stored. An event at that instant
   * is then known.
   */
  answeredSince(paymentId: number, instant: number): boolean {
    return (this.#answered.get(paymentId) ?? Number.NEGATIVE_INFINITY) > instant;
  }
}

const asked = new WeakMap<PaymentProviders, Questions>();

export function questionsTo(providers: PaymentProviders): Questions {
  const known = asked.get(providers) ?? new Questions();
  asked.set(providers, known);
  return known;
}
