import t from 'tap';
import { checkoutOf, startSimulator } from './testing.ts';

const completed = {
  status: 1,
  status_msg: 'COMPLETED',
  info: 'Paid',
  amount: '5000',
  currency_code: 'XAF',
  original_amount: '5000',
  original_currency_code: 'XAF',
};
const failed = { status: -1, status_msg: 'FAILED', info: 'Declined' };
const pending = { status: 0, status_msg: 'PENDING', info: 'Waiting for payer' };
const unknown = { error: 'Invalid transaction reference' };

t.test('answers in the documented shapes', async (t) => {
  const { control, verify, url } = await startSimulator(t);
  for (const ref of ['A', 'B', 'C', 'D']) await control.register(checkoutOf(ref));
  await control.approve('A');
  await control.decline('B');
  await control.close('C');

  t.strictSame(await (await verify('A')).json(), completed);
  t.strictSame(await (await verify('B')).json(), failed);
  t.strictSame(await (await verify('C')).json(), pending, 'closing the checkout leaves the payment pending');
  t.strictSame(await (await verify('D')).json(), pending);
  await control.approve('C');
  await control.approve('B');
  t.strictSame(await (await verify('C')).json(), completed, 'closed, then paid');
  t.strictSame(await (await verify('B')).json(), completed, 'a late success');

  const body = new URLSearchParams({ action: 'get_transaction', receiver: 'prepa', ref: 'A', trade_id: '0' });
  t.strictSame(await (await fetch(`${url}/api_v1`, { method: 'POST', body })).json(), completed, 'POST gives the same response as GET');
});

t.test('compares the parameters with the original request', async (t) => {
  const { control, verify } = await startSimulator(t);
  await control.register(checkoutOf('A'));
  await control.approve('A');

  t.strictSame(await (await verify('A', { amount: '4999' })).json(), { error: 'Amount mismatch' });
  t.strictSame(await (await verify('A', { currency: 'EUR' })).json(), { error: 'Currency mismatch' });
  t.strictSame(await (await verify('A', { receiver: 'autre' })).json(), unknown);
  t.strictSame(await (await verify('Z')).json(), unknown);
  t.strictSame(await (await verify('A', { ref: undefined })).json(), unknown);
  t.strictSame(await (await verify('A', { action: 'refund' })).json(), { error: 'Invalid action' });
  t.strictSame(
    await (await verify('A', { amount: undefined, currency: undefined })).json(),
    completed,
    'amount and currency may be left out',
  );
});

t.test('knobs change the reported values', async (t) => {
  const { control, verify } = await startSimulator(t);
  for (const ref of ['A', 'B', 'C', 'D']) {
    await control.register(checkoutOf(ref));
    await control.approve(ref);
  }
  await control.setKnobs({ statusType: 'string' }, 'A');
  await control.setKnobs({ tamperedAmount: 50 }, 'B');
  await control.setKnobs({ otherCurrency: { currency: 'EUR', amount: '7.62' } }, 'C');

  t.strictSame(await (await verify('A')).json(), { ...completed, status: '1' });
  t.strictSame(await (await verify('B')).json(), { ...completed, amount: '50', original_amount: '50' });
  t.strictSame(await (await verify('C')).json(), { ...completed, amount: '7.62', currency_code: 'EUR' });
  t.strictSame(await (await verify('D')).json(), completed, 'other references are unchanged');

  await control.setKnobs({ tamperedAmount: null }, 'B');
  t.strictSame(await (await verify('B')).json(), completed, 'null resets a knob');
});

t.test('faults come in order, as often as set, then the true status', async (t) => {
  const { control, verify } = await startSimulator(t);
  await control.register(checkoutOf('A'));
  await control.register(checkoutOf('B'));
  await control.approve('A');
  const verifyFaults = [
    { kind: 'http500' as const, times: 2 },
    { kind: 'html' as const, times: 1 },
    { kind: 'error' as const, times: 1 },
    { kind: 'hang' as const, times: 1 },
  ];
  await control.setKnobs({ verifyFaults, verifyHangMs: 1 }, 'A');

  t.equal((await verify('A')).status, 500);
  t.equal((await verify('A')).status, 500);
  const page = await verify('A');
  t.equal(page.status, 200);
  t.match(page.headers.get('content-type'), /^text\/html/);
  t.match(await page.text(), /^<!DOCTYPE html>/);
  t.strictSame(await (await verify('A')).json(), unknown);
  t.strictSame(await (await verify('A')).json(), completed, 'a hang shorter than the timeout ends with the true status');
  t.strictSame(await (await verify('A')).json(), completed);
  t.strictSame(await (await verify('B')).json(), pending);
});

t.test('a fault without a count lasts until cleared, for every reference', async (t) => {
  const { control, verify } = await startSimulator(t);
  await control.register(checkoutOf('A'));
  await control.setKnobs({ verifyFaults: [{ kind: 'http500', times: null }] });
  for (let time = 0; time < 3; time += 1) t.equal((await verify(time === 0 ? 'inconnue' : 'A')).status, 500);
  await control.setKnobs({ verifyFaults: [] });
  t.strictSame(await (await verify('A')).json(), pending);
});

t.test('the simulated clock triggers a planned approval', async (t) => {
  let now = Date.UTC(2026, 0, 15, 10);
  const { control, verify } = await startSimulator(t, { clock: () => now });
  await control.register(checkoutOf('A'));
  t.equal((await control.approveLater('A', 1_200_000)).approvalDueAt, '2026-01-15T10:20:00.000Z');
  now += 1_199_999;
  t.strictSame(await (await verify('A')).json(), pending);
  now += 1;
  t.strictSame(await (await verify('A')).json(), completed);
  t.equal((await control.ledger())[0]?.decidedAt, '2026-01-15T10:20:00.000Z');

  await control.setKnobs({ approvalDelayMs: 60_000 });
  await control.register(checkoutOf('B'));
  t.equal((await control.approve('B')).status, 'PENDING', 'the knob delays every approval');
  await control.decline('B');
  now += 60_000;
  t.strictSame(await (await verify('B')).json(), failed, 'a refusal replaces a planned approval');
});

t.test('the server closes without waiting for a hanging verification', { timeout: 10_000 }, async (t) => {
  const { app, control, verify } = await startSimulator(t);
  await control.register(checkoutOf('A'));
  await control.setKnobs({ verifyFaults: [{ kind: 'hang', times: null }] });
  const reached = new Promise<void>((resolve) => {
    app.server.prependListener('request', (request) => {
      if (request.url?.startsWith('/api_v1')) setImmediate(resolve);
    });
  });
  const outcome = verify('A').then(
    () => 'answered',
    () => 'cut',
  );
  await reached;
  const start = performance.now();
  await app.close();
  t.equal(await outcome, 'cut');
  t.ok(performance.now() - start < 2_000, 'closed at once');
});
