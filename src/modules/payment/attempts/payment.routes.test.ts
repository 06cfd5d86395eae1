import type { FastifyInstance } from 'fastify';
import t, { type Test } from 'tap';
import { startSimulator } from '../../../../simulators/zitopay/testing.ts';
import { call, createTestApp, submit } from '../../../../test/support/app.ts';
import { createLearner, createPrepa } from '../../../../test/support/factories.ts';
import { sql } from '../../../../test/support/sql.ts';
import { presentPaymentDialog } from './payment.presenter.ts';

async function openShop(t: Test, env: Record<string, string> = {}) {
  const simulator = await startSimulator(t as never);
  const home = await createTestApp(t, { ZITOPAY_BASE_URL: simulator.url, ZITOPAY_RECEIVER: 'prepa', ZITOPAY_TIMEOUT_MS: '5000', ...env });
  const learner = await createLearner(home);
  const prepa = await createPrepa(home);
  const post = (url: string, payload: unknown, session: string | null = learner.session) =>
    call(home.app, { method: 'POST', url, payload: payload as object, ...(session === null ? {} : { session }) });
  return { ...home, simulator, learner, prepa, post };
}

t.test('start, then process, with and without the prefix /api', async (t) => {
  for (const prefix of ['/api', '']) {
    const { post, prepa, learner, simulator } = await openShop(t);
    const started = await post(`${prefix}/payment/start`, { prepaId: prepa.id, amount: 1, userId: 'somebody' });
    t.equal(started.statusCode, 200, started.body);
    const { reference, amount, currency, widget, checkoutUrl } = started.json();
    t.match(reference, new RegExp(`^ZP\\d{13}${learner.id.slice(0, 8)}$`));
    t.strictSame({ amount, currency }, { amount: 15_000, currency: 'XAF' }, "the attempt has the server's amount, not the posted amount");
    t.equal(widget.script, `${simulator.url}/assets/js/payment.js`);
    t.match(widget.options, { receiver: 'prepa', ref: reference, amount: 15_000, success_url: 'http://localhost:80/success' });
    t.ok((await fetch(checkoutUrl)).ok);

    const process = (values: object = {}) =>
      post(`${prefix}/payment/process`, {
        userId: learner.id,
        prepaId: prepa.id,
        amount: 15_000,
        transactionReference: reference,
        ...values,
      });
    t.match((await process({ simulationStatus: 'success', paymentMethod: 'zitopay', response: { status: 1 } })).json(), {
      status: 'pending',
      prepaId: prepa.id,
      reference,
    });
    await simulator.control.approve(reference);
    t.strictSame((await process()).json(), { status: 'success', reference, prepaId: prepa.id, message: 'Paiement réussi !', help: null });
  }
});

t.test("a declined payment is reported as failed, with the provider's reason or what usually helps", async (t) => {
  const { post, prepa, simulator } = await openShop(t);
  for (const [declineInfo, help] of [
    ['Declined', /^Vérifiez le solde \(frais compris\), le code et le plafond/],
    ['Error: NOT_ENOUGH_FUNDS', /^Le solde de votre compte ne suffisait pas\. /],
  ] as const) {
    const { reference, widget } = (await post('/api/payment/start', { prepaId: prepa.id })).json();
    await simulator.control.register(widget.options);
    await simulator.control.setKnobs({ declineInfo });
    await simulator.control.decline(reference);
    const answer = (await post('/api/payment/process', { transactionReference: reference })).json();
    t.match(answer, { status: 'failed', message: 'Paiement échoué ou annulé', help });
    t.notMatch(answer.help, 'FUNDS', "the provider's own text is not passed on");
  }
});

t.test('without JavaScript: a form leads to the full page', async (t) => {
  const { app, prepa, learner, simulator } = await openShop(t);
  const answer = await submit(app, '/payment/start', { prepaId: String(prepa.id) }, learner.session);
  t.equal(answer.statusCode, 303);
  t.match(answer.headers.location, new RegExp(`^${simulator.url}/sci\\?receiver=prepa&`));
  const visitor = await submit(app, '/payment/start', { prepaId: String(prepa.id) });
  t.equal(visitor.statusCode, 303);
  t.match(visitor.headers.location, /connexion=1/);
});

t.test('visitors, ended sessions, other learners and other sites are refused', async (t) => {
  const shop = await openShop(t);
  const { post, prepa } = shop;
  const none = await post('/api/payment/start', { prepaId: prepa.id }, null);
  t.equal(none.statusCode, 401);
  t.strictSame(none.json(), { message: 'Vous devez être connecté pour effectuer un paiement' });
  t.equal((await post('/api/payment/start', { prepaId: 'x' }, null)).statusCode, 401, 'a visitor is refused before the body is validated');
  const ended = await post('/api/payment/process', {}, 'userToken=ended');
  t.equal(ended.statusCode, 401);
  t.strictSame(ended.json(), { message: 'Session expirée. Veuillez vous reconnecter.', expired: true });
  const { reference } = (await post('/api/payment/start', { prepaId: prepa.id })).json();
  const other = await createLearner(shop);
  t.equal(
    (await post('/api/payment/process', { transactionReference: reference }, other.session)).statusCode,
    404,
    'the payment of another learner is not found',
  );
  const foreign = await shop.app.inject({
    method: 'POST',
    url: '/api/payment/start',
    payload: { prepaId: prepa.id },
    headers: { cookie: shop.learner.session, 'sec-fetch-site': 'cross-site' },
  });
  t.equal(foreign.statusCode, 403);
});

t.test('hostile bodies get a 4xx with a French message', async (t) => {
  const shop = await openShop(t);
  const { post, app, learner } = shop;
  const hidden = await createPrepa(shop, { isPublished: false });
  const bad = [undefined, null, [], {}, { prepaId: 0 }, { prepaId: -1 }, { prepaId: 1.5 }, { prepaId: 1e20 }, { prepaId: '1 or 1' }];
  const worse = [{ prepaId: [1] }, { prepaId: { $gt: 0 } }, { prepaId: '1\0' }, { prepaId: true }, { prepaId: 1, provider: ['zitopay'] }];
  for (const body of [...bad, ...worse, { prepaId: 1, provider: 'x\0' }, { prepaId: 1, provider: 'x'.repeat(100) }]) {
    await refused(t, await post('/api/payment/start', body), 400, JSON.stringify(body));
  }
  const unpublished = await post('/api/payment/start', { prepaId: hidden.id });
  t.strictSame([unpublished.statusCode, unpublished.json().message], [404, "Cette préparation n'est pas disponible."]);
  const references = ['', 'ZP 1', 'ZP\0', 'Z'.repeat(85), ['ZP1'], { a: 1 }, 5, true, "ZP1'--"];
  for (const transactionReference of references) {
    await refused(t, await post('/api/payment/process', { transactionReference }), 400, JSON.stringify(transactionReference));
  }
  await refused(t, await post('/api/payment/process', { transactionReference: 'ZP1', simulationStatus: ['success'] }), 400, 'a list');
  await refused(t, await post('/api/payment/process', { transactionReference: 'ZP1' }), 404, 'unknown');
  await refused(t, await post('/api/payment/process', { prepaId: 1, simulationStatus: 'success' }), 400, 'no simulation here');
  await refused(t, await post('/api/payment/process', { transactionReference: 'Z'.repeat(70_000) }), 413, 'too large');
  const repeated = await app.inject({
    method: 'POST',
    url: '/payment/start',
    payload: 'prepaId=1&prepaId=2',
    headers: { cookie: learner.session, 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' },
  });
  await refused(t, repeated, 400, 'a field twice');
});

async function refused(t: Test, answer: Awaited<ReturnType<FastifyInstance['inject']>>, status: number, name: string) {
  t.equal(answer.statusCode, status, `${name}: ${answer.body}`);
  const { message, errors = [] } = answer.json();
  t.notMatch(
    message + errors.map((error: { message: string }) => error.message).join(' '),
    /invalid (input|type)|expected|required/i,
    name,
  );
}

t.test('the simulation works when another provider is the default, and is off without its own provider', async (t) => {
  const keys = { PAYMENT_SIMULATION: 'on', NOTCHPAY_PUBLIC_KEY: 'pk_test_sim', NOTCHPAY_BASE_URL: 'http://127.0.0.1:1' };
  for (const [PAYMENT_PROVIDERS, status] of [
    ['notchpay,zitopay', 200],
    ['notchpay', 503],
  ] as const) {
    const { post, prepa, kernel } = await openShop(t, { ...keys, PAYMENT_PROVIDERS });
    t.equal((await post('/api/payment/process', { prepaId: prepa.id, simulationStatus: 'success' })).statusCode, status);
    t.equal(presentPaymentDialog(kernel, { prepa: null, until: new Date(), trial: true }).simulation, status === 200);
  }
});

t.test('the simulated payment is started and verified like any other', async (t) => {
  const { post, prepa, databaseUrl, simulator } = await openShop(t, { PAYMENT_SIMULATION: 'on' });
  const pay = (simulationStatus: string) =>
    post('/api/payment/process', { prepaId: prepa.id, simulationStatus, paymentMethod: 'simulation' });
  t.match((await pay('failure')).json(), { status: 'failed', message: 'Paiement échoué ou annulé' });
  t.match((await pay('success')).json(), { status: 'success', prepaId: prepa.id });
  const [{ count } = { count: 0 }] = await sql<{ count: number }>(databaseUrl, 'select count(*)::int as count from enrolment_extension');
  t.equal(count, 1);
  t.strictSame(
    (await simulator.control.ledger()).map(({ status }) => status),
    ['FAILED', 'COMPLETED'],
  );
  t.equal((await pay('maybe')).statusCode, 400);
  await simulator.app.close();
  const gone = await pay('success');
  t.strictSame([gone.statusCode, gone.json().message], [503, 'Système de paiement non disponible. Veuillez réessayer.']);
});
