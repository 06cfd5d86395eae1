/** 500 notifications within a second while 20 learners read: each acknowledged and stored, and what it costs the readers. */
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createControlClient } from '../simulators/zitopay/control-client.ts';
import { projectRoot } from '../src/platform/settings/project-root.ts';
import { sql } from '../test/support/sql.ts';
import { sessionCookie } from './fixtures.ts';
import { median, type Report, spread } from './report.ts';
import type { Site } from './site.ts';
import type { Workshop } from './workshop.ts';

const readers = 20;
/** Between a learner's page and the next, in ms: fast readers. */
const pause = 200;
const burst = 500;
const burstMs = 1_000;
/** Before the first of them one that does not count: until the engine has compiled what is hot, everything waits for it. */
const rounds = 5;
const idleMs = 3_000;

/**
 * The notifications are of payments that the provider has just approved, so that each is verified and opens 30 days behind its answer.
 * The idle time of the same round is what the burst's is compared with.
 */
export async function measureNotifications(workshop: Workshop, site: Site, report: Report): Promise<void> {
  report.section(`${burst} notifications in a second, while ${readers} learners read`);
  const simulator = await workshop.start('simulator', `${projectRoot}/simulators/zitopay/server.ts`, () => ({}));
  // Production refuses a simulator: idle time and burst are both measured with NODE_ENV=test.
  const server = await site.restart({ NODE_ENV: 'test', ZITOPAY_BASE_URL: simulator.origin });
  const control = createControlClient(simulator.origin);
  const agent = new Agent({ keepAlive: true, maxSockets: 100 });
  workshop.teardown(() => agent.destroy());

  const paths = site.lessons.slice(0, readers).map((lesson) => site.studyPath(lesson));
  const readFor = (until: () => boolean) =>
    Promise.all(paths.map((path, index) => read(agent, `${server.origin}${path}`, sessionCookie(index + 1), until))).then((times) =>
      times.flat(),
    );
  // Whatever is asked for first is compiled, planned and cached.
  await readFor(after(idleMs));

  const ratios: number[] = [];
  let answered = 0;
  for (let round = -1; round < rounds; round += 1) {
    const references = await openPayments(site, control, round);
    const idle = await readFor(after(idleMs));
    let done = false;
    const [busy, statuses] = await Promise.all([
      readFor(() => done),
      notifyAll(agent, server.origin, references).finally(() => {
        done = true;
      }),
    ]);
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

const after = (ms: number) => {
  const end = performance.now() + ms;
  return () => performance.now() > end;
};

/** Each of as many learners' payment for a prepa, approved at the provider. */
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

/** Spread over a second, whatever the answers take. */
async function notifyAll(agent: Agent, origin: string, references: string[]): Promise<number[]> {
  const start = performance.now();
  return Promise.all(
    references.map(async (reference, index) => {
      const due = start + (index * burstMs) / references.length;
      await sleep(Math.max(0, due - performance.now()));
      return send(agent, `${origin}/api/payment/zitopay/notification`, `ref=${reference}&zitopay_transaction_reference=ZTP${index}`);
    }),
  );
}

function send(agent: Agent, url: string, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': body.length };
    const outgoing = request(url, { agent, method: 'POST', headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
    outgoing.on('error', reject).end(body);
  });
}

/** Page after page; how long each took, in ms. */
async function read(agent: Agent, url: string, cookie: string, until: () => boolean): Promise<number[]> {
  const times: number[] = [];
  await sleep(Math.random() * pause);
  while (!until()) {
    const start = performance.now();
    await new Promise<void>((resolve, reject) => {
      const headers = { cookie, accept: 'text/html', 'accept-encoding': 'gzip' };
      request(url, { agent, headers }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`a reader got ${response.statusCode}`));
        response.resume().on('end', resolve);
      })
        .on('error', reject)
        .end();
    });
    times.push(performance.now() - start);
    await sleep(pause);
  }
  return times;
}

/** Behind the answers the payments are verified: the next round begins when all of them are. */
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

function p95(times: number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? Number.NaN;
}
