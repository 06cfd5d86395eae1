import { createHmac } from 'node:crypto';
import t from 'tap';
import { type Merchant, startMerchant } from '../platform/testing.ts';
import { DEFAULTS } from './knobs.ts';
import { HASH_KEY, refused, requestOf, startNotchpay } from './testing.ts';
import { webhookBody, webhookHeaders } from './webhook-body.ts';

const MINUTE_MS = 60_000;
const hmac = (algorithm: string, body: string, key = HASH_KEY) => createHmac(algorithm, key).update(body).digest('hex');
const events = ({ received }: Merchant) => received.map(({ body }) => JSON.parse(body).type);

/** Starts a simulator and a merchant that receives its webhooks and responds with `answer`. The clock moves only by `advance`. */
async function startPair(t: Parameters<typeof startMerchant>[0], answer?: Parameters<typeof startMerchant>[1], timeoutMs?: number) {
  const merchant = await startMerchant(t, answer);
  const webhookUrl = `${merchant.url}/notification`;
  const simulator = await startNotchpay(t, { webhookUrl, clock: () => 0, notificationTimeoutMs: timeoutMs });
  return { merchant, ...simulator };
}

t.test('the documented body, byte for byte, has the documented signature', async (t) => {
  const payment = { ref: 'NP1768471200000a1b2c3d4', transactionReference: 'trx.sim_abc', amount: 5000, currency: 'XAF' };
  const event = { id: 'evt_sim_0001', name: 'payment.complete', status: 'complete' as const, at: Date.UTC(2026, 0, 15, 10, 4, 12) };
  const body = webhookBody(payment as never, event, DEFAULTS);
  t.equal(body.length, 200);
  t.strictSame(webhookHeaders(body, HASH_KEY, DEFAULTS), {
    'content-type': 'application/json',
    'x-notch-signature': '176cf36d05bbce92b7fbc3aa19606510973532f2460064eb7b9f809ed079bb1f',
  });
  t.equal(
    webhookBody(payment as never, { ...event, id: 'whk.sim1' }, { ...DEFAULTS, webhookGeneration: 'event' }).toString(),
    '{"id":"whk.sim1","event":"payment.complete","data":{"reference":"trx.sim_abc","merchant_reference":"NP1768471200000a1b2c3d4","amount":5000,"status":"complete"}}',
  );
});

t.test('one signed event, before the response to the approval', async (t) => {
  const { merchant, start, control } = await startPair(t);
  await start(requestOf('A'));
  const { transactionReference, deliveries } = await control.approve('A');
  const [got] = merchant.received;
  t.match(got, { method: 'POST', url: '/notification', type: 'application/json' });
  t.equal(got?.headers['x-notch-signature'], hmac('sha256', String(got?.body)));
  t.match(JSON.parse(String(got?.body)), {
    id: /^evt_sim_/,
    type: 'payment.complete',
    created_at: '1970-01-01T00:00:00Z',
    data: { id: transactionReference, reference: 'A', amount: 5000, currency: 'XAF', status: 'complete' },
  });
  t.match(deliveries, [{ event: 'payment.complete', eventId: /^evt_sim_/, httpStatus: 200, error: null }]);
  await control.approve('A');
  t.equal(merchant.received.length, 1, 'approving again changes nothing');
});

t.test('each format of an event', async (t) => {
  const { merchant, start, control } = await startPair(t);
  await start(requestOf('A'));
  const { transactionReference } = await control.transaction('A');
  const next = async (knobs: Parameters<typeof control.setKnobs>[0]) => {
    await control.setKnobs(knobs, 'A');
    await control.notify('A');
    const last = merchant.received.at(-1);
    return { text: String(last?.body), content: JSON.parse(String(last?.body)), headers: last?.headers ?? {} };
  };
  t.equal((await next({ webhookReference: 'theirs' })).content.data.reference, transactionReference);
  t.strictSame((await next({ webhookGeneration: 'event' })).content.data, {
    reference: transactionReference,
    amount: 5000,
    status: 'pending',
  });
  t.match((await next({ webhookReference: 'ours' })).content, { id: /^whk\./, event: 'payment.created', data: { reference: 'A' } });
  await control.setKnobs({ webhookGeneration: null, webhookReference: null }, 'A');

  const pretty = await next({ webhookBody: 'pretty' });
  t.match(pretty.text, /\n {4}[\s\S]*É[\s\S]*\\u00e9[\s\S]*https:\\\/\\\//, 'indented, slashes and one accent escaped');
  t.not(pretty.text, JSON.stringify(pretty.content, null, 4), 'parsing and serialising again changes it');
  t.equal(pretty.headers['x-notch-signature'], hmac('sha256', pretty.text), 'the signature covers the original bytes');
  await control.setKnobs({ webhookBody: null }, 'A');

  const wrong = await next({ webhookSignature: 'wrong-key' });
  t.match(wrong.headers['x-notch-signature'], /^[\da-f]{64}$/);
  t.not(wrong.headers['x-notch-signature'], hmac('sha256', wrong.text));
  const other = await next({ webhookSignature: 'other-body' });
  t.match(other.headers['x-notch-signature'], /^[\da-f]{64}$/);
  t.not(other.headers['x-notch-signature'], hmac('sha256', other.text));
  t.notOk((await next({ webhookSignature: 'none' })).headers['x-notch-signature']);
  const old = await next({ webhookSignature: 'valid', signatureHeader: 'X-NOTCHPAY-SIGNATURE', signatureAlgorithm: 'sha512' });
  t.equal(old.headers['x-notchpay-signature'], hmac('sha512', old.text));
});

t.test('knobs send no event, five copies, events out of order, or an event of another account', async (t) => {
  const { merchant, start, control } = await startPair(t);
  for (const ref of ['A', 'B', 'C', 'D', 'E']) await start(requestOf(ref));
  await control.setKnobs({ webhookTimes: 0 }, 'A');
  await control.approve('A');
  t.equal(merchant.received.length, 0);
  await control.setKnobs({ webhookTimes: 5 }, 'B');
  await control.approve('B');
  t.equal(merchant.received.length, 5);
  t.equal(new Set(merchant.received.map(({ body }) => body)).size, 1, 'the same event each time');

  merchant.received.length = 0;
  await control.setKnobs({ approvalStory: 'failed-then-complete' }, 'C');
  await control.approve('C');
  await control.setKnobs({ approvalStory: 'complete-then-processing' }, 'D');
  t.equal((await control.approve('D')).status, 'complete', 'the status does not change');
  await control.decline('E');
  t.strictSame(events(merchant), ['payment.failed', 'payment.complete', 'payment.complete', 'payment.processing', 'payment.failed']);
  t.match(
    (await control.ledger()).filter(({ ref }) => ref === 'C'),
    [{ status: 'failed' }, { status: 'complete' }],
  );

  const foreign = await control.sendForeignEvent();
  t.equal(foreign.deliveries[0]?.httpStatus, 200);
  t.equal(JSON.parse(String(merchant.received.at(-1)?.body)).data.reference, foreign.ref);
  await t.rejects(control.transaction(foreign.ref), refused(404));
});

t.test('an event before the response to the start', async (t) => {
  const { merchant, start, control } = await startPair(t);
  await control.setKnobs({ beforeAnswer: 'created' }, 'A');
  await control.setKnobs({ beforeAnswer: 'complete' }, 'B');
  for (const [index, ref] of ['A', 'B'].entries()) {
    const started = start(requestOf(ref)).then(() => 'answered');
    t.equal(await Promise.race([merchant.has(index + 1).then(() => 'notified'), started]), 'notified', ref);
    await started;
  }
  t.strictSame(events(merchant), ['payment.created', 'payment.complete']);
});

t.test('after the redirect: the response does not wait for the event', { timeout: 5_000 }, async (t) => {
  const { promise: held, resolve: release } = Promise.withResolvers<number>();
  const { merchant, start, control } = await startPair(t, () => held, 60_000);
  await start(requestOf('A'));
  await control.setKnobs({ webhookMoment: 'after-redirect' });
  t.equal((await control.approve('A')).status, 'complete', 'responds while the merchant still processes the event');
  await merchant.has(1);
  release(200);
});

t.test('retried until the response is 2xx or the schedule ends', async (t) => {
  let status = 500;
  const { merchant, start, control } = await startPair(t, () => status);
  await control.setKnobs({ webhookRetryDelaysMs: [MINUTE_MS, 10 * MINUTE_MS, 10 * MINUTE_MS] });
  await start(requestOf('A'));
  await start(requestOf('B'));
  await control.approve('A');
  t.equal(merchant.received.length, 1);
  await control.advance(MINUTE_MS - 1);
  t.equal(merchant.received.length, 1);
  await control.advance(1);
  t.equal(merchant.received.length, 2);
  t.equal(merchant.received[1]?.body, merchant.received[0]?.body, 'the same bytes');
  status = 204;
  await control.advance(60 * MINUTE_MS);
  t.equal(merchant.received.length, 3, 'no retry after a 2xx');

  status = 302;
  await control.approve('B');
  for (let hour = 0; hour < 3; hour += 1) await control.advance(60 * MINUTE_MS);
  t.strictSame(
    (await control.transaction('B')).deliveries.map(({ httpStatus }) => httpStatus),
    [302, 302, 302, 302],
    'no retry after the last scheduled one',
  );
});

t.test('a 4xx can disable the webhook, and an expiry sends an event', async (t) => {
  let status = 400;
  const { merchant, start, control } = await startPair(t, () => status);
  const { url } = await control.webhook();
  await control.setKnobs({ webhookDisabledBy4xx: true, webhookRetryDelaysMs: [] });
  for (const ref of ['A', 'B', 'C']) await start(requestOf(ref));
  await control.approve('A');
  t.strictSame(await control.webhook(), { url, enabled: false });
  await control.approve('B');
  t.equal(merchant.received.length, 1, 'a disabled webhook sends no event');
  await control.setWebhook(url);
  status = 200;
  await control.advance(180 * MINUTE_MS);
  t.strictSame(events(merchant), ['payment.complete', 'payment.expired'], 'setting the address enables it again');
});

t.test('a merchant that hangs or is unreachable blocks nothing', async (t) => {
  const { start, control } = await startPair(t, () => new Promise(() => {}), 50);
  await control.setKnobs({ webhookTimes: 2 });
  await start(requestOf('A'));
  t.match(await control.approve('A'), { status: 'complete', deliveries: [{ httpStatus: null, error: 'TimeoutError' }] });
  await control.setWebhook('http://127.0.0.1:1/');
  await start(requestOf('B'));
  t.match(await control.approve('B'), { status: 'complete', deliveries: [{ error: 'TypeError' }, { error: 'TypeError' }] });
  await control.setWebhook(null);
  await start(requestOf('C'));
  t.match(await control.approve('C'), { status: 'complete', deliveries: [] });
});
