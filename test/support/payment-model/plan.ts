import type { KnobPatch } from '../../../simulators/notchpay/control-client.ts';
import type { Random } from '../random.ts';

export type ProviderName = 'zitopay' | 'notchpay';

/**
 * How the site is notified of a decision, and when. `reordered`: Notch Pay sends its events in a wrong order; ZitoPay only repeats its
 * notification.
 */
export type Notice = 'lost' | 'once' | 'repeated' | 'after-return' | 'reordered';

const forgeries = ['unsigned', 'wrong-key', 'tampered', 'foreign', 'unknown'] as const;
const verifyFaults = ['http500', 'html', 'slow', 'hang', 'http429', 'unknown-payment', 'unknown-word', 'bare-reference'] as const;
const startTroubles = ['lost', 'http500', 'html', 'http409', 'http429', 'told-before', 'paid-before'] as const;

/** One action of a person or a service on a payment. */
export type Step =
  | { do: 'approve' | 'decline' | 'cancel' | 'expire' | 'incomplete'; notice: Notice }
  /** The payer closes the page without a decision. */
  | { do: 'close' }
  /** The provider sends a repeated or premature notification with `status`; null: with the current state. */
  | { do: 'notify'; status: 'complete' | 'failed' | 'processing' | 'canceled' | null; times: number }
  | { do: 'forge'; how: (typeof forgeries)[number] }
  | { do: 'fault'; kind: (typeof verifyFaults)[number] }
  /** Verifications report another amount from now on. */
  | { do: 'tamper' }
  /** The learner's page requests the payment's state in several tabs. */
  | { do: 'ask'; tabs: number }
  | { do: 'return'; to: 'success' | 'cancel'; times: number; whose: 'own' | 'other' }
  /** `share`: part of the price; null: all that is left. */
  | { do: 'refund'; by: 'provider' | 'operator'; share: number | null }
  | { do: 'decide'; decision: 'review' | 'close' | 'acknowledge' }
  /** Another program, such as an older release, inserts an extension for a paid payment, without locks or state checks. */
  | { do: 'intrude' }
  /** A pause in ms, during which other actions can happen. */
  | { do: 'wait'; ms: number };

export interface Plan {
  provider: ProviderName;
  /** Numbers from 0 to 1 that select the learner and the prepa. */
  learner: number;
  prepa: number;
  /** A fault while the provider opens the payment. */
  startTrouble: (typeof startTroubles)[number] | null;
  /** The documented form of Notch Pay's responses for this payment; null for ZitoPay. */
  form: KnobPatch | null;
  /** Whether the payer's browser registers a smaller amount with the provider than our page requested. */
  underpays: boolean;
  steps: Step[];
}

const pick = <Item>(random: Random, items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
const chance = (random: Random, probability: number): boolean => random() < probability;
const upTo = (random: Random, most: number): number => 1 + Math.floor(random() * most);

/** Returns a random item according to the weights. */
function weighted<Item>(random: Random, choices: readonly (readonly [weight: number, make: () => Item])[]): Item {
  let left = random() * choices.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, make] of choices) {
    left -= weight;
    if (left < 0) return make();
  }
  throw new Error('the weights must add up to more than 0');
}

const notice = (random: Random): Notice =>
  weighted<Notice>(random, [
    [40, () => 'lost'],
    [25, () => 'once'],
    [15, () => 'repeated'],
    [10, () => 'after-return'],
    [10, () => 'reordered'],
  ]);

/** Returns an action that may happen at any time, before or after a decision. */
function incident(random: Random): Step {
  return weighted<Step>(random, [
    [28, () => ({ do: 'ask', tabs: upTo(random, 4) })],
    [14, () => ({ do: 'notify', status: pick(random, ['complete', 'failed', 'processing', 'canceled', null]), times: upTo(random, 3) })],
    [12, () => ({ do: 'forge', how: pick(random, forgeries) })],
    [14, () => ({ do: 'fault', kind: pick(random, verifyFaults) })],
    [14, () => back(random)],
    [4, () => ({ do: 'tamper' })],
    [3, () => ({ do: 'decide', decision: pick(random, ['review', 'close', 'acknowledge']) })],
    [11, () => ({ do: 'wait', ms: upTo(random, 60) })],
  ]);
}

const back = (random: Random): Step => ({
  do: 'return',
  to: chance(random, 0.7) ? 'success' : 'cancel',
  times: upTo(random, 2),
  whose: chance(random, 0.8) ? 'own' : 'other',
});

const incidents = (random: Random, most: number): Step[] =>
  Array.from({ length: Math.floor(random() * (most + 1)) }, () => incident(random));

const refusals = ['decline', 'cancel', 'expire', 'incomplete'] as const;

/** Returns the payer's decisions: most pay, some after a refusal. */
function outcome(random: Random): Step[] {
  const approve = (): Step => ({ do: 'approve', notice: notice(random) });
  const refuse = (): Step => ({ do: pick(random, refusals), notice: notice(random) });
  return weighted<Step[]>(random, [
    [58, () => [approve()]],
    [16, () => [refuse()]],
    [12, () => [refuse(), ...incidents(random, 2), approve()]],
    [6, () => [{ do: 'close' }]],
    [4, () => [{ do: 'close' }, ...incidents(random, 1), approve()]],
    [4, () => []],
  ]);
}

/** Returns one to three refunds, each of a part or of the rest. Up to two random incidents follow each refund. */
function refunds(random: Random, provider: ProviderName): Step[] {
  const one = (): Step => ({
    do: 'refund',
    by: provider === 'notchpay' && chance(random, 0.75) ? 'provider' : 'operator',
    share: weighted<number | null>(random, [
      [40, () => null],
      [20, () => 1 / 30],
      [25, () => 1 / 3],
      [15, () => 2 / 3],
    ]),
  });
  return Array.from({ length: upTo(random, 3) }, one).flatMap((step) => [step, ...incidents(random, 2)]);
}

/**
 * Returns a random combination of response and event forms. Each form occurs in the provider's documentation; the combinations do not.
 */
const anyForm = (random: Random): KnobPatch => ({
  transactionShape: pick(random, ['object', 'object', 'string']),
  startHttpStatus: pick(random, [200, 201, 202]),
  verifyHttpStatus: pick(random, [200, 201, 202]),
  codeType: pick(random, ['number', 'string']),
  envelope: pick(random, ['transaction', 'data', 'payment', 'nested']),
  ownReferenceField: pick(random, ['merchant_reference', 'trxref', 'reference']),
  sandbox: pick(random, [0, 1, false, true]),
  statementFields: chance(random, 0.5),
  partWord: pick(random, ['partialy-refunded', 'partially-refunded', 'refunded']),
  returnedField: pick(random, ['amount_refunded', 'refunded_amount', 'refunds']),
  webhookReference: pick(random, ['documented', 'ours', 'theirs', 'trxref']),
  webhookData: pick(random, ['flat', 'nested']),
  // With 'endpoint' all payments' events have the same id, which must not suppress any of them.
  webhookId: pick(random, ['event', 'endpoint']),
});

/** Returns the actions around one payment attempt; the same seed gives the same plan. */
export function planAttempt(random: Random): Plan {
  const provider = chance(random, 0.5) ? 'zitopay' : 'notchpay';
  const decided = outcome(random);
  const refund = chance(random, 0.3) ? refunds(random, provider) : [];
  const intrusion: Step[] = chance(random, 0.15) ? [{ do: 'intrude' }] : [];
  return {
    provider,
    learner: random(),
    prepa: random(),
    startTrouble: provider === 'notchpay' && chance(random, 0.12) ? pick(random, startTroubles) : null,
    form: provider === 'notchpay' ? anyForm(random) : null,
    underpays: provider === 'zitopay' && chance(random, 0.03),
    // A return after the decision has a chance of 0.4; incidents may add further returns.
    steps: [
      ...incidents(random, 2),
      ...decided,
      ...(chance(random, 0.4) ? [back(random)] : []),
      ...incidents(random, 2),
      ...intrusion,
      ...refund,
      ...incidents(random, 1),
    ],
  };
}
