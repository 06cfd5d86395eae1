import t from 'tap';
import { startNotchpay } from '../../../../../simulators/notchpay/testing.ts';
import { startMerchant } from '../../../../../simulators/platform/testing.ts';
import { attempt, request, settings } from '../../../../../test/support/notchpay-samples.ts';
import { notchpayAdapter } from './adapter.ts';

t.test('the adapter starts and checks payments at the simulator', async (t) => {
  const { control, url } = await startNotchpay(t as never);
  const provider = notchpayAdapter({ ...settings, baseUrl: url, checkoutOrigin: url }, { firstRepeatMs: 1 });
  const start = (reference: string) => provider.start({ ...request, reference });
  const verify = (reference: string) => provider.verify({ ...attempt, reference });
  t.match(await start('NPA'), { kind: 'redirect', redirectUrl: new RegExp(`^${url}/`) });
  t.strictSame(await start('NPA'), { kind: 'taken' });
  t.match(await verify('NPA'), { kind: 'pending' });
  const theirs = (await control.approve('NPA')).transactionReference;
  t.match(await verify('NPA'), { kind: 'succeeded', amount: 5000, currency: 'XAF', providerTransactionId: theirs });
  t.match(await provider.verify({ ...attempt, reference: 'NPA', amount: 9000 }), { kind: 'mismatch' });
  await control.refund('NPA');
  t.match(await verify('NPA'), { kind: 'refunded' });
  t.match(await verify('NPZ'), { kind: 'not_found' });

  await control.setKnobs({ transactionShape: 'string' });
  t.match(await start('NPB'), { kind: 'redirect', providerTransactionId: /^trx\./ });
  for (const [status, kind] of [
    ['incomplete', 'incomplete'],
    ['rejected', 'failed'],
    ['abandoned', 'cancelled'],
    ['expired', 'expired'],
  ] as const) {
    await control.decide('NPB', status);
    t.equal((await verify('NPB')).kind, kind, status);
  }
  await control.setKnobs({ statusWord: 'on-hold' }, 'NPB');
  t.equal((await verify('NPB')).kind, 'pending');
  await control.setKnobs({ startFaults: [{ kind: 'lost', times: 1 }] });
  t.equal((await start('NPC')).kind, 'unknown');
  t.equal((await verify('NPC')).kind, 'pending', 'a check finds the payment whose start response was lost');
  const wrong = notchpayAdapter({ ...settings, publicKey: 'pk_wrong', baseUrl: url, checkoutOrigin: url });
  t.match(await wrong.start(request), { kind: 'refused', reason: 'our key was not accepted (HTTP 401)' });
});

t.test("the adapter reads the simulator's pretty-printed notifications in both formats and detects invalid signatures", async (t) => {
  const { control, url } = await startNotchpay(t as never);
  const provider = notchpayAdapter({ ...settings, baseUrl: url, checkoutOrigin: url });
  await provider.start({ ...request, reference: 'NPD' });
  const merchant = await startMerchant(t as never);
  await control.setWebhook(merchant.url);
  let count = 0;
  const next = async (knobs: Parameters<typeof control.setKnobs>[0]) => {
    await control.setKnobs(knobs, 'NPD');
    await control.notify('NPD');
    count += 1;
    const { body = '', headers = {} } = (await merchant.has(count))[count - 1] ?? {};
    return provider.readNotification(Buffer.from(body), headers);
  };
  for (const webhookGeneration of ['type', 'event'] as const)
    for (const webhookReference of ['documented', 'ours', 'theirs'] as const)
      t.match(
        await next({ webhookBody: 'pretty', webhookGeneration, webhookReference }),
        { signed: true },
        `${webhookGeneration}, ${webhookReference}`,
      );
  t.match(await next({ webhookGeneration: 'event', webhookReference: 'documented' }), { references: ['NPD', /^trx\./] });
  for (const webhookSignature of ['wrong-key', 'other-body', 'none'] as const)
    t.match(await next({ webhookSignature }), { signed: false }, webhookSignature);
});
