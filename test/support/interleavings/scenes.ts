import type { PaymentActor } from '../../../src/modules/payment/index.ts';
import { dayMs } from '../../../src/shared/dates.ts';
import type { Random } from '../random.ts';
import type { Beginning } from './beginning.ts';
import * as deeds from './deeds.ts';
import type { Ledger, Slug } from './ledger.ts';
import type { Outcome } from './scheduler.ts';

/** The concurrent actors with their use cases. */
interface Scene {
  deeds: Record<string, deeds.Deed>;
  /** Checks of the outcomes in addition to those of judge.ts. */
  expect?: (outcomes: readonly Outcome[]) => string[];
}

/** Draws a random variant of the scene. */
type SceneMaker = (dice: Dice, beginning: Beginning, ledger: Ledger) => Scene;

class Dice {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  one = <Item>(items: readonly Item[]): Item => items[Math.floor(this.#random() * items.length)] as Item;
  maybe = (): boolean => this.#random() < 0.5;
  slug = (): Slug => this.one(['zitopay', 'notchpay']);
  actor = (): PaymentActor => this.one(['learner', 'provider-notification', 'browser-return', 'reconciliation', 'operator']);
}

const succeeded = (outcomes: readonly Outcome[], names: readonly string[]) =>
  outcomes.filter(({ name, error }) => names.includes(name) && error === undefined);

/** Checks that of several operations based on the same state only one succeeded. */
const onlyOne =
  (...names: string[]) =>
  (outcomes: readonly Outcome[]): string[] =>
    succeeded(outcomes, names).length > 1 ? [`more than one of ${names.join(' and ')} succeeded`] : [];

const pays =
  (ledger: Ledger, reference: string): deeds.Deed =>
  () =>
    ledger.change(reference, 'paid', { state: 'paid' });
const cancels =
  (ledger: Ledger, reference: string): deeds.Deed =>
  () =>
    ledger.change(reference, 'cancelled', { state: 'cancelled' });
const givesBack =
  (ledger: Ledger, reference: string, returned: number): deeds.Deed =>
  () =>
    ledger.change(reference, `refunded ${returned}`, { returned });

/** Adds no enrolment, a lasting one, one that ends while the actors run, or an expired one. */
function anyEnrolment(dice: Dice, beginning: Beginning): void {
  const kind = dice.one(['none', 'lasting', 'ending', 'ended'] as const);
  if (kind === 'lasting') beginning.enrolment(10 * dayMs);
  if (kind === 'ending') beginning.enrolment(dice.one([1, 20, 60]));
  if (kind === 'ended') beginning.enrolment(-dayMs, 'expired');
}

const parts = [5_000, 10_000, 15_000, undefined];

/** Scenes by the operations that run concurrently. */
export const scenes: Record<string, SceneMaker> = {
  'settlement, settlement': (dice, beginning, ledger) => {
    anyEnrolment(dice, beginning);
    const alreadyPaid = dice.maybe();
    const status = dice.one(['created', 'pending', 'cancelled'] as const);
    const { reference } = beginning.payment({ provider: dice.slug(), status, there: { state: alreadyPaid ? 'paid' : 'open' } });
    return {
      deeds: {
        a: deeds.settle(reference, dice.actor()),
        b: deeds.settle(reference, dice.actor()),
        ...(!alreadyPaid && { payer: pays(ledger, reference) }),
      },
    };
  },

  'settlement, refund': (dice, beginning, ledger) => {
    const provider = dice.slug();
    const settledBefore = dice.maybe();
    const { id, reference } = beginning.payment({ provider, status: settledBefore ? 'succeeded' : 'pending', there: { state: 'paid' } });
    return {
      deeds: {
        settlement: deeds.settle(reference, dice.one(['reconciliation', 'operator', 'provider-notification'])),
        refund: deeds.decide(id, 'refund', { amount: dice.one(parts) }),
        ...(dice.maybe() && { provider: givesBack(ledger, reference, dice.one([5_000, 10_000, 15_000])) }),
      },
    };
  },

  'refund, refund': (dice, beginning) => {
    const refunded = dice.one([0, 5_000]);
    const { id } = beginning.payment({ provider: dice.slug(), status: 'succeeded', refunded });
    const seen = dice.maybe() ? { seen: refunded } : {};
    const amounts = [dice.one(parts), dice.one(parts), dice.one(parts)];
    const names = ['a', 'b', ...(dice.maybe() ? ['c'] : [])];
    const scene = {
      deeds: Object.fromEntries(names.map((name, index) => [name, deeds.decide(id, 'refund', { amount: amounts[index], ...seen })])),
    };
    return 'seen' in seen ? { ...scene, expect: onlyOne(...names) } : scene;
  },

  'settlements of two payments': (dice, beginning) => {
    anyEnrolment(dice, beginning);
    const [first, second] = [0, 1].map(() => beginning.payment({ provider: dice.slug(), status: 'pending', there: { state: 'paid' } }));
    return { deeds: { a: deeds.settle(first?.reference ?? '', dice.actor()), b: deeds.settle(second?.reference ?? '', dice.actor()) } };
  },

  'settlement, grant': (dice, beginning) => {
    anyEnrolment(dice, beginning);
    const { reference } = beginning.payment({ provider: dice.slug(), status: 'pending', there: { state: 'paid' } });
    return { deeds: { settlement: deeds.settle(reference, dice.actor()), grant: deeds.grant(dice.one([1, 7, 30])) } };
  },

  'settlement, expiry': (dice, beginning) => {
    beginning.enrolment(dice.one([-1, 1, 20, 60, 6 * dayMs]));
    const { reference } = beginning.payment({ provider: dice.slug(), status: 'pending', there: { state: 'paid' } });
    return {
      deeds: {
        settlement: deeds.settle(reference, dice.actor()),
        expiry: deeds.expire,
        ...(dice.maybe() && { 'other expiry': deeds.expire }),
      },
    };
  },

  'settlement, expiry, refund': (dice, beginning) => {
    const endsNow = dice.one([-1, 20, 60]);
    const paid = beginning.payment({ provider: dice.slug(), status: 'succeeded', age: 30 * dayMs - endsNow });
    const { reference } = beginning.payment({ provider: dice.slug(), status: 'pending', there: { state: 'paid' } });
    return {
      deeds: {
        settlement: deeds.settle(reference, dice.actor()),
        expiry: deeds.expire,
        refund: deeds.decide(paid.id, 'refund'),
      },
    };
  },

  'reconciliation, notification, return': (dice, beginning, ledger) => {
    const provider = dice.slug();
    const alreadyPaid = dice.maybe();
    const { reference } = beginning.payment({
      provider,
      status: dice.one(['created', 'pending']),
      there: { state: alreadyPaid ? 'paid' : 'open' },
    });
    return {
      deeds: {
        reconciliation: deeds.reconcile,
        notification: deeds.notify(reference, provider),
        ...(alreadyPaid ? { browser: deeds.browserReturns(reference) } : { payer: pays(ledger, reference) }),
      },
    };
  },

  'reconciliation, reconciliation': (dice, beginning) => {
    for (const state of ['paid' as const, dice.one(['paid', 'open', 'cancelled'] as const)]) {
      beginning.payment({ provider: dice.slug(), status: 'pending', there: { state } });
    }
    return { deeds: { a: deeds.reconcile, b: deeds.reconcile } };
  },

  'decision, late success': (dice, beginning, ledger) => {
    const status = dice.one(['pending', 'review', 'cancelled'] as const);
    const { id, reference } = beginning.payment({ provider: dice.slug(), status, there: { state: dice.one(['paid', 'open']) } });
    return {
      deeds: {
        operator: deeds.decide(id, status === 'review' ? dice.one(['close', 'refund'] as const) : 'review'),
        settlement: deeds.settle(reference, dice.actor()),
        payer: pays(ledger, reference),
      },
    };
  },

  'cancellation, late success': (dice, beginning, ledger) => {
    const { reference } = beginning.payment({ provider: dice.slug(), status: dice.one(['created', 'pending']) });
    return {
      deeds: {
        cancelled: deeds.browserReturns(reference),
        settlement: deeds.settle(reference, dice.one(['reconciliation', 'provider-notification'])),
        payer: async (means) => {
          await cancels(ledger, reference)(means);
          await pays(ledger, reference)(means);
        },
      },
    };
  },

  'start, start': (dice, beginning) => {
    anyEnrolment(dice, beginning);
    const another = dice.maybe() && beginning.payment({ status: 'pending', age: 30_000 }) !== null;
    const provider = dice.one(['zitopay', 'zitopay', 'notchpay'] as const);
    const scene = { deeds: { a: deeds.start(provider, another), b: deeds.start(provider, another) } };
    // A URL that can be opened only once is useless for the second tab, so that tab gets a separate attempt.
    return provider === 'zitopay' ? { ...scene, expect: startsOnce } : scene;
  },

  'start, settlement': (dice, beginning) => {
    const provider = dice.slug();
    const { reference } = beginning.payment({ provider, status: dice.one(['created', 'pending']), age: 60_000, there: { state: 'paid' } });
    return { deeds: { start: deeds.start(provider), settlement: deeds.settle(reference, dice.actor()) } };
  },

  'start, its own notification': (dice, _beginning, ledger) => {
    // The reference is unknown before the attempt starts, so the payer waits until the provider's ledger has it.
    const provider = dice.slug();
    const latest = () => [...ledger.lines.keys()].at(-1);
    const onceOpen =
      (deed: (reference: string) => deeds.Deed): deeds.Deed =>
      async (means) => {
        for (let looks = 0; looks < 20 && latest() === undefined; looks += 1) await ledger.look();
        const reference = latest();
        if (reference !== undefined) await deed(reference)(means);
      };
    return {
      deeds: {
        start: deeds.start(provider),
        notification: onceOpen((reference) => async (means) => {
          await pays(ledger, reference)(means);
          await deeds.notify(reference, provider)(means);
        }),
      },
    };
  },

  'withdrawal, settlement': (dice, beginning) => {
    beginning.enrolment(dice.one([60, 10 * dayMs, 40 * dayMs]));
    const { reference } = beginning.payment({ provider: dice.slug(), status: 'pending', there: { state: 'paid' } });
    return {
      deeds: {
        withdrawal: deeds.withdraw(dice.one([1, 30, 366])),
        settlement: deeds.settle(reference, dice.actor()),
        ...(dice.maybe() && { 'other withdrawal': deeds.withdraw(dice.one([1, 30])) }),
      },
    };
  },

  'withdrawal, refund': (dice, beginning) => {
    if (dice.maybe()) beginning.enrolment(10 * dayMs);
    const { id } = beginning.payment({ provider: dice.slug(), status: 'succeeded' });
    return {
      deeds: {
        withdrawal: deeds.withdraw(dice.one([1, 30, 366])),
        refund: deeds.decide(id, 'refund'),
        ...(dice.maybe() && { grant: deeds.grant(7) }),
      },
    };
  },

  'one form twice, settlement or refund': (dice, beginning) => {
    const { id } = beginning.payment({ provider: dice.slug(), status: 'succeeded' });
    const { reference } = beginning.payment({ provider: dice.slug(), status: 'pending', there: { state: 'paid' } });
    const change = dice.one(['grant', 'withdraw'] as const);
    const form = deeds.changeDaysOf(id, change, dice.one([1, 7]), beginning.latestExtension);
    const third = dice.one<Scene['deeds']>([
      {},
      { settlement: deeds.settle(reference, dice.actor()) },
      { refund: deeds.decide(id, 'refund') },
    ]);
    return { deeds: { a: form, b: form, ...third }, expect: onlyOne('a', 'b') };
  },

  'forms of two payments': (dice, beginning) => {
    const [first, second] = [0, 1].map(() => beginning.payment({ provider: dice.slug(), status: 'succeeded' }));
    const form = (id = 0) => deeds.changeDaysOf(id, dice.one(['grant', 'withdraw'] as const), dice.one([1, 7]), beginning.latestExtension);
    return { deeds: { a: form(first?.id), b: form(second?.id) }, expect: onlyOne('a', 'b') };
  },

  'acknowledgement, partial refund': (dice, beginning, ledger) => {
    const there = { returned: 5_000 };
    const { id, reference } = beginning.payment({ provider: 'notchpay', status: 'succeeded', there, refunded: 5_000, needsLook: true });
    return {
      deeds: {
        acknowledgement: deeds.decide(id, 'acknowledge', dice.maybe() ? { seen: 5_000 } : {}),
        settlement: deeds.settle(reference, dice.one(['reconciliation', 'provider-notification', 'operator'])),
        provider: givesBack(ledger, reference, dice.one([10_000, 15_000])),
      },
    };
  },
};

/** Checks that two concurrent starts return the same attempt, also when both request a further attempt. */
function startsOnce(outcomes: readonly Outcome[]): string[] {
  const begun = outcomes.flatMap(({ value }) => (value ? [(value as { payment: { reference: string } }).payment.reference] : []));
  return new Set(begun).size > 1 ? [`two attempts were started: ${begun.join(', ')}`] : [];
}

/** Returns a random variant of a scene, by default of a random scene. */
export function drawScene(random: Random, beginning: Beginning, ledger: Ledger, only?: string): Scene & { name: string } {
  const dice = new Dice(random);
  const name = only ?? dice.one(Object.keys(scenes));
  const make = scenes[name];
  if (!make) throw new Error(`no scene is called ${name}`);
  return { name, ...make(dice, beginning, ledger) };
}
