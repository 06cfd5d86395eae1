import { createHmac } from 'node:crypto';
import t, { type Test } from 'tap';
import { createTestApp } from '../../../../test/support/app.ts';
import { createLearner, createPayment, createPrepa } from '../../../../test/support/factories.ts';
import { sql } from '../../../../test/support/sql.ts';

const urlencoded = 'application/x-www-form-urlencoded';
const token = 'a-token-of-the-test';

/** Opens the application with one settled ZitoPay payment, so that the provider is never asked. */
async function openShop(t: Test) {
  const notchpay = { NOTCHPAY_PUBLIC_KEY: 'pk_test_sim', NOTCHPAY_HASH_KEY: 'hsk_test_sim' };
  const home = await createTestApp(t, { METRICS_TOKEN: token, PAYMENT_PROVIDERS: 'zitopay,notchpay', ...notchpay });
  const { app, databaseUrl } = home;
  const known = await createPayment(home, await createLearner(home), await createPrepa(home), 'succeeded');
  return {
    ...home,
    known,
    notify: (payload: string, { provider = 'zitopay', remoteAddress = '41.202.0.1', headers = {} } = {}) =>
      app.inject({
        method: 'POST',
        url: `/api/payment/${provider}/notification`,
        payload,
        remoteAddress,
        headers: { 'content-type': urlencoded, ...headers },
      }),
    stored: async (condition = 'true') =>
      (await sql<{ n: number }>(databaseUrl, `select count(*)::int as n from payment_notification where ${condition}`))[0]?.n,
    dropped: async () => {
      const { body } = await app.inject({ url: '/metrics', headers: { authorization: `Bearer ${token}` } });
      return Number(/^prepa_payment_notifications_total\{provider="zitopay",outcome="dropped"\} (\d+)$/m.exec(body)?.[1] ?? 0);
    },
  };
}

t.test('a notification of 13 bytes costs its own size and five bounded headers', async (t) => {
  const { notify, databaseUrl } = await openShop(t);
  const junk = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`x-junk-${index}`, 'é'.repeat(250)]));
  const named = { 'user-agent': 'a'.repeat(9_000), 'x-forwarded-for': `${'1.1.1.1, '.repeat(300)}41.202.0.9` };
  await notify('ref=ZP1234567', { headers: { ...junk, ...named, cookie: 'secret=1', 'x-notch-signature': 'f'.repeat(128) } });
  const event = '{"id":"evt_1","data":{"id":"trx.1"}}';
  await notify(event, { provider: 'notchpay', headers: { ...junk, 'x-notch-signature': 'f'.repeat(128) } });
  const rows = await sql<{ headers: Record<string, string>; bytes: number }>(
    databaseUrl,
    'select headers, pg_column_size(payment_notification.*) as bytes from payment_notification order by id',
  );
  t.same(Object.keys(rows[0]?.headers ?? {}).sort(), ['content-length', 'content-type', 'user-agent', 'x-forwarded-for']);
  t.same(
    Object.keys(rows[1]?.headers ?? {}).filter((name) => name.startsWith('x-')),
    ['x-notch-signature'],
    'the signature header is stored for a provider that signs',
  );
  t.match(rows[0]?.headers['x-forwarded-for'], /, 41\.202\.0\.9$/, 'the stored header ends with the address added by the proxy');
  for (const { bytes } of rows) t.ok(bytes < 1_000, `${bytes} bytes`);
});

t.test("above a network's limit, unsigned notifications of unknown payments get a 200 and are counted but not stored", async (t) => {
  const { notify, stored, dropped, known } = await openShop(t);
  const before = await dropped();
  for (let batch = 0; batch < 40; batch += 1) {
    const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => notify(`ref=INCONNU${batch}x${index}`)));
    t.ok(answers.every(({ statusCode, body }) => statusCode === 200 && body === 'OK'));
  }
  const share = await stored();
  t.ok(
    share !== undefined && share >= 300 && share <= 310,
    `${share} notifications are stored: 300, and at most 10 sent at the same moment`,
  );
  t.equal((await dropped()) - before, 400 - (share ?? 0));
  await notify(`ref=${known.reference}`);
  t.equal(await stored(`payment_id = ${known.id}`), 1, 'the notification of a known payment is stored');
  const event = '{"id":"evt_1","type":"payment.complete","data":{"id":"trx.other","status":"complete"}}';
  const signature = createHmac('sha256', 'hsk_test_sim').update(event).digest('hex');
  await notify(event, { provider: 'notchpay', headers: { 'content-type': 'application/json', 'x-notch-signature': signature } });
  t.equal(await stored('signed'), 1, 'a signed notification is stored');
  await notify(event, { provider: 'notchpay', headers: { 'content-type': 'application/json', 'x-notch-signature': 'f'.repeat(64) } });
  t.equal(await stored(`provider = 'notchpay' and not signed`), 0, 'a forged notification is not stored');
  await notify('ref=AUTRE', { remoteAddress: '41.202.0.2' });
  t.equal(await stored(`reference = 'AUTRE'`), 1, 'another network has its own limit');
});

t.test('unsigned notifications of one payment are stored up to a limit, and all are processed', async (t) => {
  const { notify, stored, dropped, known, databaseUrl } = await openShop(t);
  const before = await dropped();
  // An attacker who has begun a payment knows its reference, and may use many addresses.
  for (let index = 0; index < 100; index += 1) {
    const { statusCode, body } = await notify(`ref=${known.reference}&n=${index}`, { remoteAddress: `41.202.1.${index}` });
    t.same([statusCode, body], [200, 'OK']);
  }
  t.equal(await stored(), 60);
  t.equal((await dropped()) - before, 40);
  await sql(databaseUrl, `update payment set status = 'pending', settled_at = null`);
  await notify(`ref=${known.reference}&zitopay_transaction_reference=T1`);
  for (let asked = 0; asked === 0; ) asked = Number((await sql<{ checks: number }>(databaseUrl, 'select checks from payment'))[0]?.checks);
  t.equal(await stored(), 60);
});

t.test('large notifications count per kilobyte, and one IPv6 network is one sender', async (t) => {
  const { notify, stored } = await openShop(t);
  for (let index = 0; index < 12; index += 1) await notify(`x=${'y'.repeat(50_000)}`, { remoteAddress: `2001:db8::${index + 1}` });
  t.equal(await stored(), 7, '7 notifications of 49 points each reach the limit of 300');
  await notify('ref=ZP1', { remoteAddress: '2001:db8:0:1::1' });
  t.equal(await stored(), 8);
});

t.test('unknown notifications are limited over all networks', async (t) => {
  const { notify, stored, known } = await openShop(t);
  for (let network = 1; network <= 12; network += 1)
    for (let index = 0; index < 7; index += 1) await notify(`x=${'y'.repeat(50_000)}`, { remoteAddress: `2001:db8:0:${network}::1` });
  t.equal(await stored(), 62, '62 notifications of 49 points each reach the limit of 3,000');
  await notify(`ref=${known.reference}`, { remoteAddress: '2001:db8:0:99::1' });
  t.equal(await stored(), 63, 'known payments have their own limit');
});
