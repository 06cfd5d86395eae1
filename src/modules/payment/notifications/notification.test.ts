import { setTimeout as wait } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { startSimulator } from '../../../../simulators/zitopay/testing.ts';
import { createTestApp, type TestApp } from '../../../../test/support/app.ts';
import { createLearner, createPrepa } from '../../../../test/support/factories.ts';
import { sql } from '../../../../test/support/sql.ts';
import { showPayment } from '../../support/index.ts';
import { startPayment } from '../attempts/start.service.ts';
import { settlePayment } from '../settlement/settle.service.ts';
import { followNotification, storeNotification } from './notification.service.ts';

const urlencoded = 'application/x-www-form-urlencoded';

/** Opens the application on a port, so that the simulator's notifications arrive. */
async function openShop(t: Test) {
  const simulator = await startSimulator(t as never);
  const home = await createTestApp(t, { ZITOPAY_BASE_URL: simulator.url, ZITOPAY_RECEIVER: 'prepa', ZITOPAY_TIMEOUT_MS: '5000' });
  const origin = await home.app.listen({ host: '127.0.0.1', port: 0 });
  const { kernel, databaseUrl } = home;
  const prepa = await createPrepa(home);
  const learner = await createLearner(home);
  const { payment, checkout } = await startPayment(kernel.fork(), kernel.context, kernel.providers, { learner, prepaId: prepa.id, origin });
  if (checkout.kind !== 'widget') throw new Error('a widget');
  await simulator.control.register(checkout.options as never);
  return {
    ...home,
    simulator,
    prepa,
    learner,
    reference: payment.reference,
    id: payment.id,
    stored: () =>
      sql<{ reference: string; payment_id: number; done: boolean; body: Buffer; content_type: string }>(
        databaseUrl,
        'select reference, payment_id, processed_at is not null as done, body, content_type from payment_notification order by id',
      ),
    /** Waits until this number of notifications is processed. Returns the state of the payment and its number of extensions. */
    async settled(notifications = 0) {
      const processed = async () =>
        (await sql<{ n: number }>(databaseUrl, 'select count(*)::int as n from payment_notification where processed_at is not null'))[0]
          ?.n ?? 0;
      for (const deadline = Date.now() + 15_000; (await processed()) < notifications && Date.now() < deadline; ) await wait(10);
      await home.app.close();
      const [row] = await sql<{ status: string; extensions: number }>(
        databaseUrl,
        'select status, (select count(*)::int from enrolment_extension) as extensions from payment',
      );
      return row;
    },
  };
}

const notify = (
  { app }: Pick<TestApp, 'app'>,
  payload: string | Buffer | undefined,
  type?: string,
  url = '/api/payment/zitopay/notification',
) =>
  app.inject({
    method: 'POST',
    url,
    headers: type === undefined ? {} : { 'content-type': type },
    ...(payload === undefined ? {} : { payload }),
  });

for (const notificationEncoding of ['urlencoded', 'multipart'] as const) {
  t.test(`the simulator's own notification, ${notificationEncoding}, five times`, async (t) => {
    const shop = await openShop(t);
    await shop.simulator.control.setKnobs({ notificationEncoding, notificationTimes: 5 });
    const { deliveries } = await shop.simulator.control.approve(shop.reference);
    t.strictSame(
      deliveries.map(({ httpStatus }) => httpStatus),
      [200, 200, 200, 200, 200],
    );
    const stored = await shop.stored();
    t.equal(stored.length, 5);
    t.strictSame(await shop.settled(5), { status: 'succeeded', extensions: 1 });
    t.match(
      await sql(shop.databaseUrl, 'select provider_transaction_id as id from payment'),
      [{ id: /^SIM-/ }],
      'the payment is found by the id that the payer quotes',
    );
    for (const row of await shop.stored()) t.match(row, { reference: shop.reference, payment_id: shop.id, done: true });
    t.match(stored[0]?.body.toString(), shop.reference, 'the body is stored as sent');
  });
}

t.test('a notification proves nothing: the provider is asked for the outcome', async (t) => {
  const shop = await openShop(t);
  const answer = await notify(shop, `ref=${shop.reference}&status=1`, urlencoded);
  t.strictSame([answer.statusCode, answer.body], [200, 'OK']);
  t.strictSame(await shop.settled(), { status: 'pending', extensions: 0 });
});

t.test('shutdown waits for running verifications', async (t) => {
  const shop = await openShop(t);
  await shop.simulator.control.setKnobs({ notificationTimes: 0, verifyHangMs: 300, verifyFaults: [{ kind: 'hang', times: 1 }] });
  await shop.simulator.control.approve(shop.reference);
  await notify(shop, `ref=${shop.reference}`, urlencoded);
  t.strictSame(await shop.settled(), { status: 'succeeded', extensions: 1 });
});

t.test('without an answer from the provider, the notification is tried again later', async (t) => {
  const shop = await openShop(t);
  await shop.simulator.control.setKnobs({ notificationTimes: 0, verifyFaults: [{ kind: 'http500', times: null }] });
  await shop.simulator.control.approve(shop.reference);
  await notify(shop, `ref=${shop.reference}`, urlencoded);
  t.strictSame(await shop.settled(), { status: 'pending', extensions: 0 });
  t.match(await shop.stored(), [{ done: false }]);
});

t.test('every body is stored and gets a 200', async (t) => {
  const shop = await openShop(t);
  const cases: [string, string | Buffer | undefined, string | undefined, string | null][] = [
    ['unknown reference', 'ref=ZP1', urlencoded, 'ZP1'],
    ['JSON', '{"ref":"ZP1"}', 'application/json', null],
    ['broken JSON', '{', 'application/json', null],
    ['no type', 'ref=ZP1', undefined, 'ZP1'],
    ['an invalid type', 'ref=ZP1', 'text', null],
    ['no body', undefined, undefined, null],
    ['bytes', Buffer.from([0, 255, 0]), 'application/octet-stream', null],
    ['a NUL', 'ref=ZP%001', urlencoded, null],
    ['too long a reference', `ref=${'Z'.repeat(85)}`, urlencoded, null],
    ['a long type', 'ref=ZP1', `${urlencoded}; x=${'y'.repeat(300)}`, 'ZP1'],
  ];
  for (const [name, payload, type] of cases) {
    const answer = await notify(shop, payload, type);
    t.strictSame([answer.statusCode, answer.body], [200, 'OK'], name);
  }
  const stored = await shop.stored();
  t.strictSame(
    stored.map(({ reference }) => reference),
    cases.map(([, , , reference]) => reference),
  );
  t.ok(stored.every(({ done, payment_id }) => !done && payment_id === null));
  t.strictSame(stored[6]?.body, Buffer.from([0, 255, 0]));
});

t.test('a notification is accepted by GET, without the prefix /api and from another site', async (t) => {
  const shop = await openShop(t);
  const url = `/payment/zitopay/notification?ref=${shop.reference}`;
  const answer = await shop.app.inject({ url, headers: { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' } });
  t.equal(answer.statusCode, 200);
  const posted = await shop.app.inject({
    method: 'POST',
    url: '/payment/zitopay/notification',
    headers: { origin: 'https://evil.example' },
  });
  t.equal(posted.statusCode, 200);
  t.match(await shop.stored(), [{ reference: shop.reference, payment_id: shop.id }, { reference: null }]);
});

t.test('notifications are limited per sender', async (t) => {
  const shop = await openShop(t);
  t.equal((await notify(shop, 'x'.repeat(64 * 1024 + 1), urlencoded)).statusCode, 413);
  t.equal((await notify(shop, 'ref=ZP1', urlencoded, '/api/payment/nobody/notification')).statusCode, 404);
  t.equal((await notify(shop, 'ref=ZP1', urlencoded, '/api/payment/a%00b/notification')).statusCode, 400);
  t.equal((await shop.stored()).length, 0);
  const statuses = new Set<number>();
  for (let count = 0; count < 120; count += 1) statuses.add((await notify(shop, 'x'.repeat(60_000), urlencoded)).statusCode);
  t.strictSame(statuses, new Set([200, 429]), 'large notifications are soon refused');
});

t.test('a notification without a valid signature from a signing provider is stored but not processed', async (t) => {
  const shop = await openShop(t);
  const { kernel, reference } = shop;
  const signing = { ...kernel.providers.default, signsNotifications: true };
  const body = Buffer.from(`ref=${reference}`);
  t.match(await storeNotification(kernel.fork(), kernel.context, signing, { body, headers: {} }), { paymentId: null });
  t.match(await shop.stored(), [{ reference: null, payment_id: null, body }]);
});

t.test("a forged id does not redirect another payment's notifications", async (t) => {
  const shop = await openShop(t);
  const [{ id, reference } = { id: 0, reference: '' }] = await sql<{ id: number; reference: string }>(
    shop.databaseUrl,
    `insert into payment (provider, reference, user_id, prepa_id, prepa_nom, amount, status, created_at, updated_at)
     select provider, reference || 'b', user_id, prepa_id, prepa_nom, amount, 'pending', created_at, created_at from payment returning id, reference`,
  );
  // The older payment's stored provider id is the newer payment's reference.
  await sql(shop.databaseUrl, 'update payment set provider_transaction_id = $1 where id = $2', [reference, shop.id]);
  await notify(shop, `ref=${reference}`, 'application/x-www-form-urlencoded');
  t.match(await shop.stored(), [{ payment_id: id }]);
  t.equal((await showPayment(shop.kernel.fork(), reference))?.id, id, 'the support screen finds the payment by its reference');
});

t.test('after an answer that could not be stored, the notification still verifies the payment', async (t) => {
  const { simulator, kernel, databaseUrl, id, reference, stored } = await openShop(t);
  await simulator.control.setKnobs({ notificationTimes: 0 });
  await simulator.control.approve(reference);
  const [em, arrived] = [kernel.fork(), performance.now()];
  const notification = { body: Buffer.from(`ref=${reference}`), headers: { 'content-type': urlencoded } };
  const kept = await storeNotification(em, kernel.context, kernel.providers.default, notification);
  if (!kept) throw new Error('it is known');
  // Simulates a database failure between the answer and its storage.
  await sql(databaseUrl, "create function away() returns trigger language plpgsql as $$ begin raise exception 'away'; end $$");
  await sql(databaseUrl, 'create trigger away before update on payment execute function away()');
  await t.rejects(settlePayment(kernel.fork(), kernel.context, kernel.providers, id, 'learner'));
  await sql(databaseUrl, 'drop trigger away on payment');
  await followNotification(em, kernel.context, kernel.providers, { id: kept.id, paymentId: id, arrived, providerTransactionId: undefined });
  t.match(await showPayment(kernel.fork(), id), { status: 'succeeded' });
  t.match(await stored(), [{ done: true }]);
});
