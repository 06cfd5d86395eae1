import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'tap';
import type { Kernel } from '../../../src/kernel.ts';
import { paymentProviders, reconcilePayments, settlePayment } from '../../../src/modules/payment/index.ts';
import { createLearner, createPrepa } from '../factories.ts';
import { type Random, seeded } from '../random.ts';
import { sql } from '../sql.ts';
import { Deeds, type Stage as PlayStage, playAttempt } from './attempt.ts';
import { dropConstraint } from './intruder.ts';
import { booksOf, judge, type LedgerLine, type Stage, type Verdict } from './oracle.ts';
import { planAttempt } from './plan.ts';
import { ClockAhead, hours, ModelSite } from './site.ts';

type Reconciler = Pick<Kernel, 'fork' | 'context' | 'providers'>;

interface ModelOptions {
  /** Minimum number of payment attempts; an attempt that is started again counts once. */
  payments: number;
  seed: number;
  /** Number of server processes. */
  servers?: number;
  /** Number of concurrent attempts. */
  lanes?: number;
  /** Number of payments between two disturbances (a kill, a restart, a reconciliation); a short run also has one of each kind. */
  disturbEvery?: number;
  /** Drops `enrolment_extension_payment_unique`, the constraint that stops an intruder: see intruder.ts. */
  withoutConstraint?: boolean;
  /** Called repeatedly with the number of payments started so far. */
  onProgress?: (started: number) => void;
}

export interface ModelOutcome {
  /** Verdict after each stage. */
  verdicts: Record<Stage, Verdict>;
  /** Unexpected error responses. */
  complaints: string[];
  /** Number of events of each kind, to check that the run did something. */
  seen: Record<string, number>;
  databaseUrl: string;
  deeds: Parameters<typeof judge>[1];
}

/**
 * Runs random payments against both simulators, while servers are killed, the database is restarted and two reconciliations run. Then runs
 * one reconciliation after all due times; afterwards the ledgers and the database must agree.
 */
export async function runPaymentModel(test: Test, options: ModelOptions): Promise<ModelOutcome> {
  const { payments, seed, servers = 1, lanes = 10, disturbEvery = Math.min(50, Math.ceil(payments / 4)), onProgress = () => {} } = options;
  const took = stopwatch();
  const site = await ModelSite.open(test, servers);
  const { world } = site;
  if (options.withoutConstraint) await dropConstraint(world.databaseUrl);
  const clock = new ClockAhead();
  const reconcilers = [await site.newKernel(clock), await site.newKernel(clock)] as const;
  const [operator] = reconcilers;
  const deeds = new Deeds();
  const stage: PlayStage = {
    site,
    deeds,
    operator,
    // Each learner pays several times, for the same few prepas.
    learners: await inTurn(Math.ceil(payments / 3), () => createLearner(world)),
    prepas: await inTurn(4, () => createPrepa(world, { prix: 15_000 })),
  };

  took('opened');
  let next = 0;
  let disturbed = 0;
  const lane = async () => {
    while (deeds.started.size < payments && next < payments * 4) {
      const random = seeded(seed + next * 7_919);
      next += 1;
      await playAttempt(stage, planAttempt(random), random);
    }
  };
  let running = true;
  const disturb = async () => {
    const random = seeded(seed - 1);
    while (running) {
      await sleep(20);
      if (deeds.started.size < (disturbed + 1) * disturbEvery) continue;
      onProgress(deeds.started.size);
      await disturbance(site, reconcilers, disturbed, random);
      disturbed += 1;
    }
  };
  const disturbing = disturb();
  await Promise.all(Array.from({ length: lanes }, lane));
  running = false;
  await disturbing;

  took('played');
  // Stops the servers in order or by a kill, so that work after their responses ends or is lost.
  await site.stopServers(seed % 2 === 0 ? 'SIGTERM' : 'SIGKILL');
  for (const [reference, provider] of deeds.faulted) {
    if (provider === 'zitopay') await world.simulator.setKnobs({ verifyFaults: null, statusType: null }, reference);
    else await world.notchpay.setKnobs({ verifyFaults: null, statusWord: null }, reference);
  }

  const verdicts = {} as Record<Stage, Verdict>;
  const all = async () => ({
    ledger: await ledger(site),
    started: deeds.started,
    tampered: new Set(deeds.tampered.keys()),
    decisions: deeds.decisions,
  });
  const conclude = async (name: Stage) => {
    verdicts[name] = await judge(world.databaseUrl, await all(), name);
  };

  // New provider objects, as in new processes: without the circuit state learnt from earlier failures.
  const cron = reconcilers.map((kernel) => ({ ...kernel, providers: paymentProviders(kernel.config, { clock, log: kernel.log }) }));
  clock.ahead = hours(2);
  await reconcileOnce(cron);
  await conclude('reconciled');

  for (const [reference, provider] of deeds.tampered) {
    if (provider === 'zitopay') await world.simulator.setKnobs({ tamperedAmount: null }, reference);
    else await world.notchpay.setKnobs({ tamperedAmount: null }, reference);
  }
  await verifyByHand(world.databaseUrl, operator);
  await conclude('verified');

  clock.ahead = hours(28);
  await reconcileOnce(cron);
  await conclude('settled');
  const seconds = took('concluded');
  return {
    verdicts,
    complaints: site.complaints,
    seen: { ...(await whatWasSeen(site, next)), ...(await booksOf(world.databaseUrl, await ledger(site))), ...seconds },
    databaseUrl: world.databaseUrl,
    deeds: await all(),
  };
}

/** Returns the next disturbance in turn, so that a short run includes the worst one. */
async function disturbance(site: ModelSite, reconcilers: readonly Kernel[], turn: number, random: Random): Promise<void> {
  const reconcile = () => site.despiteOutages(() => reconcileOnce(reconcilers, { all: true, limit: 40 }));
  const after = (work: () => Promise<void>) => sleep(random() * 300).then(work);
  site.counts.reconciliations += 1;
  switch (turn % 5) {
    case 0:
      await Promise.all([reconcile(), after(() => site.restartDatabase('fast'))]);
      return;
    case 1:
      await Promise.all([reconcile(), after(() => site.killServer(random))]);
      return;
    case 2:
      await Promise.all([reconcile(), after(() => site.killServer(random)), after(() => site.restartDatabase('immediate'))]);
      return;
    case 3:
      await Promise.all([reconcile(), reconcileByCommand(site)]);
      return;
    default:
      await Promise.all([site.killServer(random), after(() => reconcileByCommand(site))]);
  }
}

/** The command fails when no provider responded, which is not a fault here. */
async function reconcileByCommand({ world }: ModelSite): Promise<void> {
  await world.prepa('payments', 'reconcile', '--all', '--limit', '40').catch(() => null);
}

/** Runs one pass in all kernels at once. */
async function reconcileOnce(kernels: readonly Reconciler[], options: { all?: boolean; limit?: number } = {}): Promise<void> {
  await Promise.all(
    kernels.map((kernel) => reconcilePayments(kernel.fork(), kernel.context, kernel.providers, { limit: 1_000_000, ...options })),
  );
}

/** Verifies all payments that wait for an operator. */
async function verifyByHand(databaseUrl: string, kernel: Kernel): Promise<void> {
  const waiting = await sql<{ id: number }>(
    databaseUrl,
    `select p.id from payment p
     where p.status = 'review' or p.status = 'failed' and exists (select from payment_event e where e.payment_id = p.id and e.type = 'decision')
     order by p.id`,
  );
  for (const { id } of waiting) await settlePayment(kernel.fork(), kernel.context, kernel.providers, id, 'operator', 'terminal');
}

async function ledger({ world }: ModelSite): Promise<LedgerLine[]> {
  const [zitopay, notchpay] = [await world.simulator.ledger(), await world.notchpay.ledger()];
  const settled = ['complete', 'refunded', 'partialy-refunded'];
  return [
    ...zitopay.map(({ ref, status, amount, currency }): LedgerLine => {
      return { provider: 'zitopay', ref, status, amount, currency, kept: status === 'COMPLETED' ? amount : 0 };
    }),
    ...notchpay.map(({ ref, status, amount, currency, paid }): LedgerLine => {
      return { provider: 'notchpay', ref, status, amount, currency, kept: settled.includes(status) ? paid : 0 };
    }),
  ];
}

async function whatWasSeen(site: ModelSite, attempts: number): Promise<Record<string, number>> {
  const rows = await sql<{ name: string; count: number }>(
    site.world.databaseUrl,
    `select status as name, count(*)::int as count from payment group by status
     union all select 'payments', count(*)::int from payment
     union all select 'renewals', count(*)::int from enrolment_extension where source = 'payment' and expires_before is not null
     union all select 'takenBack', count(*)::int from enrolment_extension where source = 'refund'
     union all select 'notifications', count(*)::int from payment_notification
     union all select 'late', count(*)::int from payment_event where type = 'transition' and to_status = 'succeeded' and from_status not in ('created', 'pending')
     union all select 'unanswered', count(*)::int from payment_event where type = 'verification' and detail ->> 'kind' = 'unknown'`,
  );
  return { attempts, ...Object.fromEntries(rows.map(({ name, count }) => [name, count])), ...site.counts };
}

/** Measures the parts of the run, in seconds; each part is named at its end. */
function stopwatch(): (name: string) => Record<string, number> {
  const parts: Record<string, number> = {};
  let since = performance.now();
  return (name) => {
    parts[`${name}Seconds`] = Math.round((performance.now() - since) / 100) / 10;
    since = performance.now();
    return parts;
  };
}

async function inTurn<Item>(count: number, create: () => Promise<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for (let index = 0; index < count; index += 1) items.push(await create());
  return items;
}
