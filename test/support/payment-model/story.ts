/** An event of a payment, as in the table; `type` is null for a payment without events. */
export interface StoryEvent {
  type: string | null;
  actor: string;
  operator: string | null;
  from: string | null;
  to: string | null;
  /** Result and amount of a verification. */
  kind: string | null;
  paid: number | null;
  paidCurrency: string | null;
  /** Amount refunded with this event; null for none. */
  returned: number | null;
  /** Empty when there is no reason. */
  reason: string;
}

interface Told {
  status: string;
  amount: number;
  currency: string;
}

/** Allowed transitions between states, restated from payment-providers §6, rules 4 to 6. */
const legal: Record<string, readonly string[]> = {
  created: ['pending', 'succeeded', 'failed', 'cancelled', 'expired', 'review'],
  pending: ['succeeded', 'failed', 'cancelled', 'expired', 'review'],
  failed: ['succeeded', 'review'],
  cancelled: ['succeeded', 'review'],
  expired: ['succeeded', 'review'],
  review: ['succeeded'],
  succeeded: ['refunded'],
  refunded: [],
};

/** The provider results that allow a state. The payer's own steps lead to pending, and to failed when the provider refused the start. */
const wordsFor: Record<string, readonly (string | null)[]> = {
  pending: ['pending', 'incomplete'],
  // Paid, and partly refunded before the first verification.
  succeeded: ['succeeded', 'partly_refunded'],
  failed: ['failed'],
  cancelled: ['cancelled'],
  expired: ['expired'],
  review: ['mismatch', 'refunded', 'partly_refunded'],
  refunded: ['refunded'],
};

/**
 * Returns faults of the events: they must begin with the creation, and each state must follow legally from the previous one, backed by a
 * provider result or an operator.
 */
export function storyFaults({ status, amount, currency }: Told, story: readonly StoryEvent[]): string[] {
  const faults: string[] = [];
  let state: string | null = null;
  let answer: StoryEvent | null = null;
  let returned = 0;
  for (const event of story) {
    const { type, from, to } = event;
    if (type === null) continue;
    returned += event.returned ?? 0;
    if (event.actor === 'operator' && !event.operator) faults.push(`${type} by an operator without a name`);
    if (type === 'created') {
      if (state !== null) faults.push('created again');
      state = 'created';
    } else if (type === 'verification') {
      answer = event;
    } else if (type === 'refund') {
      // A partial refund does not change the state.
      if (state !== 'succeeded' || !event.returned) faults.push(`refund of ${event.returned} in state ${state}`);
      if (answer?.kind !== 'partly_refunded') faults.push(`refund by ${event.actor} after verification result ${answer?.kind ?? 'none'}`);
    } else if (type === 'transition' || type === 'decision') {
      const step = `${from} -> ${to}`;
      if (from !== state) faults.push(`${step} in state ${state}`);
      if (!follows(type, from, to)) faults.push(`${step} is not allowed`);
      if (type === 'decision' && (event.actor !== 'operator' || event.reason === '')) faults.push(`${step} decided without a reason`);
      if (type === 'transition' && !isBacked(event, answer, { status, amount, currency })) {
        faults.push(`${step} by ${event.actor} after verification result ${answer?.kind ?? 'none'}`);
      }
      state = to;
      if ((to === 'refunded') !== (returned === amount)) faults.push(`${step} with ${returned} of ${amount} refunded`);
    } else {
      faults.push(`unknown event type ${type}`);
    }
  }
  if (state !== status) faults.push(`the events end with ${state}, the payment is ${status}`);
  return faults;
}

/** Transitions by an operator only: close or refund a payment under review, record a partial refund, acknowledge it. */
const byHand = ['review -> failed', 'review -> refunded', 'succeeded -> succeeded'];
const follows = (type: string, from: string | null, to: string | null): boolean =>
  (legal[from ?? ''] ?? []).includes(to ?? '') || (type === 'decision' && byHand.includes(`${from} -> ${to}`));

function isBacked({ actor, from, to }: StoryEvent, answer: StoryEvent | null, { amount, currency }: Told): boolean {
  if (actor === 'learner' && from === 'created' && (to === 'pending' || to === 'failed')) return true;
  if (!(wordsFor[to ?? ''] ?? []).includes(answer?.kind ?? null)) return false;
  return to !== 'succeeded' || (answer?.paid === amount && answer.paidCurrency === currency);
}
