import { setTimeout as pause } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { createLearner, createPrepa, type TestLearner } from './support/factories.ts';
import { createNetworkPath } from './support/network-path.ts';
import { sql } from './support/sql.ts';
import { createWorld, type Server } from './support/world.ts';

// Two server processes on one database: despite repeated and concurrent requests and kills, a payment opens 30 days exactly once.

const world = await createWorld(t);
const servers: [Server, Server] = [await world.startServer(), await world.startServer()];

/** Opens a learner's payment at the provider, undecided. The provider sends no notification unless the test does. */
async function openPayment(): Promise<{ learner: TestLearner; reference: string }> {
  const [learner, prepa] = await Promise.all([createLearner(world), createPrepa(world)]);
  const answer = await post(servers[0], '/api/payment/start', { prepaId: prepa.id }, learner);
  const { reference, amount, currency } = (await answer.json()) as { reference: string; amount: number; currency: string };
  await world.simulator.setKnobs({ notificationTimes: 0 }, reference);
  await world.simulator.register({
    receiver: 'prepa',
    ref: reference,
    amount,
    currency,
    notification_url: `${servers[1].url}/api/payment/zitopay/notification`,
  } as never);
  return { learner, reference };
}

function post(server: Server, path: string, body: object, learner: TestLearner): Promise<Response> {
  return fetch(server.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', authorization: `Bearer ${learner.token}` },
    body: JSON.stringify(body),
  });
}

const settle = (server: Server, { learner, reference }: { learner: TestLearner; reference: string }) =>
  post(server, '/api/payment/process', { transactionReference: reference }, learner);

interface Extension {
  reference: string;
  extensions: number;
  days: number;
  notifications: number;
}

/** Returns the extensions of each payment, by SQL that is independent of the application. */
function extensionsOf(reference?: string): Promise<Extension[]> {
  return sql<Extension>(
    world.databaseUrl,
    `select p.reference, count(x.id)::int as extensions,
            coalesce(extract(epoch from max(e.date_expiration) - max(e.date_inscription)) / 86400, 0)::float as days,
            (select count(*)::int from notification n where n.user_id = p.user_id) as notifications
     from payment p
     left join enrolment_extension x on x.payment_id = p.id
     left join enrolment e on e.id = x.enrolment_id
     where $1::text is null or p.reference = $1
     group by p.id order by p.id`,
    [reference ?? null],
  );
}

async function assertOnce(t: Test, reference: string): Promise<void> {
  t.same(await extensionsOf(reference), [{ reference, extensions: 1, days: 30, notifications: 1 }], 'exactly one extension of 30 days');
}

/** Polls until `found` returns true, for work after a response. */
async function until(found: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 15_000;
  while (!(await found())) {
    if (Date.now() > deadline) throw new Error('the condition was not met within 15 s');
    await pause(10);
  }
}

const isSucceeded = async (reference: string) =>
  (await sql(world.databaseUrl, `select 1 from payment where reference = $1 and status = 'succeeded'`, [reference])).length === 1;

t.test('20 parallel verifications in two processes settle the payment once', async (t) => {
  const payment = await openPayment();
  await world.simulator.approve(payment.reference);
  const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => settle(servers[index % 2 === 0 ? 0 : 1], payment)));
  for (const answer of answers) {
    t.equal(answer.status, 200);
    t.match(await answer.json(), { status: 'success' });
  }
  await assertOnce(t, payment.reference);
});

t.test('a commit whose response is lost on the network: it is stored, and the payment is settled once', async (t) => {
  const path = await createNetworkPath(t, world.databaseUrl);
  const server = await world.startServer({ DATABASE_URL: path.url, DATABASE_TIMEOUT_MS: '500' });
  const payment = await openPayment();
  await world.simulator.approve(payment.reference);
  path.cutAfter('commit');
  t.equal((await settle(server, payment)).status, 503);
  t.ok(await isSucceeded(payment.reference), 'the transaction was committed before the connection broke');
  t.equal((await settle(server, payment)).status, 503);
  path.restore();
  await until(async () => (await fetch(`${server.url}/readyz`)).status === 200);
  for (const one of [server, servers[0]]) t.match(await (await settle(one, payment)).json(), { status: 'success' });
  await assertOnce(t, payment.reference);
});

t.test('five copies of one notification settle the payment once', async (t) => {
  const payment = await openPayment();
  await world.simulator.approve(payment.reference);
  const bodies = Array.from({ length: 5 }, (_, index) =>
    fetch(`${servers[index % 2 === 0 ? 0 : 1].url}/api/payment/zitopay/notification`, {
      method: 'POST',
      body: new URLSearchParams({ ref: payment.reference, zitopay_transaction_reference: 'ZTP-1' }),
    }),
  );
  for (const answer of await Promise.all(bodies)) t.equal(answer.status, 200);
  const followed = async () =>
    (
      await sql<{ n: number }>(
        world.databaseUrl,
        'select count(*)::int as n from payment_notification where reference = $1 and processed_at is not null',
        [payment.reference],
      )
    )[0]?.n === 5;
  await until(followed);
  await assertOnce(t, payment.reference);
});

t.test('killed after the approval, while the provider is being asked', async (t) => {
  const payment = await openPayment();
  await world.simulator.setKnobs({ verifyFaults: [{ kind: 'hang', times: 1 }] }, payment.reference);
  await world.simulator.approve(payment.reference);
  const asked = world.nextVerification();
  const lost = settle(servers[0], payment).catch(() => null);
  await asked;
  await killAndReplace();
  t.equal(await lost, null, 'the browser got no response');
  t.match(await extensionsOf(payment.reference), [{ extensions: 0 }], 'no days are open yet');
  await world.prepa('payments', 'reconcile');
  await assertOnce(t, payment.reference);
});

t.test('killed before the commit', async (t) => {
  const payment = await openPayment();
  await world.simulator.approve(payment.reference);
  // A lock on the extension table stops the settling transaction in its middle.
  const em = world.kernel.fork();
  await em.begin();
  await em.execute('lock table enrolment_extension in access exclusive mode');
  const lost = settle(servers[0], payment).catch(() => null);
  await until(
    async () =>
      (
        await sql(
          world.databaseUrl,
          `select 1 from pg_locks where relation = 'enrolment_extension'::regclass and not granted and database = (select oid from pg_database where datname = current_database())`,
        )
      ).length > 0,
  );
  await killAndReplace();
  await em.rollback();
  t.equal(await lost, null, 'the browser got no response');
  await until(
    async () =>
      (
        await sql(
          world.databaseUrl,
          `select 1 from pg_stat_activity where datname = current_database() and state = 'active' and pid <> pg_backend_pid()`,
        )
      ).length === 0,
  );
  t.match(await extensionsOf(payment.reference), [{ extensions: 0 }], 'the interrupted settlement was rolled back entirely');
  await world.prepa('payments', 'reconcile');
  await assertOnce(t, payment.reference);
});

t.test('killed after the commit', async (t) => {
  const payment = await openPayment();
  await world.simulator.approve(payment.reference);
  const answer = settle(servers[0], payment).catch(() => null);
  await until(() => isSucceeded(payment.reference));
  await killAndReplace();
  await answer;
  await world.prepa('payments', 'reconcile');
  await assertOnce(t, payment.reference);
});

t.test('the database refuses a second extension for a payment', async (t) => {
  const copy = `insert into enrolment_extension (enrolment_id, payment_id, days, source, expires_after, created_at)
                select enrolment_id, payment_id, days, source, expires_after, created_at from enrolment_extension limit 1`;
  await t.rejects(sql(world.databaseUrl, copy), /enrolment_extension_payment_unique/);
});

t.test("the simulator's ledger and the database agree, payment by payment", async (t) => {
  const declined = await openPayment();
  await world.simulator.decline(declined.reference);
  t.match(await (await settle(servers[1], declined)).json(), { status: 'failed' });
  const approved = new Set((await world.simulator.ledger()).filter(({ status }) => status === 'COMPLETED').map(({ ref }) => ref));
  t.equal(approved.size, 6);
  for (const { reference, extensions } of await extensionsOf()) t.equal(extensions, approved.has(reference) ? 1 : 0, reference);
});

async function killAndReplace(): Promise<void> {
  await servers[0].kill9();
  servers[0] = await world.startServer();
}
