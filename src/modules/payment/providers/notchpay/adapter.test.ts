import { createHmac } from 'node:crypto';
import t from 'tap';
import { attempt, ours, request, settings } from '../../../../../test/support/notchpay-samples.ts';
import { type Answer, html, json, nowhere, silence, startScripted, status } from '../../../../../test/support/scripted-provider.ts';
import { notchpayAdapter } from './adapter.ts';

const transaction = { reference: 'trx.sim_abc', merchant_reference: ours, amount: 5000, currency: 'XAF', status: 'complete', sandbox: 1 };
const accepted = {
  status: 'Accepted',
  code: 201,
  message: 'Payment initialized',
  authorization_url: `${settings.checkoutOrigin}/trx.sim_abc?a=1`,
  transaction: { ...transaction, status: 'pending' },
};

async function startProvider(t: Parameters<typeof startScripted>[0], answers: Answer[], timeoutMs = 10_000) {
  const { asked, baseUrl } = await startScripted(t, answers);
  const logged: unknown[] = [];
  const log = { info() {}, warn: (fields: unknown) => logged.push(fields) } as never;
  const provider = notchpayAdapter({ ...settings, baseUrl, timeoutMs }, { firstRepeatMs: 1, log });
  return { asked, logged, provider, baseUrl };
}

t.test('start: opens the payment and sends the browser to its page', async (t) => {
  const { asked, provider } = await startProvider(t, [json(accepted, 201)]);
  t.strictSame(await provider.start(request), {
    kind: 'redirect',
    redirectUrl: 'https://pay.example/trx.sim_abc?a=1',
    providerTransactionId: 'trx.sim_abc',
  });
  t.equal(asked.length, 1);
  t.match(asked[0], { method: 'POST', headers: { authorization: 'pk_test_sim', 'content-type': 'application/json' } });
  t.equal(asked[0]?.url.pathname, '/payments');
  t.notOk('x-grant' in (asked[0]?.headers ?? {}), 'the private key is not sent');
  t.strictSame(JSON.parse(asked[0]?.body ?? ''), {
    amount: 5000,
    currency: 'XAF',
    email: 'eleve@gmail.com',
    description: request.note,
    reference: ours,
    callback: 'https://site.example/success',
    locked_currency: 'XAF',
    locked_country: 'CM',
  });
});

t.test('start: the outcome for each response', async (t) => {
  const page = accepted.authorization_url;
  const unusable = { kind: 'unknown', cause: 'no usable checkout address in the answer' };
  const cases: [string, Answer, object][] = [
    [
      'a string for the transaction',
      json({ ...accepted, transaction: 'trx.sim_abc' }, 201),
      { kind: 'redirect', providerTransactionId: 'trx.sim_abc' },
    ],
    ['200', json(accepted), { kind: 'redirect', redirectUrl: page }],
    ['no transaction', json({ authorization_url: page }, 201), { kind: 'redirect', redirectUrl: page, providerTransactionId: undefined }],
    ['its id alone', json({ ...accepted, transaction: { id: 'trx.1' } }, 201), { kind: 'redirect', providerTransactionId: 'trx.1' }],
    ['an invalid reference', json({ ...accepted, transaction: 'x\u0000' }, 201), { kind: 'redirect', providerTransactionId: undefined }],
    ['no address', json({ ...accepted, authorization_url: undefined }, 201), unusable],
    ['another origin', json({ ...accepted, authorization_url: 'https://evil.example/' }, 201), unusable],
    ['a look-alike', json({ ...accepted, authorization_url: 'https://pay.example@evil.example/' }, 201), unusable],
    ['a user in it', json({ ...accepted, authorization_url: 'https://a:b@pay.example/' }, 201), unusable],
    ['in the clear', json({ ...accepted, authorization_url: 'http://pay.example/' }, 201), unusable],
    ['a script', json({ ...accepted, authorization_url: 'javascript:alert(1)' }, 201), unusable],
    ['half an address', json({ ...accepted, authorization_url: '/trx' }, 201), unusable],
    ['a duplicate', json({ message: 'Duplicate reference' }, 409), { kind: 'taken' }],
    ['a wrong key', json({ message: 'pk_test_sim is not valid' }, 401), { kind: 'refused', reason: 'our key was not accepted (HTTP 401)' }],
    ['no right', json({ message: 'no' }, 403), { kind: 'refused', reason: 'our key was not accepted (HTTP 403)' }],
    ['a bad amount', json({ errors: { amount: ['min 100'], '<b>': [''] } }, 422), { kind: 'refused', reason: 'HTTP 422: amount' }],
    ['a 422 without words', status(422), { kind: 'refused', reason: 'HTTP 422' }],
    ['not found', html404(), { kind: 'refused', reason: 'HTTP 404' }],
    ['too many', status(429, { 'retry-after': '7' }), { kind: 'unknown', cause: 'HTTP 429', retryAfterSeconds: 7 }],
    ['500', json(accepted, 500), { kind: 'unknown', cause: 'HTTP 500' }],
    ['a redirect', status(302, { location: page }), { kind: 'unknown', cause: 'HTTP 302' }],
    ['HTML', html, { kind: 'unknown', cause: 'not JSON' }],
    ['too long', json({ ...accepted, x: 'x'.repeat(70_000) }, 201), { kind: 'unknown', cause: 'answer too long' }],
  ];
  for (const [name, answer, expected] of cases) {
    const { asked, provider } = await startProvider(t, [answer]);
    t.match(await provider.start(request), expected, name);
    t.equal(asked.length, 1, `${name}: sent once`);
  }
  const silent = await startProvider(t, [silence], 150);
  t.strictSame(await silent.provider.start(request), { kind: 'unknown', cause: 'time-out' });
  const gone = notchpayAdapter({ ...settings, baseUrl: await nowhere() });
  t.strictSame(await gone.start(request), { kind: 'unknown', cause: 'ECONNREFUSED' });
  t.match(await notchpayAdapter({ ...settings, publicKey: null }).start(request), { kind: 'refused' });
});

function html404(): Answer {
  return (response) => response.writeHead(404).end('<title>404</title>');
}

t.test('verify: each state', async (t) => {
  const cases: [string, object, string][] = [
    ['complete', {}, 'succeeded'],
    ['amount as text', { amount: '5000' }, 'succeeded'],
    ['amount with decimals', { amount: '5000.00' }, 'succeeded'],
    ['their reference is ours, theirs the id', { id: 'trx.1', reference: ours, merchant_reference: undefined }, 'succeeded'],
    ['paid less', { amount: 4999 }, 'mismatch'],
    ['paid more', { amount: 50000 }, 'mismatch'],
    ['another currency', { currency: 'XOF' }, 'mismatch'],
    ['no currency', { currency: undefined }, 'mismatch'],
    ['no amount', { amount: undefined }, 'mismatch'],
    ['amount in hexadecimal', { amount: '0x1388' }, 'mismatch'],
    ["another payment's reference", { merchant_reference: 'NP1' }, 'mismatch'],
    ['no reference of ours', { merchant_reference: null }, 'mismatch'],
    ['pending', { status: 'pending' }, 'pending'],
    ['processing', { status: 'processing' }, 'pending'],
    ['paid less so far', { status: 'incomplete', amount: 3000 }, 'incomplete'],
    ['failed', { status: 'failed' }, 'failed'],
    ['rejected', { status: 'rejected' }, 'failed'],
    ['canceled', { status: 'canceled' }, 'cancelled'],
    ['abandoned', { status: 'abandoned' }, 'cancelled'],
    ['expired', { status: 'expired' }, 'expired'],
    ['refunded', { status: 'refunded' }, 'refunded'],
    ['fully refunded', { status: 'refunded', amount_refunded: 5000 }, 'refunded'],
    [
      'fully refunded, in parts',
      { status: 'partially-refunded', refunds: [{ amount: 2000 }, { amount: '3000', status: 'complete' }] },
      'refunded',
    ],
    ['partly refunded', { status: 'partialy-refunded' }, 'partly_refunded'],
    ['partly refunded, spelled well', { status: 'partially-refunded' }, 'partly_refunded'],
    ['called refunded, but partly refunded', { status: 'refunded', refunded_amount: 500 }, 'partly_refunded'],
    ['called complete, partly refunded', { status: 'complete', amount_refunded: '500' }, 'partly_refunded'],
    ['called complete, not refunded', { status: 'complete', amount_refunded: 0 }, 'succeeded'],
    ['in capitals', { status: 'COMPLETE' }, 'succeeded'],
    ['a failure of another payment', { status: 'failed', merchant_reference: 'NP1' }, 'unknown'],
  ];
  for (const [name, change, kind] of cases) {
    // The top-level status describes the call, never the payment.
    const { asked, logged, provider } = await startProvider(t, [
      json({ status: 'OK', code: 200, transaction: { ...transaction, ...change } }),
    ]);
    t.equal((await provider.verify(attempt)).kind, kind, name);
    t.match(asked, [{ method: 'GET', headers: { authorization: 'pk_test_sim' }, url: { pathname: `/payments/${ours}` } }], name);
    t.equal(asked.length, 1, name);
    t.strictSame(logged, [], name);
  }
});

t.test('verify: the reason, if any, is French', async (t) => {
  for (const [status, reason] of [
    ['failed', undefined],
    ['refunded', undefined],
    ['partialy-refunded', undefined],
  ] as const) {
    const { provider } = await startProvider(t, [json({ transaction: { ...transaction, status } })]);
    const said = await provider.verify(attempt);
    t.equal('reason' in said ? said.reason : undefined, reason, status);
  }
});

t.test('verify: the reason of a failure, wherever it is', async (t) => {
  for (const [fields, reason] of [
    [{ failure_reason: 'NOT_ENOUGH_FUNDS' }, 'NOT_ENOUGH_FUNDS'],
    [{ reason: 'x'.repeat(300) }, 'x'.repeat(200)],
    [{ failure_reason: null, message: 'Wrong PIN' }, 'Wrong PIN'],
  ] as const) {
    const { provider } = await startProvider(t, [json({ transaction: { ...transaction, status: 'failed', ...fields } })]);
    t.match(await provider.verify(attempt), { kind: 'failed', reason });
  }
});

t.test('verify: the fields of a success', async (t) => {
  const verify = async (change: object) =>
    (await startProvider(t, [json({ transaction: { ...transaction, ...change } })])).provider.verify(attempt);
  t.match(await verify({}), { amount: 5000, currency: 'XAF', providerTransactionId: 'trx.sim_abc', raw: { transaction } });
  t.notOk('payerPhone' in (await verify({ customer: 'cus_1' })));
  t.match(await verify({ phone: '+237699112233' }), { payerPhone: '+237699112233' });
  t.match(await verify({ customer: { phone: '699112233' } }), { payerPhone: '699112233' });
});

t.test('verify: refunds', async (t) => {
  const verify = async (change: object) =>
    (await startProvider(t, [json({ transaction: { ...transaction, status: 'partialy-refunded', ...change } })])).provider.verify(attempt);
  const taken = { amount: 5000, currency: 'XAF', providerTransactionId: 'trx.sim_abc' };
  t.match(await verify({ amount_refunded: 500 }), { kind: 'partly_refunded', taken, returned: 500 });
  t.match(await verify({ refunded_amount: '500.00' }), { taken, returned: 500 });
  t.match(await verify({ refund: { amount: 500 } }), { taken, returned: 500 });
  t.match(await verify({ refunds: [{ amount: 500 }, { amount: 700, status: 'failed' }, { amount: 300, status: 'complete' }] }), {
    taken,
    returned: 800,
  });
  for (const unsaid of [{}, { amount_refunded: 0 }, { amount_refunded: -5 }, { amount_refunded: 'tout' }, { refunds: 'oui' }])
    t.match(await verify(unsaid), { kind: 'partly_refunded', taken, returned: null }, JSON.stringify(unsaid));
  t.match(
    await verify({ amount: 4000, amount_refunded: 500 }),
    { kind: 'partly_refunded', taken: null, returned: null },
    'a partial refund of another amount has no amounts',
  );
});

t.test('verify: an unknown state stays pending, and is logged', async (t) => {
  for (const state of ['on-hold', 'constructor', '', undefined]) {
    const { logged, provider } = await startProvider(t, [json({ status: 'complete', transaction: { ...transaction, status: state } })]);
    t.match(await provider.verify(attempt), { kind: 'pending', raw: { transaction: { reference: 'trx.sim_abc' } } }, String(state));
    t.strictSame(logged, [{ provider: 'notchpay', reference: ours, state: state ?? '' }], String(state));
  }
});

t.test("verify: by our reference, then by the provider's", async (t) => {
  const known = { ...attempt, providerTransactionId: 'trx/sim abc' };
  const missing = json({ message: 'Not found', code: 404 }, 404);
  const byTheirs = { ...transaction, id: 'trx/sim abc', merchant_reference: undefined };
  const found = await startProvider(t, [missing, json({ transaction: byTheirs })]);
  t.equal((await found.provider.verify(known)).kind, 'succeeded');
  t.equal(found.asked[1]?.url.pathname, '/payments/trx%2Fsim%20abc');
  const absent = await startProvider(t, [missing]);
  t.match(await absent.provider.verify(known), { kind: 'not_found', raw: { code: 404 } });
  t.equal(absent.asked.length, 2);
  const never = await startProvider(t, [missing]);
  t.equal((await never.provider.verify(attempt)).kind, 'not_found');
  t.equal(never.asked.length, 1);
  const foreign = await startProvider(t, [missing, json({ transaction: { ...byTheirs, id: 'trx.other', reference: 'trx.other' } })]);
  t.equal((await foreign.provider.verify(known)).kind, 'mismatch');
});

t.test('verify: every invalid response is unknown', async (t) => {
  const cases: [string, Answer, string][] = [
    ['a wrong key', json({ message: 'pk_test_sim' }, 401), 'our key was not accepted (HTTP 401)'],
    ['no right', json({}, 403), 'our key was not accepted (HTTP 403)'],
    ["somebody's 404 page", html404(), 'HTTP 404'],
    ['an odd refusal', json({}, 418), 'HTTP 418'],
    ['a success without words', status(204), 'HTTP 204'],
    ['no transaction', json({ status: 'complete' }), 'no transaction in the answer'],
    ['500', json({ transaction }, 500), 'HTTP 500'],
    ['HTML', html, 'not JSON'],
  ];
  for (const [name, answer, cause] of cases) {
    const { provider } = await startProvider(t, [answer]);
    const keyRefused = cause.startsWith('our key') ? { keyRefused: true } : {};
    t.strictSame(await provider.verify(attempt), { kind: 'unknown', cause, ...keyRefused }, name);
  }
  t.match(await notchpayAdapter({ ...settings, publicKey: null }).verify(attempt), { kind: 'unknown' });
});

t.test('notifications: both formats, with our reference in any field', async (t) => {
  const { readNotification } = notchpayAdapter(settings);
  const read = (body: string) => readNotification(Buffer.from(body), {});
  const cases: [string, object, string[]][] = [
    ['type', { type: 'payment.complete', data: { id: 'trx.sim_abc', reference: ours } }, [ours, 'trx.sim_abc']],
    ['event', { event: 'payment.complete', data: { reference: 'trx.sim_abc', merchant_reference: ours } }, [ours, 'trx.sim_abc']],
    ['one name twice', { data: { reference: ours, merchant_reference: ours } }, [ours]],
    ['theirs alone', { data: { id: 'trx.sim_abc' } }, ['trx.sim_abc']],
    ['no text', { data: { reference: 5, merchant_reference: null, id: { a: 1 } } }, []],
    ['a control character', { data: { reference: `${ours}\u0000` } }, []],
    ['too long', { data: { reference: 'x'.repeat(85) } }, []],
    ['no data', { reference: ours }, []],
    ['data that is a list', { data: [ours] }, []],
  ];
  for (const [name, body, references] of cases) t.match(await read(JSON.stringify(body)), { references, signed: false }, name);
  for (const body of ['', 'null', '[]', '{', 'reference=NP1', '\u0000'])
    t.match(await read(body), { references: [], signed: false, eventKey: /^[\da-f]{64}$/ });
});

t.test('notifications: the event key identifies repetitions, and a forged id does not replace another event', async (t) => {
  const { readNotification } = notchpayAdapter(settings);
  const keyOf = async (event: object, signed = true) => {
    const body = Buffer.from(JSON.stringify(event));
    const signature = createHmac('sha256', signed ? settings.hashKey : 'hsk_other')
      .update(body)
      .digest('hex');
    const read = await readNotification(body, { 'x-notch-signature': signature });
    t.equal(read.signed, signed);
    return read.eventKey;
  };
  const data = { reference: ours, status: 'complete' };
  t.not(await keyOf({ id: 'evt_1', data }, false), await keyOf({ id: 'evt_1', data }));
  const nameless = await keyOf({ type: 'payment.complete', data });
  t.equal(
    nameless,
    await keyOf({ type: 'payment.complete', created_at: 'later', data }),
    'two events of one payment in one state have one key',
  );
  t.not(nameless, await keyOf({ type: 'payment.complete', data: { ...data, status: 'processing' } }));
  t.not(nameless, await keyOf({ type: 'payment.complete', data: { ...data, reference: 'NP2' } }));
  t.not(
    await keyOf({ type: 'payment.complete', data: { reference: ours } }),
    await keyOf({ event: 'payment.failed', data: { reference: ours } }),
  );
});
