import t, { type Test } from 'tap';
import { startSimulator } from '../../../../simulators/zitopay/testing.ts';
import { createTestApp } from '../../../../test/support/app.ts';
import { createLearner, createPayment, createPrepa } from '../../../../test/support/factories.ts';
import { showPayment } from '../../support/index.ts';
import { startPayment } from '../attempts/start.service.ts';

const urlencoded = 'application/x-www-form-urlencoded';

async function openShop(t: Test) {
  const simulator = await startSimulator(t as never);
  const home = await createTestApp(t, { ZITOPAY_BASE_URL: simulator.url, ZITOPAY_RECEIVER: 'prepa', ZITOPAY_TIMEOUT_MS: '10000' });
  const { kernel, app } = home;
  const prepa = await createPrepa(home);
  const input = { learner: await createLearner(home), prepaId: prepa.id, origin: 'http://127.0.0.1:1' };
  const { payment, checkout } = await startPayment(kernel.fork(), kernel.context, kernel.providers, input);
  if (checkout.kind !== 'widget') throw new Error('a widget');
  await simulator.control.register(checkout.options as never);
  const { reference } = payment;
  const crossSite = { origin: 'https://pay.example', 'sec-fetch-site': 'cross-site', accept: 'text/html' };
  return {
    ...home,
    simulator,
    reference,
    returning: (suffix = '') => `/user/dashboard?payment_status=${suffix}&prepa_id=${prepa.id}`,
    async come(url: string, body?: string, type = urlencoded) {
      const posted = body === undefined ? {} : { method: 'POST' as const, payload: body };
      const answer = await app.inject({
        url,
        ...posted,
        headers: { ...crossSite, ...(body === undefined ? {} : { 'content-type': type }) },
      });
      return answer.statusCode === 303 ? answer.headers.location : answer.statusCode;
    },
    status: async () => (await showPayment(kernel.fork(), reference))?.status,
  };
}

t.test('return from the provider: the verification settles, and the dashboard shows the outcome', async (t) => {
  const multipart = 'multipart/form-data; boundary=XX';
  const ways: [string, (reference: string) => [string, string?, string?]][] = [
    ['GET', (reference) => [`/success?ref=${reference}`]],
    ['GET with the other name', (reference) => [`/success?reference=${reference}`]],
    ['form', (reference) => ['/success', `ref=${reference}&zitopay_transaction_reference=T`]],
    [
      'multipart',
      (reference) => ['/success', `--XX\r\nContent-Disposition: form-data; name="ref"\r\n\r\n${reference}\r\n--XX--\r\n`, multipart],
    ],
  ];
  for (const [name, way] of ways) {
    const { come, reference, returning, status, simulator } = await openShop(t);
    await simulator.control.approve(reference);
    t.equal(await come(...way(reference)), returning('success'), name);
    t.equal(await status(), 'succeeded', name);
    t.equal(await come(...way(reference)), returning('success'), `${name}, twice`);
  }
});

t.test('the return URL does not decide the result of a payment', async (t) => {
  const { come, reference, returning, status, simulator } = await openShop(t);
  t.equal(await come('/success', `ref=${reference}&status=1`), returning('success'));
  t.equal(await status(), 'pending');
  t.equal(await come('/cancel', `ref=${reference}`), returning('cancel'));
  t.equal(await status(), 'pending', 'only the provider decides about a cancellation');
  await simulator.control.approve(reference);
  t.equal(
    await come('/cancel', `ref=${reference}`),
    returning('success'),
    'a paid payment succeeds, although the browser returned by the cancel address',
  );
  t.equal(await status(), 'succeeded');
});

t.test('declined at the provider: /success does not show a success', async (t) => {
  const { come, reference, returning, status, simulator } = await openShop(t);
  await simulator.control.decline(reference);
  t.equal(await come(`/success?ref=${reference}`), returning('cancel'));
  t.equal(await status(), 'failed');
});

t.test("every field with a reference is read, ours before the provider's", async (t) => {
  const { come, reference, returning, kernel, clock } = await openShop(t);
  t.equal(await come(`/success?ref=T-1&reference=%00&trxref=x&notchpay_trxref=${reference}`), returning('success'));
  t.equal(await come('/success?ref=T-1', `reference=${reference}`), returning('success'));
  // An older payment of another learner, whose provider id is this payment's reference.
  const another = await createPrepa({ kernel, clock });
  const older = await createPayment({ kernel, clock }, await createLearner({ kernel, clock }), another, 'pending');
  const em = kernel.fork();
  await em.execute('update payment set id = -1, provider_transaction_id = ? where id = ?', [reference, older.id]);
  t.equal(await come(`/success?ref=${reference}`), returning('success'));
  await em.execute("update payment set provider_transaction_id = 'T-9' where id = -1");
  t.equal(await come('/success?ref=T-9'), `/user/dashboard?payment_status=success&prepa_id=${another.id}`);
});

t.test('a return with an unknown or missing reference leads to the dashboard without a prepa', async (t) => {
  const { come } = await openShop(t);
  const plain = '/user/dashboard?payment_status=success';
  for (const query of ['', '?ref=ZP1', '?ref=ZP1&ref=ZP2', '?ref[]=ZP1', '?ref=%00', `?ref=${'Z'.repeat(5_000)}`, '?ref=%ff']) {
    t.equal(await come(`/success${query}`), plain, query);
  }
  for (const [body, type] of [
    ['', urlencoded],
    ['ref=%00', urlencoded],
    ['{"ref":1}', 'application/json'],
    ['--', 'multipart/form-data'],
  ]) {
    t.equal(await come('/success', body, type), plain, `${type} ${body}`);
  }
  t.equal(await come('/cancel'), '/user/dashboard?payment_status=cancel');
  t.equal(await come('/success', 'x'.repeat(70_000)), 413);
});

t.test('a hanging provider does not delay the page', async (t) => {
  const { come, reference, returning, simulator, app, status } = await openShop(t);
  await simulator.control.setKnobs({ notificationTimes: 0, verifyHangMs: 5_500, verifyFaults: [{ kind: 'hang', times: 1 }] });
  await simulator.control.approve(reference);
  const start = performance.now();
  t.equal(await come(`/success?ref=${reference}`), returning('success'));
  t.ok(performance.now() - start < 5_000);
  t.equal(await status(), 'pending');
  await app.close();
  t.equal(await status(), 'succeeded', 'the verification continued in the background');
});
