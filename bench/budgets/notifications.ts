/**
 * Sends 500 notifications within a second while 20 learners read: checks that each is acknowledged and stored, and measures how much slower
 * the readers' pages become.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createControlClient } from '../../simulators/zitopay/control-client.ts';
import { projectRoot } from '../../src/platform/settings/project-root.ts';
import { sql } from '../../test/support/sql.ts';
import type { BurstResult, BurstTurn } from '../support/burst-client.ts';
import { startClient } from '../support/client-process.ts';
import { sessionCookie } from '../support/fixtures.ts';
import { median, p95, type Report, spread } from '../support/report.ts';
import type { Site } from '../support/site.ts';
import type { Workshop } from '../support/workshop.ts';

const readers = 20;
const burst = 500;
const burstMs = 1_000;
/** Rounds that count. One warm-up round comes first: V8 compiles hot functions in it, which delays all requests. */
const rounds = 5;
const idleMs = 3_000;

/**
 * The notifications are about payments that the provider has just approved, so the server verifies each after its response and opens 30
 * days of access. The response times during the burst are compared with the idle ones of the same round.
 */
export async function measureNotifications(workshop: Workshop, site: Site, report: Report): Promise<void> {
  report.section(`${burst} notifications in a second, while ${readers} learners read`);
  const simulator = await workshop.start('simulator', `${projectRoot}/simulators/zitopay/server.ts`, () => ({}));
  // Production refuses a simulator, so idle time and burst are both measured with NODE_ENV=test.
  const server = await site.restart({ NODE_ENV: 'test', ZITOPAY_BASE_URL: simulator.origin });
  const control = createControlClient(simulator.origin);
  const client = startClient<BurstTurn, BurstResult>(new URL('../support/burst-client.ts', import.meta.url));
  workshop.teardown(client.stop);
  const pages = site.lessons.slice(0, readers).map((lesson, index) => ({ path: site.studyPath(lesson), cookie: sessionCookie(index + 1) }));
  const turn = (references: string[], durationMs: number) =>
    client.run({ origin: server.origin, pages, notifications: references.map(notificationOf), downloads: [], durationMs });
  // Warm-up: first requests compile code, plan statements and fill caches.
  await turn([], idleMs);

  const ratios: number[] = [];
  let answered = 0;
  for (let round = -1; round < rounds; round += 1) {
    const references = await openPayments(site, control, round);
    const { pageTimes: idle } = await turn([], idleMs);
    const { pageTimes: busy, statuses } = await turn(references, burstMs);
    await settled(site, references);
    if (round < 0) continue;
    answered += statuses.filter((status) => status >= 200 && status < 300).length;
    ratios.push(p95(busy) / p95(idle));
    report.fact(
      `round ${round + 1}: p95 of a page`,
      `${p95(idle).toFixed(1)} ms idle, ${p95(busy).toFixed(1)} ms in the burst (${busy.length} pages)`,
    );
  }
  const [stored] = await sql<{ n: number }>(
    site.databaseUrl,
    `select count(*)::int as n from payment_notification where reference like 'BURST%' and reference not like 'BURST-1%'`,
  );
  const [opened] = await sql<{ n: number }>(
    site.databaseUrl,
    `select count(*)::int as n from enrolment_extension x join payment p on p.id = x.payment_id where p.reference like 'BURST%' and p.reference not like 'BURST-1%'`,
  );
  report.budget({ what: 'not acknowledged', measured: rounds * burst - answered, limit: 0, unit: `of ${rounds * burst}`, digits: 0 });
  report.budget({ what: 'not stored', measured: rounds * burst - (stored?.n ?? 0), limit: 0, unit: `of ${rounds * burst}`, digits: 0 });
  report.budget({
    what: 'paid and not opened',
    measured: rounds * burst - (opened?.n ?? 0),
    limit: 0,
    unit: `of ${rounds * burst}`,
    digits: 0,
  });
  report.budget({ what: 'p95 of the study page', measured: median(ratios), limit: 3, unit: '× idle', detail: spread(ratios) });
}

const notificationOf = (reference: string, index: number) => ({
  path: '/api/payment/zitopay/notification',
  body: `ref=${reference}&zitopay_transaction_reference=ZTP${index}`,
});

/** Inserts one pending payment of each of `burst` learners and approves it at the provider. */
async function openPayments({ databaseUrl }: Site, control: ReturnType<typeof createControlClient>, round: number): Promise<string[]> {
  const rows = await sql<{ reference: string; amount: number }>(
    databaseUrl,
    `insert into payment (provider, reference, user_id, prepa_id, prepa_nom, amount, status, next_check_at, created_at, updated_at)
     select 'zitopay', 'BURST' || $1::int || '-' || n, u.id, p.id, p.nom, p.prix, 'pending', now() + interval '1 hour', now(), now()
     from generate_series(1, $2::int) n join app_user u on u.username = 'candidat_' || n, (select * from prepa order by id desc limit 1) p
     returning reference, amount`,
    [round, burst],
  );
  for (const { reference, amount } of rows) {
    await control.register({ receiver: 'bench', ref: reference, amount, currency: 'XAF' } as never);
    await control.approve(reference);
  }
  return rows.map(({ reference }) => reference);
}

/** Waits until all payments are verified, which happens after the responses. */
async function settled({ databaseUrl }: Site, references: string[]): Promise<void> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await sleep(100)) {
    const [open] = await sql<{ n: number }>(
      databaseUrl,
      `select count(*)::int as n from payment where reference = any($1) and status <> 'succeeded'`,
      [references],
    );
    if (open?.n === 0) return;
  }
}
