import { changeSources, type SourceChange } from '../changed-sources.ts';

/** A plausible race in the product, planted by changing sources while they are loaded. */
interface PlantedRace {
  /** Description of the fault. */
  what: string;
  changes: SourceChange[];
  /** SQL that removes constraints which would prevent the fault. */
  sql?: string;
  /** Number of random interleavings of any scene within which the race is found with every seed. */
  within: number;
}

const settlement = 'src/modules/payment/settlement/settle.service.ts';
const decision = 'src/modules/payment/settlement/decision.service.ts';
const start = 'src/modules/payment/attempts/start.service.ts';
const extension = 'src/modules/enrolment/days/extension.service.ts';
const withdrawal = 'src/modules/enrolment/days/withdrawal.service.ts';
const expiry = 'src/modules/enrolment/days/expiry.ts';
const dayChange = 'src/modules/support/actions/day-change.service.ts';
const transaction = 'src/platform/use-cases/transaction.ts';

const lockedPayment = 'const payment = await tx.findOneOrFail(Payment, id, { lockMode: LockMode.PESSIMISTIC_WRITE });';

export const plantedRaces: Record<string, PlantedRace> = {
  'settlement-without-lock': {
    what: 'a settlement reads the payment without locking its row',
    changes: [{ file: settlement, from: lockedPayment, to: 'const payment = await tx.findOneOrFail(Payment, id);' }],
    within: 500,
  },
  'settlement-without-lock-or-constraint': {
    what: 'the same, and the database allows a payment to open its days twice',
    changes: [{ file: settlement, from: lockedPayment, to: 'const payment = await tx.findOneOrFail(Payment, id);' }],
    sql: 'alter table enrolment_extension drop constraint enrolment_extension_payment_unique',
    within: 500,
  },
  'state-read-before-the-lock': {
    what: 'a settlement decides by the state that it read before it asked the provider',
    changes: [
      {
        file: settlement,
        from: 'const cause = { actor, operator, reportsRefunds };',
        to: 'const cause = { actor, operator, reportsRefunds, known: known.status };',
      },
      {
        file: settlement,
        from: '{ reportsRefunds, ...by }: Omit',
        to: '{ reportsRefunds, known, ...by }: { known: PaymentStatus } & Omit',
      },
      {
        file: settlement,
        from: 'const at = context.clock.now();\n  const cause',
        to: 'payment.status = known;\n  const at = context.clock.now();\n  const cause',
      },
    ],
    within: 500,
  },
  'event-after-the-transaction': {
    what: 'days are opened in a transaction of their own, after the one that says that the payment has succeeded',
    changes: [
      {
        file: settlement,
        from: 'const cause = { actor, operator, reportsRefunds };',
        to: 'const cause = { actor, operator, reportsRefunds, after: [] as Emit[] };',
      },
      { file: settlement, from: '{ reportsRefunds, ...by }: Omit', to: '{ reportsRefunds, after, ...by }: { after: Emit[] } & Omit' },
      {
        file: settlement,
        from: "await context.events.emit(tx, context, 'payment.settled', { paymentId: id, userId, prepaId, prepaNom, amount, at });",
        to: "after.push((own) => context.events.emit(own, context, 'payment.settled', { paymentId: id, userId, prepaId, prepaNom, amount, at }));",
      },
      {
        file: settlement,
        from: '(tx) => applyVerification(tx, context, known.id, verification, cause));',
        to: '(tx) => applyVerification(tx, context, known.id, verification, cause));\n  for (const emit of cause.after) await transact(em, context, emit);',
      },
    ],
    within: 5_000,
  },
  'refund-without-lock': {
    what: "an operator's decision reads the payment without locking its row",
    changes: [{ file: decision, from: '{ lockMode: LockMode.PESSIMISTIC_WRITE, orderBy', to: '{ orderBy' }],
    within: 500,
  },
  'days-without-lock': {
    what: 'days are added to an enrolment whose row is not locked: of two payments one adds none',
    changes: [{ file: extension, from: '{ lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },', to: '{ refresh: true },' }],
    within: 500,
  },
  'withdrawal-without-lock': {
    what: 'days are taken from an enrolment whose row is not locked',
    changes: [{ file: withdrawal, from: '    { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },\n', to: '    { refresh: true },\n' }],
    within: 1_000,
  },
  'refund-takes-days-without-lock': {
    what: 'a refund takes its days from an enrolment whose row is not locked',
    changes: [
      {
        file: withdrawal,
        from: 'extension.enrolment, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true }',
        to: 'extension.enrolment, { refresh: true }',
      },
    ],
    within: 1_000,
  },
  'expiry-in-two-steps': {
    what: 'ended accesses are looked for first and marked afterwards, whatever has been paid meanwhile',
    changes: [
      {
        file: expiry,
        from: "em.nativeUpdate(Enrolment, ended, { statut: 'expired' })",
        to: "em.nativeUpdate(Enrolment, { id: (await em.fork().find(Enrolment, ended)).map(({ id }) => id) }, { statut: 'expired' })",
      },
    ],
    within: 2_000,
  },
  'opening-overwrites-the-state': {
    what: 'an attempt that its provider has opened is pending, whatever it has become meanwhile',
    changes: [{ file: start, from: "if (payment.status !== 'created') {", to: 'if (false) {' }],
    within: 2_000,
  },
  'two-tabs-without-lock': {
    what: "a learner's attempts do not wait for one another",
    changes: [
      {
        file: start,
        from: "'select pg_advisory_xact_lock(hashtextextended(?, 0))'",
        to: "'select ?::text'",
      },
    ],
    within: 1_000,
  },
  'history-read-before-the-lock': {
    what: 'the history of days that an operator has seen is compared before the enrolment is locked',
    changes: [
      {
        file: extension,
        from: '  await em\n    .createQueryBuilder(Enrolment)',
        to: '  const known = await em.fork().findOne(Enrolment, { user: userId, prepa: prepaId });\n  if (extension.seen !== undefined) await requireNothingNewer(em, known?.id ?? 0, extension.seen);\n  await em\n    .createQueryBuilder(Enrolment)',
      },
      { file: extension, from: 'if (extension.seen !== undefined) await requireNothingNewer(em, enrolment.id, extension.seen);', to: '' },
    ],
    within: 1_000,
  },
  'locks-in-the-other-order': {
    what: 'days are changed with the enrolment locked before the payment, and a deadlock is not tried again',
    changes: [
      {
        file: dayChange,
        from: 'return (change',
        to: 'const changed = await (change',
      },
      {
        file: dayChange,
        from: '{ email, prepaId, days, reason, seen }, actor);',
        to: "{ email, prepaId, days, reason, seen }, actor);\n    await tx.execute('select id from payment where id = ? for update', [paymentId]);\n    return changed;",
      },
      { file: transaction, from: 'const retries = 3;', to: 'const retries = 0;' },
    ],
    within: 5_000,
  },
  'another-isolation': {
    what: 'changes run in repeatable read, where whoever has waited for a row is refused',
    changes: [
      {
        file: transaction,
        from: 'transactional((tx) => change(tx, (work) => afterwards.push(work)));',
        to: "transactional((tx) => change(tx, (work) => afterwards.push(work)), { isolationLevel: 'repeatable read' as never });",
      },
    ],
    within: 500,
  },
};

/**
 * Changes the sources that this process loads from now on.
 * @throws Error for an unknown name, or when a source is loaded that does not contain the text to change
 */
export function plant(name: string): PlantedRace {
  const race = plantedRaces[name];
  if (!race) throw new Error(`no planted race is called ${name}`);
  changeSources(name, race.changes);
  return race;
}
