import { createHmac } from 'node:crypto';
import t, { type Test } from 'tap';
import type { KnobPatch } from '../../../../../simulators/notchpay/control-client.ts';
import { startNotchpay } from '../../../../../simulators/notchpay/testing.ts';
import { startMerchant } from '../../../../../simulators/platform/testing.ts';
import { attempt, ours, request, settings } from '../../../../../test/support/notchpay-samples.ts';
import { type Answer, json, startScripted } from '../../../../../test/support/scripted-provider.ts';
import { notchpayAdapter } from './adapter.ts';
import type { NotchpaySettings } from './settings.ts';

// The provider's documentation contradicts itself (payment-providers §4): the adapter accepts all documented forms.

async function adapter(t: Test, answers: Answer[], changes: Partial<NotchpaySettings> = {}) {
  const { baseUrl } = await startScripted(t, answers);
  return notchpayAdapter({ ...settings, ...changes, baseUrl }, { firstRepeatMs: 1 });
}

const paid = { amount: 5000, currency: 'XAF', status: 'complete' };
const references = {
  merchant_reference: { reference: 'trx.1', merchant_reference: ours },
  trxref: { reference: 'trx.1', trxref: ours },
  reference: { id: 'trx.1', reference: ours },
  'trxref, theirs in id': { id: 'trx.1', trxref: ours },
  'merchant_reference, and trxref is theirs': { reference: 'trx.1', merchant_reference: ours, trxref: 'trx.1' },
};

t.test('verify: every documented HTTP status, envelope and position of the references', async (t) => {
  for (const status of [200, 201, 202])
    for (const envelope of ['transaction', 'data', 'payment'])
      for (const [place, names] of Object.entries(references)) {
        const code = status === 202 ? '202' : status;
        const { verify } = await adapter(t, [json({ status: 'Accepted', code, [envelope]: { ...names, ...paid } }, status)]);
        t.match(
          await verify(attempt),
          { kind: 'succeeded', amount: 5000, currency: 'XAF', providerTransactionId: 'trx.1' },
          `${status}, ${envelope}, ${place}`,
        );
      }
  const nested = await adapter(t, [json({ code: 200, data: { transaction: { ...references.trxref, ...paid } } })]);
  t.match(await nested.verify(attempt), { kind: 'succeeded', providerTransactionId: 'trx.1' }, 'the reference is found one level deeper');
});

t.test("verify: another payment's reference opens no access, in any field", async (t) => {
  for (const names of [{ trxref: 'NP9' }, { merchant_reference: 'NP9', trxref: ours }, { reference: 'NP9', id: 'trx.9' }]) {
    const { verify } = await adapter(t, [json({ data: { id: 'trx.1', ...names, ...paid } }, 202)]);
    t.equal((await verify({ ...attempt, providerTransactionId: 'trx.1' })).kind, 'mismatch', JSON.stringify(names));
  }
});

t.test('verify: a reference alone is pending', async (t) => {
  for (const envelope of ['transaction', 'data', 'payment']) {
    const { verify } = await adapter(t, [json({ status: 'Accepted', code: '202', [envelope]: 'trx.1' }, 202)]);
    t.equal((await verify(attempt)).kind, 'pending', envelope);
  }
  const { verify } = await adapter(t, [json({ status: 'Accepted', code: 202 }, 202)]);
  t.equal((await verify(attempt)).kind, 'unknown', 'a response without a transaction is unknown');
});

t.test('verify: a test payment opens no access where only real money is accepted', async (t) => {
  for (const sandbox of [true, 1, 'true', '1'])
    for (const status of ['complete', 'pending', 'processing', 'incomplete', 'refunded']) {
      const answer = json({ transaction: { ...references.trxref, ...paid, status, sandbox } });
      t.equal((await (await adapter(t, [answer], { acceptsSandbox: false })).verify(attempt)).kind, 'sandbox', `${sandbox}, ${status}`);
      t.not(
        (await (await adapter(t, [answer])).verify(attempt)).kind,
        'sandbox',
        `${sandbox}, ${status}, where test payments are accepted`,
      );
    }
  const beside = json({ sandbox: true, data: { ...references.trxref, ...paid } }, 202);
  t.equal(
    (await (await adapter(t, [beside], { acceptsSandbox: false })).verify(attempt)).kind,
    'sandbox',
    'a test payment marked next to the transaction is recognised',
  );
  for (const [sandbox, status, kind] of [
    [0, 'complete', 'succeeded'],
    [false, 'complete', 'succeeded'],
    [undefined, 'complete', 'succeeded'],
    [1, 'failed', 'failed'],
    [1, 'expired', 'expired'],
  ] as const) {
    const { verify } = await adapter(t, [json({ transaction: { ...references.trxref, ...paid, status, sandbox } })], {
      acceptsSandbox: false,
    });
    t.equal((await verify(attempt)).kind, kind, `${sandbox}, ${status}`);
  }
});

t.test('verify: fee, total, method and time, if readable', async (t) => {
  const verify = async (fields: object) =>
    (await adapter(t, [json({ payment: { ...references.reference, ...paid, ...fields } }, 202)])).verify(attempt);
  t.match(await verify({ fee: '100', amount_total: 5100, payment_method: 'cm.mtn', completed_at: '2026-01-15T10:04:12Z' }), {
    kind: 'succeeded',
    amount: 5000,
    method: 'cm.mtn',
    statement: { fee: 100, amountCharged: 5100, completedAt: new Date('2026-01-15T10:04:12Z') },
  });
  t.match(await verify({ fee: -1, amount_total: 'beaucoup', payment_method: 'cm\0mtn', completed_at: '0000-01-01' }), {
    kind: 'succeeded',
    amount: 5000,
    method: undefined,
    statement: { fee: null, amountCharged: null, completedAt: null },
  });
});

t.test("start: every HTTP status and envelope is read, and the provider's reference is found among two", async (t) => {
  const authorization_url = 'https://pay.example/trx.1';
  const forms: [number, object][] = [
    [202, { code: '202', data: references.trxref }],
    [200, { payment: references.reference }],
    [201, { data: { transaction: references.merchant_reference } }],
    [202, { payment: 'trx.1' }],
  ];
  for (const [status, form] of forms) {
    const { start } = await adapter(t, [json({ ...form, authorization_url }, status)]);
    t.strictSame(
      await start(request),
      { kind: 'redirect', redirectUrl: authorization_url, providerTransactionId: 'trx.1' },
      JSON.stringify(form),
    );
  }
});

t.test('notifications: every field, flat or nested one level deeper', async (t) => {
  const { readNotification } = notchpayAdapter(settings);
  const read = async (data: object) =>
    (await readNotification(Buffer.from(JSON.stringify({ id: 'whk.1', event: 'payment.complete', data })), {})).references;
  for (const [place, names] of Object.entries(references)) {
    t.same((await read(names)).toSorted(), [ours, 'trx.1'], place);
    t.same((await read({ transaction: names })).toSorted(), [ours, 'trx.1'], `${place}, nested`);
  }
  t.same(await read({ id: 'trx.1', transaction: { trxref: ours } }), [ours, 'trx.1'], 'fields on both levels are read');
});

t.test('notifications: an id shared by several events does not identify them', async (t) => {
  const { readNotification } = notchpayAdapter(settings);
  const keyOf = async (id: string, data: object, more: object = {}) => {
    const body = Buffer.from(JSON.stringify({ id, event: 'payment.complete', ...more, data }));
    const signature = createHmac('sha256', 'hsk_test_sim').update(body).digest('hex');
    return (await readNotification(body, { 'x-notch-signature': signature })).eventKey;
  };
  const data = { ...references.merchant_reference, status: 'complete' };
  const key = await keyOf('whk.1', data);
  t.equal(await keyOf('whk.1', data, { created_at: 'later' }), key, 'a repeated event has the same key');
  t.equal(await keyOf('whk.1', { transaction: data }), key, 'a nested event has the same key');
  t.not(
    await keyOf('whk.1', { ...data, merchant_reference: 'NP2', reference: 'trx.2' }),
    key,
    'an event of another payment has another key',
  );
  t.not(await keyOf('whk.1', { ...data, status: 'failed' }), key, 'an event of another state has another key');
  t.not(await keyOf('evt_2', data), key, 'an event with another id has another key');
  const part = (amount_refunded: number) => ({ ...data, status: 'partially-refunded', amount_refunded });
  t.not(await keyOf('whk.1', part(500)), await keyOf('whk.1', part(1000)), 'another partial refund has another key');
  t.equal(await keyOf('whk.1', part(500)), await keyOf('whk.1', part(500)), 'a repeated partial refund has the same key');
});

t.test("the simulator's formats: start, verification and event", async (t) => {
  const { control, url } = await startNotchpay(t as never);
  const merchant = await startMerchant(t as never);
  await control.setWebhook(merchant.url);
  const provider = notchpayAdapter({ ...settings, baseUrl: url, checkoutOrigin: url }, { firstRepeatMs: 1 });
  const forms: KnobPatch[] = [
    { startHttpStatus: 202, verifyHttpStatus: 202, codeType: 'string', envelope: 'data', ownReferenceField: 'trxref', sandbox: true },
    { startHttpStatus: 200, envelope: 'payment', ownReferenceField: 'reference', statementFields: true, webhookReference: 'trxref' },
    { verifyHttpStatus: 201, envelope: 'nested', webhookData: 'nested', webhookId: 'endpoint', sandbox: 0 },
    { transactionShape: 'string', envelope: 'data', webhookGeneration: 'event', webhookReference: 'trxref', webhookId: 'endpoint' },
  ];
  for (const [index, form] of forms.entries()) {
    const reference = `NP${index}`;
    await control.setKnobs({ ...form, verifyFaults: [{ kind: 'bare-reference', times: 1 }] }, reference);
    t.match(await provider.start({ ...request, reference }), { kind: 'redirect', providerTransactionId: /^trx\./ }, reference);
    const { transactionReference: theirs } = await control.approve(reference);
    t.equal((await provider.verify({ ...attempt, reference })).kind, 'pending', reference);
    t.match(await provider.verify({ ...attempt, reference }), { kind: 'succeeded', providerTransactionId: theirs }, reference);
    const { body = '', headers = {} } = (await merchant.has(index + 1))[index] ?? {};
    t.match(await provider.readNotification(Buffer.from(body), headers), { signed: true, references: [reference] }, reference);
  }
});
