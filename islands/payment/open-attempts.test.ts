import t from 'tap';
import { checkoutWith, notchpay, ok, prepa, settle, started, zitopay } from '../../test/support/checkout.ts';

const attempt = {
  reference: 'ZP0',
  provider: 'zitopay',
  label: 'ZitoPay (carte, Mobile Money)',
  montant: '15 000 XAF',
  begun: '21 novembre 2026 à 14:32',
  resumable: true,
  mayBeginAnother: true,
  autres: null,
};
const both = { providers: [zitopay, notchpay] };
const resumed = { ...started, reference: 'ZP0', provider: 'zitopay', open: attempt };

t.test('a payment opened before with another provider is shown first and can be continued', async (t) => {
  const { checkout, sent, opened, log } = await checkoutWith({ start: [ok(resumed), ok(resumed)] }, both);
  checkout.choose('notchpay');
  checkout.pay();
  await settle();
  t.match(checkout.state(), { step: 'found', attempt, notice: { kind: 'warning', message: 'Un paiement est déjà commencé' } });
  t.match(checkout.state().notice?.detail, '15 000 XAF avec ZitoPay (carte, Mobile Money), le 21 novembre 2026 à 14:32.');
  t.equal(opened.length, 0, 'no widget has opened');
  t.notOk(log.some((line) => line.startsWith('go')));
  checkout.pay(undefined, 'resume');
  await settle();
  t.same(sent.at(-1)?.body, { prepaId: 3, provider: 'zitopay' });
  t.equal(opened.length, 1);
});

t.test('an open payment known to the page is shown when the dialog opens, and another payment can be chosen', async (t) => {
  const redirect = { reference: 'NP1', provider: 'notchpay', redirectUrl: 'https://notch.test/1' };
  const { checkout, sent, log } = await checkoutWith({ start: [ok(redirect)] }, { ...both, attempts: { 3: attempt, 4: attempt } });
  t.match(checkout.state(), { step: 'found', attempt });
  checkout.choose('notchpay');
  t.equal(checkout.state().step, 'found', 'choosing a provider starts no payment');
  checkout.pay(undefined, 'another');
  await settle();
  t.same(sent.at(-1)?.body, { prepaId: 3, provider: 'notchpay', anotherAttempt: true });
  t.same(log.at(-1), 'go https://notch.test/1');
});

t.test('an open payment that the page does not know is shown first, also with the chosen provider', async (t) => {
  const { checkout, opened } = await checkoutWith({ start: [ok(resumed)] }, both);
  checkout.pay();
  await settle();
  t.match(checkout.state(), { step: 'found', attempt });
  t.equal(opened.length, 0);
});

t.test('an open payment begun on this page is continued at once', async (t) => {
  const { checkout, opened } = await checkoutWith({ start: [ok(started), ok({ ...started, open: attempt })] });
  checkout.pay();
  await settle();
  opened[0]?.onClose('Closed by user');
  checkout.pay();
  await settle();
  t.equal(opened.length, 2);
});

t.test('a payment whose address was used can only be verified, and is checked repeatedly', async (t) => {
  const held = { ...attempt, reference: 'NP0', provider: 'notchpay', label: 'Notch Pay', resumable: false };
  const pending = ok({ status: 'pending', prepaId: 3 });
  const { checkout, sent, pass } = await checkoutWith(
    { start: [ok({ reference: 'NP0', provider: 'notchpay', open: held })], process: [pending, ok({ status: 'success', prepaId: 3 })] },
    both,
  );
  checkout.choose('notchpay');
  checkout.pay();
  await settle();
  t.match(checkout.state(), { step: 'found', notice: { detail: /Sa page ne s'ouvre qu'une fois/ } });
  checkout.verify();
  await settle();
  t.same(sent.at(-1)?.body, { transactionReference: 'NP0', prepaId: 3 });
  t.match(checkout.state(), { step: 'found', notice: { message: "Le prestataire n'a pas encore confirmé ce paiement." } });
  await pass(3_000);
  t.equal(checkout.state().step, 'success');
});

t.test('after a payment was verified as declined, no payment is open', async (t) => {
  const { checkout } = await checkoutWith({ process: [ok({ status: 'failed', prepaId: 3 })] }, { ...both, attempts: { 3: attempt } });
  checkout.verify();
  await settle();
  t.match(checkout.state(), { step: 'idle', attempt: null, notice: { message: 'Paiement échoué ou annulé' } });
  checkout.open(prepa);
  t.not(checkout.state().step, 'found');
});

t.test('a payment that was begun and left is shown when the dialog opens again', async (t) => {
  const left = await checkoutWith({});
  left.checkout.pay();
  await settle();
  left.opened[0]?.onClose('Closed by user');
  t.match(left.checkout.state(), { step: 'idle', attempt: null });
  left.checkout.open(prepa);
  t.match(left.checkout.state(), { step: 'found', attempt: { reference: 'ZP1' }, notice: { message: 'Un paiement est déjà commencé' } });

  const early = await checkoutWith({});
  early.checkout.pay();
  early.checkout.abandon();
  await settle();
  early.checkout.open(prepa);
  t.match(early.checkout.state(), { step: 'found' }, 'the dialog was closed before the widget opened');
});

t.test('with too many open payments another one is refused, and the open payment is shown again', async (t) => {
  const { checkout, opened } = await checkoutWith({ start: [ok(resumed)] }, { ...both, attempts: { 3: attempt } });
  checkout.pay(undefined, 'another');
  await settle();
  t.match(checkout.state(), { step: 'found' });
  t.equal(opened.length, 0);
});
