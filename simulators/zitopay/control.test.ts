import { appendFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { startMerchant } from '../platform/testing.ts';
import { createControlClient } from './control-client.ts';
import { checkoutOf, startSimulator } from './testing.ts';

const refused = (statusCode: number) => ({ name: 'ControlError', statusCode });

t.test('only a known transaction can be decided', async (t) => {
  const { control } = await startSimulator(t);
  for (const act of [control.approve, control.decline, control.close, control.notify, control.transaction]) {
    await t.rejects(act('inconnue'), { ...refused(404), message: 'Référence inconnue du simulateur.' });
  }
});

t.test('a reference is accepted once', async (t) => {
  const { control } = await startSimulator(t);
  const first = await control.register(checkoutOf('A'));
  t.equal((await control.register(checkoutOf('A'))).transactionReference, first.transactionReference, 'the same checkout again');
  await t.rejects(control.register({ ...checkoutOf('A'), amount: 1 }), refused(409));
  await control.approve('A');
  await t.rejects(control.register(checkoutOf('A')), refused(409));
  await t.rejects(control.decline('A'), refused(409), 'a completed payment cannot fail');
});

t.test('a reference may have spaces, slashes and accents', async (t) => {
  const { control } = await startSimulator(t);
  const ref = 'é / ?#%'.repeat(12);
  await control.register(checkoutOf(ref));
  t.equal((await control.approve(ref)).ref, ref);
});

t.test('refuses invalid requests, in French', async (t) => {
  const { control, url } = await startSimulator(t);
  await t.rejects(control.register({ ...checkoutOf('A'), amount: 1.5 }), { ...refused(400), message: /^amount : nombre entier attendu/ });
  await t.rejects(control.setKnobs({ inconnu: 1 } as object), refused(400));
  await t.rejects(control.setKnobs({ notificationTimes: 21 }), refused(400));
  await control.register(checkoutOf('A'));
  await t.rejects(control.approveLater('A', 0), { ...refused(400), message: /^delayMs : Trop petit/ });
  const tooLong = await fetch(`${url}/control/knobs`, {
    method: 'POST',
    body: 'x'.repeat(70_000),
    headers: { 'content-type': 'application/json' },
  });
  t.equal(tooLong.status, 413);
});

t.test('the number of transactions is bounded', async (t) => {
  const { control } = await startSimulator(t, { maxTransactions: 2 });
  await control.register(checkoutOf('A'));
  await control.register(checkoutOf('B'));
  await t.rejects(control.register(checkoutOf('C')), refused(503));
  await control.register(checkoutOf('B'));
  await control.setKnobs({ statusType: 'string' }, 'A');
  await control.setKnobs({ statusType: 'string' }, 'B');
  await t.rejects(control.setKnobs({ statusType: 'string' }, 'C'), refused(503));
});

t.test('reset deletes everything, also planned approvals', async (t) => {
  const merchant = await startMerchant(t);
  const { control } = await startSimulator(t);
  await control.register(checkoutOf('A', merchant));
  await control.approve('A');
  await control.register(checkoutOf('B', merchant));
  await control.approveLater('B', 500);
  await control.setKnobs({ statusType: 'string' });
  await control.reset();
  t.strictSame(await control.ledger(), []);
  t.equal((await control.setKnobs({})).statusType, 'number');
  await t.rejects(control.transaction('B'), refused(404));
  // C is approved with the same delay as B, but later: if B's approval were still planned, its notification would come first.
  await control.register(checkoutOf('C', merchant));
  await control.approveLater('C', 500);
  const references = (await merchant.has(2)).map(({ body }) => new URLSearchParams(body).get('ref'));
  t.strictSame(references, ['A', 'C']);
});

t.test('the ledger is written to its file, and survives a restart and a truncated line', async (t) => {
  const ledgerFile = join(t.testdir(), 'data', 'ledger.jsonl');
  const first = await startSimulator(t, { ledgerFile, clock: () => Date.UTC(2026, 0, 15) });
  await first.control.register(checkoutOf('A'));
  const { transactionReference } = await first.control.approve('A');
  await first.control.register(checkoutOf('B'));
  await first.control.decline('B');
  const ledger = await first.control.ledger();
  t.strictSame(ledger[0], {
    ref: 'A',
    receiver: 'prepa',
    amount: 5000,
    currency: 'XAF',
    status: 'COMPLETED',
    decidedAt: '2026-01-15T00:00:00.000Z',
    transactionReference,
  });
  await first.app.close();
  appendFileSync(ledgerFile, '{"ref":"coup');

  const second = await startSimulator(t, { ledgerFile });
  t.strictSame(await second.control.ledger(), ledger);
  t.match(await (await second.verify('A')).json(), { status_msg: 'COMPLETED' });
  await t.rejects(second.control.register(checkoutOf('A')), refused(409));
  await second.control.register(checkoutOf('C'));
  await second.control.approve('C');
  await second.app.close();

  const third = await startSimulator(t, { ledgerFile });
  t.strictSame(
    (await third.control.ledger()).map(({ ref }) => ref),
    ['A', 'B', 'C'],
    'entries after the truncated line are readable',
  );
  await third.control.reset();
  t.equal(readFileSync(ledgerFile, 'utf8'), '');
});

t.test('a decision that cannot be written does not take effect', async (t) => {
  const ledgerFile = join(t.testdir(), 'ledger.jsonl');
  const { control } = await startSimulator(t, { ledgerFile });
  await control.register(checkoutOf('A'));
  rmSync(ledgerFile, { force: true });
  mkdirSync(ledgerFile);
  await t.rejects(control.approve('A'), refused(500));
  t.equal((await control.transaction('A')).status, 'PENDING');
});

t.test('an unreachable simulator is reported', async (t) => {
  await t.rejects(createControlClient('http://127.0.0.1:1').ledger(), {
    ...refused(0),
    message: 'Simulateur de paiement injoignable.',
  });
});
