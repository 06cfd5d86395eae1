import t from 'tap';
import { checkoutOf, startSimulator } from '../../../../../simulators/zitopay/testing.ts';
import { type Answer, html, json, nowhere, silence, startScripted, status } from '../../../../../test/support/scripted-provider.ts';
import type { Attempt } from '../../contract/provider.ts';
import { zitopayAdapter } from './adapter.ts';

const attempt: Attempt = { reference: 'ZP1768471200000a1b2c3d4', amount: 5000, currency: 'XAF', providerTransactionId: null };
const paid = { status: 1, status_msg: 'COMPLETED', info: 'Paid', amount: '5000', currency_code: 'XAF' };

/** Retries without a noticeable wait. */
const hasty = { firstRepeatMs: 1 };

/** Creates the adapter with a provider that sends the responses in turn; the last one is repeated. */
async function startProvider(t: Parameters<typeof startScripted>[0], answers: Answer[], timeoutMs = 10_000) {
  const { asked, baseUrl } = await startScripted(t, answers);
  const provider = zitopayAdapter(
    { receiver: 'prepa', baseUrl, scriptUrl: 'https://cdn.example/payment.js', timeoutMs, hasWidget: true },
    hasty,
  );
  return { asked, provider, verify: () => provider.verify(attempt) };
}

t.test('verify: each response', async (t) => {
  const cases: [string, unknown, string][] = [
    ['numeric status', paid, 'succeeded'],
    ['status as a string', { ...paid, status: '1', status_msg: undefined }, 'succeeded'],
    ['the word alone', { ...paid, status: undefined }, 'succeeded'],
    ['amount as a number', { ...paid, amount: 5000 }, 'succeeded'],
    ['amount with decimals', { ...paid, amount: '5000.00' }, 'succeeded'],
    [
      'charged in another currency',
      { ...paid, amount: '8.2', currency_code: 'USD', original_amount: '5000', original_currency_code: 'XAF' },
      'succeeded',
    ],
    ['less than requested', { ...paid, amount: '50' }, 'mismatch'],
    ['more than requested', { ...paid, amount: '50000' }, 'mismatch'],
    ['the original is less', { ...paid, original_amount: '50', original_currency_code: 'XAF' }, 'mismatch'],
    ['another currency', { ...paid, currency_code: 'XOF' }, 'mismatch'],
    ['the original amount alone', { ...paid, amount: '8.2', original_amount: '5000' }, 'mismatch'],
    ['the original currency alone', { ...paid, currency_code: 'USD', original_currency_code: 'XAF' }, 'mismatch'],
    ['no amount', { ...paid, amount: undefined }, 'mismatch'],
    ['no currency', { ...paid, currency_code: undefined }, 'mismatch'],
    ['an invalid amount', { ...paid, amount: '5000; 1' }, 'mismatch'],
    ['an amount in hexadecimal', { ...paid, amount: '0x1388' }, 'mismatch'],
    ['a list for an amount', { ...paid, amount: ['5000'] }, 'mismatch'],
    ['declined', { status: -1, status_msg: 'FAILED', info: 'Declined' }, 'failed'],
    ['declined, as a string', { status: '-1' }, 'failed'],
    ['the word DECLINED', { status_msg: 'DECLINED' }, 'failed'],
    ['pending', { status: 0, status_msg: 'PENDING' }, 'pending'],
    ['an unknown word', { status: 7, status_msg: 'THINKING' }, 'pending'],
    ['a true status', { status: true }, 'pending'],
    ['a status in a list', { status: [1] }, 'pending'],
    ['an empty object', {}, 'pending'],
  ];
  for (const [name, answer, kind] of cases) {
    const { verify } = await startProvider(t, [json(answer)]);
    t.equal((await verify()).kind, kind, name);
  }
});

t.test('the request has our own receiver, reference, amount and currency', async (t) => {
  const { asked, verify } = await startProvider(t, [json(paid)]);
  const verification = await verify();
  t.match(verification, { kind: 'succeeded', amount: 5000, currency: 'XAF' });
  t.strictSame(Object.fromEntries(asked[0]?.url.searchParams ?? []), {
    action: 'get_transaction',
    receiver: 'prepa',
    ref: attempt.reference,
    trade_id: '0',
    amount: '5000',
    currency: 'XAF',
  });
  t.equal(asked.length, 1);
});

t.test('after an error, the request is repeated without amount and currency', async (t) => {
  const refused = json({ error: 'Amount mismatch' });
  const cases: [string, Answer, string][] = [
    ['still an error', json({ error: 'Invalid transaction reference' }), 'not_found'],
    ['completed with other values', json({ ...paid, amount: '100' }), 'mismatch'],
    ['completed with ours', json(paid), 'succeeded'],
    ['pending', json({ status: 0 }), 'pending'],
    ['declined', json({ status: -1 }), 'failed'],
    ['an HTTP status that the provider does not use', json(paid, 404), 'unknown'],
  ];
  for (const [name, second, kind] of cases) {
    const { asked, verify } = await startProvider(t, [refused, second]);
    t.equal((await verify()).kind, kind, name);
    t.equal(asked.length, 2, name);
    const bare = asked[1]?.url.searchParams;
    t.notOk(bare?.has('amount') || bare?.has('currency'), name);
    t.equal(bare?.get('receiver'), 'prepa', name);
  }
});

t.test("every invalid response gives the result 'unknown' and never throws", async (t) => {
  const cases: [string, Answer, string][] = [
    ['HTML', html, 'not JSON'],
    ['an empty body', status(200), 'not JSON'],
    ['a list', json([paid]), 'not a JSON object'],
    ['null', json(null), 'not a JSON object'],
    ['500 with the right JSON', json(paid, 500), 'HTTP 500'],
    ['404 with the right JSON', json(paid, 404), 'HTTP 404'],
    ['a redirect', status(302, { location: '/elsewhere' }), 'HTTP 302'],
    ['too long', json({ ...paid, info: 'x'.repeat(70_000) }), 'answer too long'],
    ['cut', (response) => response.socket?.destroy(), 'UND_ERR_SOCKET'],
  ];
  for (const [name, answer, cause] of cases) {
    const { verify } = await startProvider(t, [answer]);
    t.strictSame(await verify(), { kind: 'unknown', cause }, name);
  }
  const silent = await startProvider(t, [silence], 150);
  t.strictSame(await silent.verify(), { kind: 'unknown', cause: 'time-out' }, 'a missing response is a time-out');
  const endless: Answer = (response) => void response.write('{"status":');
  t.strictSame(
    await (await startProvider(t, [endless], 150)).verify(),
    { kind: 'unknown', cause: 'time-out' },
    'an endless response is a time-out',
  );
  const settings = { receiver: 'prepa', baseUrl: await nowhere(), scriptUrl: 'https://cdn.example/x.js', timeoutMs: 500, hasWidget: true };
  t.strictSame(await zitopayAdapter(settings, hasty).verify(attempt), { kind: 'unknown', cause: 'ECONNREFUSED' });
});

t.test('both requests share one timeout', async (t) => {
  const { asked, verify } = await startProvider(
    t,
    [(response, got) => void setTimeout(() => json({ error: 'Amount mismatch' })(response, got), 600), silence],
    800,
  );
  const before = performance.now();
  t.strictSame(await verify(), { kind: 'unknown', cause: 'time-out' });
  t.equal(asked.length, 2);
  t.ok(performance.now() - before < 1_350, 'both requests together take at most about 800 ms');
});

t.test('against the simulator', async (t) => {
  const { control, url } = await startSimulator(t as never);
  const provider = zitopayAdapter(
    { receiver: 'prepa', baseUrl: url, scriptUrl: `${url}/assets/js/payment.js`, timeoutMs: 500, hasWidget: true },
    hasty,
  );
  const verify = async (reference: string) => (await provider.verify({ ...attempt, reference })).kind;
  for (const ref of ['A', 'B', 'C', 'D', 'E']) await control.register(checkoutOf(ref));
  t.equal(await verify('A'), 'pending');
  await control.approve('A');
  t.equal(await verify('A'), 'succeeded');
  await control.decline('B');
  t.equal(await verify('B'), 'failed');
  t.equal(await verify('Z'), 'not_found');
  t.equal(
    (await provider.verify({ ...attempt, reference: 'A', amount: 9000 })).kind,
    'mismatch',
    'a smaller amount than the amount of the row is a mismatch',
  );
  await control.approve('C');
  await control.setKnobs({ tamperedAmount: 1, statusType: 'string' }, 'C');
  t.equal(await verify('C'), 'mismatch');
  await control.approve('D');
  await control.setKnobs({ otherCurrency: { currency: 'USD', amount: '8.20' }, statusType: 'string' }, 'D');
  t.equal(await verify('D'), 'succeeded');
  await control.approve('E');
  await control.setKnobs(
    {
      verifyHangMs: 5_000,
      verifyFaults: [
        { kind: 'error', times: 1 },
        { kind: 'http500', times: 3 },
        { kind: 'html', times: 3 },
        { kind: 'hang', times: 1 },
        { kind: 'http500', times: 2 },
      ],
    },
    'E',
  );
  t.equal(await verify('E'), 'unknown', 'an error followed by 500s is unknown');
  t.equal(await verify('E'), 'unknown', 'an HTML response is unknown');
  t.equal(await verify('E'), 'unknown', 'a hanging response is unknown');
  t.equal(await verify('E'), 'succeeded', 'a retry after 500s succeeds within the verification');
});

t.test('start: the widget, its script, and the full page as alternative', async (t) => {
  const provider = zitopayAdapter({
    receiver: 'prepa',
    baseUrl: 'https://pay.example',
    scriptUrl: 'https://cdn.example/payment.js',
    timeoutMs: 500,
    hasWidget: true,
  });
  const urls = { notification: 'https://site.example/n', success: 'https://site.example/success', cancel: 'https://site.example/cancel' };
  const request = { reference: 'ZP1', amount: 5000, currency: 'XAF', note: `${'é'.repeat(224)}😀`, payer: { email: 'a@gmail.com' }, urls };
  const checkout = await provider.start(request);
  if (checkout.kind !== 'widget') return t.fail('a widget');
  t.equal(checkout.script, 'https://cdn.example/payment.js');
  t.strictSame(checkout.options, {
    receiver: 'prepa',
    amount: 5000,
    currency: 'XAF',
    ref: 'ZP1',
    memo: `${'é'.repeat(224)}\ufffd`,
    notification_url: urls.notification,
    success_url: urls.success,
    cancel_url: urls.cancel,
  });
  const page = new URL(checkout.checkoutUrl);
  t.equal(page.origin + page.pathname, 'https://pay.example/sci');
  t.equal(page.searchParams.get('ref'), 'ZP1');
  t.equal(page.searchParams.get('amount'), '5000');
  t.strictSame(provider.browserOrigins, ['https://cdn.example', 'https://pay.example']);
});

t.test('reads notifications', async (t) => {
  const { readNotification } = zitopayAdapter({
    receiver: 'prepa',
    baseUrl: 'https://pay.example',
    scriptUrl: 'https://pay.example/x.js',
    timeoutMs: 500,
    hasWidget: true,
  });
  const urlencoded = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };
  const multipart = { 'content-type': 'multipart/form-data; boundary=XX' };
  const form = '--XX\r\nContent-Disposition: form-data; name="ref"\r\n\r\nZP1\r\n--XX--\r\n';
  const cases: [string, string, Record<string, string>, string[]][] = [
    ['urlencoded', 'ref=ZP1&zitopay_transaction_reference=T', urlencoded, ['ZP1']],
    ['multipart', form, multipart, ['ZP1']],
    ['no type', 'ref=ZP1', {}, ['ZP1']],
    ['twice', 'ref=ZP1&ref=ZP2', urlencoded, ['ZP1']],
    ['no reference', 'other=1', urlencoded, []],
    ['empty', '', urlencoded, []],
    ['too long', `ref=${'Z'.repeat(85)}`, urlencoded, []],
    ['a NUL', 'ref=ZP1%00', urlencoded, []],
    ['broken multipart', '--YY nonsense', multipart, []],
    ['multipart without a boundary', form, { 'content-type': 'multipart/form-data' }, []],
    ['another type', '{"ref":"ZP1"}', { 'content-type': 'application/json' }, []],
    ['a file for a field', form.replace('name="ref"', 'name="ref"; filename="a"'), multipart, []],
  ];
  for (const [name, body, headers, references] of cases) {
    t.match(await readNotification(Buffer.from(body), headers), { references, signed: false, eventKey: /^[0-9a-f]{64}$/ }, name);
  }
  const named = await readNotification(Buffer.from('ref=ZP1&zitopay_transaction_reference=T1'), urlencoded);
  t.match(named, { references: ['ZP1'], providerTransactionId: 'T1' });
  t.notOk('providerTransactionId' in (await readNotification(Buffer.from('ref=ZP1&zitopay_transaction_reference=%00'), urlencoded)));
  const key = async (body: string) => (await readNotification(Buffer.from(body), urlencoded)).eventKey;
  t.equal(await key('ref=ZP1'), await key('ref=ZP1'));
  t.not(await key('ref=ZP1'), await key('ref=ZP1&x=1'));
});

t.test('with the full page alone, no script is named, and the address is the same', async (t) => {
  const settings = { receiver: 'prepa', baseUrl: 'https://pay.example', scriptUrl: 'https://cdn.example/payment.js', timeoutMs: 500 };
  const urls = {
    notification: 'https://prepa.example/n',
    success: 'https://prepa.example/success',
    cancel: 'https://prepa.example/cancel',
  };
  const request = { reference: 'ZP1', amount: 5000, currency: 'XAF', note: 'Préparation', payer: { email: 'a@gmail.com' }, urls };
  const [page, widget] = [zitopayAdapter({ ...settings, hasWidget: false }), zitopayAdapter({ ...settings, hasWidget: true })];
  t.match(page, { widgetScript: null, browserOrigins: ['https://pay.example'], playPayer: null, reopens: true });
  const [opened, shown] = [await page.start(request), await widget.start(request)];
  t.match(shown, { kind: 'widget' });
  t.same(opened, { kind: 'redirect', redirectUrl: shown.kind === 'widget' ? shown.checkoutUrl : '' });
});
