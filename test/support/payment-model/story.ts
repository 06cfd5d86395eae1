/** One event of a payment's story, as the table has it; `type` is null for a payment without any. */
export interface StoryEvent {
  type: string | null;
  actor: string;
  operator: string | null;
  from: string | null;
  to: string | null;
  /** What a verification said, and of how much. */
  kind: string | null;
  paid: number | null;
  paidCurrency: string | null;
  /** What was given back with it; null: nothing. */
  returned: number | null;
  /** Empty without one. */
  reason: string;
}

interface Told {
  status: string;
  amount: number;
  currency: string;
}

/** Payment-providers §6, rules 4 to 6, in words of its own: what may follow on what, and on whose word. */
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

/** The provider's words that lead to a state; the payer's own steps lead to pending, and to failed when the provider refused the start. */
const wordsFor: Record<string, readonly (string | null)[]> = {
  pending: ['pending', 'incomplete'],
  // Paid, and a part of it given back before anybody asked.
  succeeded: ['succeeded', 'partly_refunded'],
  failed: ['failed'],
  cancelled: ['cancelled'],
  expired: ['expired'],
  review: ['mismatch', 'refunded', 'partly_refunded'],
  refunded: ['refunded'],
};

/** What the story does not explain: it begins with the creation, and every state follows legally from the one before, on the provider's or an operator's word. */
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
      // Of a part: the state stays.
      if (state !== 'succeeded' || !event.returned) faults.push(`${event.returned} given back out of ${state}`);
      if (answer?.kind !== 'partly_refunded') faults.push(`given back by ${event.actor} after the answer ${answer?.kind ?? 'of nobody'}`);
    } else if (type === 'transition' || type === 'decision') {
      const step = `${from} -> ${to}`;
      if (from !== state) faults.push(`${step} out of ${state}`);
      if (!follows(type, from, to)) faults.push(`${step} is not allowed`);
      if (type === 'decision' && (event.actor !== 'operator' || event.reason === '')) faults.push(`${step} decided without a reason`);
      if (type === 'transition' && !isBacked(event, answer, { status, amount, currency })) {
        faults.push(`${step} by ${event.actor} after the answer ${answer?.kind ?? 'of nobody'}`);
      }
      state = to;
      if ((to === 'refunded') !== (returned === amount)) faults.push(`${step} with ${returned} of ${amount} given back`);
    } else {
      faults.push(`an event called ${type}`);
    }
  }
  if (state !== status) faults.push(`the story ends with ${state}, the payment is ${status}`);
  return faults;
}

/** An operator may close what was under review, or give its money back, record that a part was, and acknowledge it; nobody else does. */
const byHand = ['review -> failed', 'review -> refunded', 'succeeded -> succeeded'];
const follows = (type: string, from: string | null, to: string | null): boolean =>
  (legal[from ?? ''] ?? []).includes(to ?? '') || (type === 'decision' && byHand.includes(`${from} -> ${to}`));

function isBacked({ actor, from, to }: StoryEvent, answer: StoryEvent | null, { amount, currency }: Told): boolean {
  if (actor === 'learner' && from === 'created' && (to === 'pending' || to === 'failed')) return true;
  if (!(wordsFor[to ?? ''] ?? []).includes(answer?.kind ?? null)) return false;
  return to !== 'succeeded' || (answer?.paid === amount && answer.paidCurrency === currency);
}
