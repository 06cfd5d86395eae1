import { LRUCache } from 'lru-cache';
import type { Verification } from '../contract/provider.ts';
import type { PaymentProviders } from '../providers/provider.registry.ts';

interface Answered {
  verification: Verification;
  /** When it was asked, by performance.now(). */
  asked: number;
}

/** What this process has asked the providers, so that nobody makes it ask the same again and again: a page reloaded, an event repeated. */
class Questions {
  /** When the last question was asked whose answer has been written down, by payment. By the machine's own time, which does not jump; in ms. */
  readonly #answered = new LRUCache<number, number>({ max: 10_000 });
  readonly #underWay = new Map<number, Promise<Answered>>();

  /** @param share for whoever only waits: an answer that is under way already will do */
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

  /** What follows from the answer stands in the database: before that, it may be lost with its transaction. */
  written(paymentId: number, { verification, asked }: Answered): void {
    if (verification.kind !== 'unknown') this.#answered.set(paymentId, Math.max(asked, this.#answered.get(paymentId) ?? asked));
  }

  /** Whether a question that was asked after `instant` (performance.now()) has been answered, and the answer written down: what came at that instant is known. */
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
