import { LRUCache } from 'lru-cache';
import type { Verification } from './provider.ts';
import type { PaymentProviders } from './providers.ts';

/** What this process has asked the providers, so that nobody makes it ask the same again and again: a page reloaded, an event repeated. */
class Questions {
  /** When the last question with an answer was asked, by payment. By the machine's own time, which does not jump; in ms. */
  readonly #answered = new LRUCache<number, number>({ max: 10_000 });
  readonly #underWay = new Map<number, Promise<Verification>>();

  /** @param share for whoever only waits: an answer that is under way already will do */
  async ask(paymentId: number, question: () => Promise<Verification>, share: boolean): Promise<Verification> {
    const same = this.#underWay.get(paymentId);
    if (share && same) return same;
    const asked = performance.now();
    const answer = question();
    this.#underWay.set(paymentId, answer);
    try {
      const verification = await answer;
      if (verification.kind !== 'unknown') this.#answered.set(paymentId, asked);
      return verification;
    } finally {
      if (this.#underWay.get(paymentId) === answer) this.#underWay.delete(paymentId);
    }
  }

  /** Whether a question that was asked after `instant` (performance.now()) has been answered: what came at that instant is known. */
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
