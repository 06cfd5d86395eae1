import { createHmac } from 'node:crypto';
import t from 'tap';
import { attempt as asked, ours, settings } from '../../../../../test/support/notchpay-samples.ts';
import { notchpayAdapter } from './adapter.ts';
import { readNotchpayVerification } from './answer.ts';

// Undocumented answers, which must neither lose a payment nor open an unpaid access: other types, empty fields, refunds that cannot be added up.

const attempt = { ...asked, providerTransactionId: 'trx.1' };
const names = { reference: 'trx.1', merchant_reference: ours };
const paid = { ...names, amount: 5000, currency: 'XAF', status: 'complete' };
const read = (answer: object, acceptsSandbox = false) =>
  readNotchpayVerification(JSON.parse(JSON.stringify(answer)), attempt, { acceptsSandbox, onUnknownWord() {} });

t.test('a refund with an unreadable amount does not end the access: an administrator clarifies it', async (t) => {
  for (const fields of [
    ...['500 XAF', '5 00', '-500', -500, 1e21, 'tout', {}, [500], true].map((amount_refunded) => ({ amount_refunded })),
    { refund: { amount: 8, currency: 'EUR' } },
    { refund: { amount: '8,50', currency: 'XAF' } },
    { refunds: [{ amount: 8, currency: 'EUR', status: 'complete' }] },
    { refunds: [{ amount: 500 }, { amount: 8, currency: 'EUR' }] },
    { refunds: [{ amount: -500 }] },
    { refunds: [{ status: 'complete' }] },
  ])
    for (const status of ['refunded', 'partially-refunded', 'complete']) {
      const answer = read({ transaction: { ...paid, status, ...fields } });
      t.match(answer, { kind: 'partly_refunded', returned: null }, `${status} ${JSON.stringify(fields)}`);
    }
});

t.test("refunded without an amount, and never seen as paid: 'refunded' alone opens no access", async (t) => {
  for (const amount_refunded of [0, '0', -500, 'tout'])
    t.match(
      read({ transaction: { ...paid, status: 'refunded', amount_refunded } }),
      { kind: 'partly_refunded', taken: null },
      String(amount_refunded),
    );
  t.match(read({ transaction: { ...paid, status: 'refunded', amount_refunded: 500 } }), { taken: { amount: 5000 }, returned: 500 });
  t.match(read({ transaction: { ...paid, status: 'partially-refunded' } }), { taken: { amount: 5000 }, returned: null });
});

t.test('an empty or uncompleted refund does not count', async (t) => {
  for (const fields of [
    ...[null, '', 0, '0', '0.00'].map((amount_refunded) => ({ amount_refunded })),
    { refund: null },
    { refunds: [] },
    { refunds: {} },
    { refunds: [null, 'trx', { amount: 500, status: 'failed' }, { amount: 500, status: 'pending', currency: 'EUR' }] },
  ])
    t.match(read({ transaction: { ...paid, ...fields } }), { kind: 'succeeded', amount: 5000 }, JSON.stringify(fields));
  for (const [fields, returned] of [
    [{ refund: { amount: '500', currency: 'XAF' } }, 500],
    [{ amount_refunded: '500.00', refunds: [{ amount: 200, currency: 'xaf' }, { amount: 300 }] }, 500],
  ] as const)
    t.match(read({ transaction: { ...paid, ...fields } }), { kind: 'partly_refunded', returned }, JSON.stringify(fields));
  t.match(
    read({ transaction: { ...paid, status: 'partially-refunded', amount_refunded: 6000 } }),
    { kind: 'refunded' },
    'a refund of more than the price is a full refund',
  );
});

t.test('a test payment is recognised wherever it is marked', async (t) => {
  for (const sandbox of [true, 1, '1', 'true', 'True', 'TRUE', '1.0', 1.0])
    for (const answer of [
      { sandbox, transaction: paid },
      { transaction: { ...paid, sandbox } },
      { data: { sandbox, transaction: paid } },
      { sandbox, data: { transaction: paid } },
    ])
      t.equal(read(answer).kind, 'sandbox', JSON.stringify(answer));
  for (const sandbox of [0, '0', false, 'false', null, ''])
    t.equal(read({ sandbox, data: { sandbox, transaction: { ...paid, sandbox } } }).kind, 'succeeded', JSON.stringify(sandbox));
});

t.test('an empty field next to the transaction hides nothing', async (t) => {
  for (const empty of [{}, [], null, '', 'trx.1', { message: 'Payment retrieved' }])
    for (const answer of [
      { transaction: empty, data: paid },
      { data: empty, payment: paid },
      { transaction: empty, data: { transaction: paid } },
    ])
      t.equal(read(answer).kind, 'succeeded', JSON.stringify(answer));
});

t.test('unexpected types of amount, currency and state open no access', async (t) => {
  for (const fields of [
    ...[null, [5000], {}, true, '5 000', '5,000', '0x1388', '5e3', -5000, 4999.9, 1e300, ''].map((amount) => ({ amount })),
    ...[null, ['XAF'], 'EUR', '', 'XOF'].map((currency) => ({ currency })),
  ])
    t.equal(read({ data: { ...paid, ...fields } }).kind, 'mismatch', JSON.stringify(fields));
  for (const status of [null, ['complete'], {}, true, 1, '', 'constructor', '__proto__', 'complete!'])
    t.equal(read({ data: { ...paid, status } }).kind, 'pending', JSON.stringify(status));
  t.equal(read({ data: { ...paid, amount: '5000.00' } }).kind, 'succeeded');
});

t.test('our reference in `reference` is enough, whatever `trxref` holds', async (t) => {
  t.equal(read({ data: { ...paid, merchant_reference: undefined, reference: ours, trxref: 'trx.9' } }).kind, 'succeeded');
  t.equal(
    read({ data: { ...paid, merchant_reference: 'NP9', reference: ours } }).kind,
    'mismatch',
    'the merchant_reference of another payment is a mismatch',
  );
});

t.test("a refund's event is not confused with the payment's event", async (t) => {
  const { readNotification } = notchpayAdapter(settings);
  const keyOf = async (event: object) => {
    const body = Buffer.from(JSON.stringify({ id: 'whk.1', ...event }));
    const signature = createHmac('sha256', 'hsk_test_sim').update(body).digest('hex');
    return (await readNotification(body, { 'x-notch-signature': signature })).eventKey;
  };
  const key = await keyOf({ event: 'payment.complete', data: paid });
  t.not(
    await keyOf({ event: 'payment.refunded', data: paid }),
    key,
    'a refund event has another key, although its payment has the state complete',
  );
  t.not(await keyOf({ event: 'payment.complete', data: { ...paid, amount_refunded: 500 } }), key);
  t.equal(await keyOf({ event: 'payment.complete', data: paid, created_at: 'later' }), key, 'a repeated event has the same key');
});
