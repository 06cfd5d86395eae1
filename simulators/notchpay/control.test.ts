import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { startMerchant } from '../platform/testing.ts';
import { refused, requestOf, startNotchpay } from './testing.ts';

t.test('only a known payment can be decided, by either reference', async (t) => {
  const { control } = await startNotchpay(t);
  for (const act of [
    control.approve,
    control.decline,
    control.cancel,
    control.close,
    control.refund,
    control.notify,
    control.transaction,
  ]) {
    await t.rejects(act('inconnue'), { ...refused(404), message: 'Référence inconnue du simulateur.' });
  }
  const { transactionReference } = await control.register(requestOf('A'));
  await t.rejects(control.register(requestOf('A')), refused(409));
  await control.setKnobs({ approvalDelayMs: 60_000 }, transactionReference);
  t.equal((await control.approve(transactionReference)).status, 'pending', 'the knob delays every approval');
  t.equal((await control.close('A')).closedByPayer, true);
  await t.rejects(control.setKnobs({ inconnu: 1 } as object), refused(400));
  await t.rejects(control.decide('A', 'complete' as never), refused(400));
});

t.test('the ledger keeps the last decision of each payment after a restart and a truncated line', async (t) => {
  const ledgerFile = join(t.testdir(), 'data', 'ledger.jsonl');
  const first = await startNotchpay(t, { ledgerFile });
  const { transactionReference } = await first.control.register(requestOf('A'));
  await first.control.decline('A');
  await first.control.approve('A');
  const ledger = await first.control.ledger();
  await first.app.close();
  appendFileSync(ledgerFile, '{"ref":"coup');

  const second = await startNotchpay(t, { ledgerFile });
  t.strictSame(await second.control.ledger(), ledger);
  t.match((await second.verify(transactionReference)).body.transaction, { merchant_reference: 'A', status: 'complete' });
  t.equal((await second.start(requestOf('A'))).status, 409);
  t.equal((await second.control.refund('A')).status, 'refunded');
});

t.test('payments are limited, and reset deletes everything', async (t) => {
  const merchant = await startMerchant(t);
  const { control, start } = await startNotchpay(t, { maxTransactions: 2, clock: () => 0 });
  for (const ref of ['A', 'B']) await control.register(requestOf(ref));
  t.equal((await start(requestOf('C'))).status, 503);
  await control.setWebhook(merchant.url);
  await control.approveLater('A', 60_000);
  await control.setKnobs({ webhookTimes: 2 });
  await control.reset();
  t.strictSame(await control.webhook(), { url: null, enabled: true });
  await control.setWebhook(merchant.url);
  await control.advance(60_000);
  t.equal(merchant.received.length, 0, 'planned tasks are dropped');
  await control.register(requestOf('A'));
  await control.approve('A');
  t.equal(merchant.received.length, 1);
  t.equal((await control.ledger()).length, 1);
});
