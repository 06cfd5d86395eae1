import t from 'tap';
import { refused, requestOf, startNotchpay } from './testing.ts';

const HOUR_MS = 3_600_000;

t.test('a start and its verification have the documented shapes', async (t) => {
  const { start, verify, control } = await startNotchpay(t);
  const started = await start(requestOf('NP1'));
  t.equal(started.status, 201);
  t.match(started.body, {
    status: 'Accepted',
    code: 201,
    message: 'Payment initialized',
    transaction: { reference: /^trx\.sim_/, merchant_reference: 'NP1', amount: 5000, currency: 'XAF', status: 'pending', sandbox: 1 },
    authorization_url: /^http:\/\/127\.0\.0\.1:\d+\/checkout\/[\w-]+$/,
  });
  const theirs = started.body.transaction.reference;
  const verified = await verify('NP1');
  t.match(verified.body, { status: 'OK', code: 200, transaction: { reference: theirs, merchant_reference: 'NP1', status: 'pending' } });
  t.strictSame((await verify(theirs)).body, verified.body, 'the provider reference finds the same payment');
  t.equal((await verify('NP2')).status, 404);

  await control.setKnobs({ transactionShape: 'string' });
  const second = await start(requestOf('NP2'));
  t.equal(second.body.transaction, (await control.transaction('NP2')).transactionReference);
});

t.test('refuses invalid starts', async (t) => {
  const { start, call, verify, control } = await startNotchpay(t);
  for (const authorization of ['', 'Bearer pk_test_sim', 'pk_test_other']) {
    t.equal((await call('POST', '/payments', requestOf('NP1'), { authorization })).status, 401, authorization);
    t.equal((await call('GET', '/payments/NP1', undefined, { authorization })).status, 401, authorization);
  }
  await t.rejects(control.transaction('NP1'), refused(404), 'no payment was opened');
  const { email: _, ...anonymous } = requestOf('NP1');
  t.match(await start(anonymous), { status: 422, body: { code: 422, errors: { email: [/attendu/] } } });
  t.match(await start({ ...requestOf('NP1'), amount: 10.5 }), { status: 422, body: { errors: { amount: ['nombre entier attendu'] } } });
  const phone = { ...requestOf('NP1'), phone: '699 00 00 00' };
  t.match(await start(phone), { status: 422, body: { errors: { phone: [/téléphone/] } } });
  await control.setKnobs({ strictPhone: false });
  t.equal((await start(phone)).status, 201);
  t.match(await start(requestOf('NP1')), { status: 409, body: { code: 409 } });
  t.equal((await verify('NP1')).body.transaction.status, 'pending', 'the first one is untouched');
});

t.test('every outcome has its status, and only a refund changes a completed payment', async (t) => {
  const { start, verify, control, call } = await startNotchpay(t);
  const stateOf = async (ref: string) => (await verify(ref)).body.transaction.status;
  for (const status of ['processing', 'incomplete', 'failed', 'rejected', 'canceled', 'abandoned', 'expired'] as const) {
    await start(requestOf(status));
    await control.decide(status, status);
    t.equal(await stateOf(status), status);
    await control.approve(status);
    t.equal(await stateOf(status), 'complete', `paid after ${status}`);
    await t.rejects(control.decide(status, 'failed'), refused(409));
  }
  await control.refund('failed', 2000);
  t.equal(await stateOf('failed'), 'partialy-refunded');
  await t.rejects(control.refund('failed', 3001), refused(409));
  await control.refund('failed');
  t.equal(await stateOf('failed'), 'refunded');
  t.match(
    (await control.ledger()).filter(({ ref }) => ref === 'failed'),
    [
      { status: 'failed', paid: 0, amount: 5000 },
      { status: 'complete', paid: 5000 },
      { status: 'partialy-refunded', paid: 3000 },
      { status: 'refunded', paid: 0 },
    ],
  );

  await start(requestOf('open'));
  t.equal((await call('DELETE', '/payments/open')).status, 202);
  t.equal(await stateOf('open'), 'canceled');
  t.equal((await call('DELETE', '/payments/open')).status, 409);
  t.equal((await call('DELETE', '/payments/none')).status, 404);
  await t.rejects(control.refund('open'), refused(409));
});

t.test('verifications return the planned faults, then the true status', async (t) => {
  const { start, verify, control } = await startNotchpay(t, { clock: () => Date.UTC(2026, 0, 15, 10) });
  await start(requestOf('A'));
  await start(requestOf('B'));
  await control.approve('A');
  const kinds = ['http500', 'http404', 'html', 'hang', 'http429'] as const;
  await control.setKnobs({ verifyFaults: kinds.map((kind) => ({ kind, times: 1 })), hangMs: 1, retryAfterSeconds: 90 }, 'A');
  const theirs = (await control.transaction('A')).transactionReference;
  t.equal((await verify('A')).status, 500);
  t.equal((await verify(theirs)).status, 404, 'faults also occur for the provider reference');
  t.match(await verify('A'), { status: 200, body: /^<!DOCTYPE html>/ });
  t.equal((await verify('A')).body.transaction.status, 'complete', 'a hang shorter than the timeout ends with the true status');
  const busy = await verify('A');
  t.match([busy.status, busy.headers.get('retry-after')], [429, '90']);
  await control.setKnobs({ verifyFaults: [{ kind: 'http429', times: 2 }], retryAfterFormat: 'date' });
  t.equal((await verify('B')).headers.get('retry-after'), 'Thu, 15 Jan 2026 10:00:30 GMT');
  t.equal((await verify('unknown')).status, 429, 'faults set for all references are consumed by any of them');
  t.equal((await verify('B')).body.transaction.status, 'pending');

  await control.setKnobs({ statusWord: 'on-hold' }, 'B');
  await control.setKnobs({ tamperedAmount: 50, tamperedCurrency: 'EUR' }, 'A');
  t.equal((await verify('B')).body.transaction.status, 'on-hold');
  t.match((await verify('A')).body.transaction, { amount: 50, currency: 'EUR', status: 'complete' });
});

t.test('starts return the planned faults, with or without opening the payment', async (t) => {
  const { start, control } = await startNotchpay(t);
  const kinds = ['http500', 'http403', 'http409', 'http429', 'html'] as const;
  await control.setKnobs({ startFaults: kinds.map((kind) => ({ kind, times: 1 })) }, 'A');
  for (const status of [500, 403, 409, 429, 200]) t.equal((await start(requestOf('A'))).status, status);
  await t.rejects(control.transaction('A'), refused(404), 'none of the faults opened the payment');
  t.equal((await start(requestOf('A'))).status, 201);

  await control.setKnobs({ startFaults: [{ kind: 'lost', times: 1 }] }, 'B');
  await t.rejects(start(requestOf('B')), TypeError, 'the response is lost');
  t.equal((await control.transaction('B')).status, 'pending', 'the payment is open');
  t.equal((await start(requestOf('B'))).status, 409);
});

t.test('the simulated clock triggers a planned approval, then the expiry after three hours', async (t) => {
  const { start, verify, control } = await startNotchpay(t, { clock: () => 0 });
  const stateOf = async (ref: string) => (await verify(ref)).body.transaction.status;
  for (const ref of ['A', 'B', 'C']) await start(requestOf(ref));
  await control.approveLater('A', 300_000);
  await control.setKnobs({ expiresAfterMs: 4 * HOUR_MS }, 'C');
  await control.advance(299_999);
  t.equal(await stateOf('A'), 'pending');
  await control.advance(1);
  t.equal(await stateOf('A'), 'complete');
  await control.advance(3 * HOUR_MS - 300_001);
  t.equal(await stateOf('B'), 'pending');
  await control.advance(1);
  t.strictSame([await stateOf('A'), await stateOf('B'), await stateOf('C')], ['complete', 'expired', 'pending']);
  await control.advance(HOUR_MS);
  t.equal(await stateOf('C'), 'expired');
  t.match(await control.ledger(), [
    { ref: 'A', status: 'complete', decidedAt: '1970-01-01T00:05:00.000Z' },
    { ref: 'B', status: 'expired', decidedAt: '1970-01-01T03:00:00.000Z' },
    { ref: 'C', status: 'expired', decidedAt: '1970-01-01T04:00:00.000Z' },
  ]);
});

t.test('an accelerated clock, and a clock moved by the test', async (t) => {
  let now = 0;
  const { start, verify, control } = await startNotchpay(t, { clock: () => now, speed: 60 });
  await start(requestOf('A'));
  now = 3 * 60_000 - 1;
  t.equal((await verify('A')).body.transaction.status, 'pending');
  now += 1;
  await control.advance();
  t.match(await control.ledger(), [{ ref: 'A', status: 'expired' }], 'expired after three hours of the simulated clock');
});

t.test('an amount or a suffix chooses the scenario, if scenarios are enabled', async (t) => {
  const plain = await startNotchpay(t);
  await plain.start({ ...requestOf('A'), amount: 5012 });
  t.equal((await plain.verify('A')).body.transaction.status, 'pending');

  const { start, verify, control } = await startNotchpay(t, { scenarios: true });
  await start({ ...requestOf('A'), amount: 5012 });
  t.equal((await verify('A')).body.transaction.status, 'on-hold');
  await start({ ...requestOf('NP9-s07'), amount: 5012 });
  t.equal((await verify('NP9-s07')).body.transaction.status, 'complete', 'the suffix takes precedence');
  for (const ref of ['C', 'D']) {
    await start({ ...requestOf(ref), amount: 5008 });
    for (const status of [500, 500, 500, 200]) t.equal((await verify(ref)).status, status, 'each payment has its own faults');
  }
  await control.setKnobs({ statusWord: 'chosen' }, 'E');
  await start({ ...requestOf('E'), amount: 5012 });
  t.equal((await verify('E')).body.transaction.status, 'chosen', 'a knob set explicitly overrides the scenario');
});

t.test('knobs select each documented form of the responses', async (t) => {
  const { start, verify, control } = await startNotchpay(t);
  await control.setKnobs({
    startHttpStatus: 202,
    verifyHttpStatus: 202,
    codeType: 'string',
    envelope: 'data',
    ownReferenceField: 'trxref',
    sandbox: true,
  });
  const started = await start(requestOf('NP1'));
  t.match(started, {
    status: 202,
    body: { code: '202', data: { reference: /^trx\./, trxref: 'NP1', sandbox: true }, authorization_url: /^http/ },
  });
  t.notOk('transaction' in started.body || 'merchant_reference' in started.body.data);
  await control.setKnobs({ envelope: 'payment', ownReferenceField: 'reference', statementFields: true });
  t.notOk('fee' in (await verify('NP1')).body.payment, 'no fee before the payment');
  await control.approve('NP1');
  t.match(await verify('NP1'), {
    status: 202,
    body: {
      payment: { id: /^trx\./, reference: 'NP1', fee: 100, amount_total: 5100, payment_method: 'cm.mtn', completed_at: /^\d{4}-.*Z$/ },
    },
  });
  await control.setKnobs({ envelope: 'nested', verifyFaults: [{ kind: 'bare-reference', times: 1 }] });
  t.match((await verify('NP1')).body.data, { transaction: /^trx\./ });
  t.match((await verify('NP1')).body.data, { transaction: { status: 'complete' } });
});

t.test('refunds: a part or the rest, with both keys, never more than was paid', async (t) => {
  const { start, verify, call, control } = await startNotchpay(t);
  await start(requestOf('NP1'));
  const grant = { 'x-grant': 'sk_test_sim' };
  const refund = (body: object, headers: Record<string, string> = grant) => call('POST', '/refunds', body, headers);
  t.equal((await refund({ payment: 'NP1' }, {})).status, 403);
  t.equal((await refund({ payment: 'NP1' }, { ...grant, authorization: 'pk_other' })).status, 401);
  t.equal((await refund({ payment: 'NP2' })).status, 404);
  t.match(await refund({ payment: 'NP1' }), { status: 422, body: { errors: { amount: [/pas payé/] } } });
  await control.approve('NP1');
  t.equal((await refund({ payment: 'NP1', amount: 5001 })).status, 422);
  t.equal((await refund({ payment: 'NP1', amount: 1.5 })).status, 422);
  t.match(await refund({ payment: 'NP1', amount: '500' }), { status: 201, body: { refund: { amount: 500, status: 'complete' } } });
  t.match((await verify('NP1')).body.transaction, { status: 'partialy-refunded', amount: 5000, amount_refunded: 500 });
  await control.setKnobs({ partWord: 'partially-refunded', returnedField: 'refunds' });
  t.match((await verify('NP1')).body.transaction, { status: 'partially-refunded', refunds: [{ amount: 500, status: 'complete' }] });
  t.match((await refund({ payment: 'NP1' }, { 'x-auth': 'sk_test_sim' })).body.refund, { amount: 4500 });
  t.match((await verify('NP1')).body.transaction, { status: 'refunded', refunds: [{ amount: 5000 }] });
  t.equal((await control.ledger()).at(-1)?.paid, 0);
});
