import t from 'tap';
import { checkoutWith, fakeBrowser, notchpay, ok, prepa, refused, settings, settle, zitopay } from '../../test/support/checkout.ts';
import { createCheckout } from './checkout.ts';

t.test('the script is loaded when the dialog opens', async (t) => {
  const world = fakeBrowser();
  const checkout = createCheckout(settings, world.browser, 'loading');
  checkout.open(prepa);
  t.equal(checkout.state().step, 'loading');
  await settle();
  t.equal(checkout.state().step, 'idle');
});

t.test('without the script, the form leads to the full page', async (t) => {
  const { checkout, log } = await checkoutWith({ scripts: [false] });
  t.match(checkout.state(), { step: 'idle', fullPage: true, notice: { message: 'Erreur de chargement du système de paiement' } });
  t.same(log, [], 'the dialog shows the message, so there is no toast');
  checkout.open(prepa);
  await settle();
  t.match(checkout.state(), { step: 'idle', fullPage: false, notice: null }, 'opening the dialog again loads the script again');
});

t.test('a paid payment is verified and shown, and the dashboard opens after 2 s', async (t) => {
  const { checkout, opened, sent, log, pass } = await checkoutWith({ process: [ok({ status: 'success', prepaId: 3 })] });
  checkout.pay();
  checkout.pay();
  await settle();
  checkout.pay();
  t.equal(opened.length, 1, 'two clicks open one window');
  t.equal(sent.filter(({ path }) => path === '/api/payment/start').length, 1);
  t.same(log, ['dialog hidden']);
  opened[0]?.onDone({ ref: 'ZP1', status: 1 });
  opened[0]?.onDone({ ref: 'ZP1', status: 1 });
  t.equal(checkout.state().step, 'processing');
  await settle();
  t.equal(checkout.state().step, 'success');
  t.same(sent.at(-1), { path: '/api/payment/process', body: { transactionReference: 'ZP1', prepaId: 3 } });
  t.equal(sent.length, 2, 'the widget calls back twice, the payment is verified once');
  await pass(1999);
  t.notOk(log.some((line) => line.startsWith('go')));
  await pass(1);
  t.same(log.slice(1), [
    'popup closed',
    'dialog shown',
    'success: Paiement réussi ! Votre inscription est confirmée.',
    'go /user/dashboard',
  ]);
});

t.test('the server decides that a payment was declined, not the widget', async (t) => {
  const help = 'Le solde de votre compte ne suffisait pas.';
  const { checkout, opened } = await checkoutWith({ process: [ok({ status: 'failed', prepaId: 3, help })] });
  checkout.pay();
  await settle();
  opened[0]?.onDone({ ref: 'ZP1', status: 1 });
  await settle();
  const refused = { step: 'idle', again: true, notice: { kind: 'error', message: 'Paiement échoué ou annulé', detail: help } };
  t.match(checkout.state(), refused);
  checkout.pay();
  t.match(checkout.state(), { step: 'processing', again: false });
});

t.test('a pending payment is checked again until it is decided', async (t) => {
  const pending = ok({ status: 'pending', prepaId: 3 });
  const { checkout, opened, sent, pass } = await checkoutWith({ process: [pending, pending, null, ok({ status: 'success', prepaId: 3 })] });
  checkout.pay();
  await settle();
  opened[0]?.onDone();
  await settle();
  t.equal(checkout.state().step, 'pending');
  checkout.pay();
  t.equal(sent.length, 2, 'an open payment is not started again');
  checkout.open(prepa);
  t.equal(checkout.state().step, 'pending', 'the dialog, opened again, shows its current state');
  await pass(9_000);
  t.equal(checkout.state().step, 'pending', 'a failed check changes nothing');
  await pass(10_000);
  t.equal(checkout.state().step, 'success');
});

t.test('a pending payment is checked on request, and when the learner returns to the page', async (t) => {
  const pending = ok({ status: 'pending', prepaId: 3 });
  const { checkout, opened, sent, come, pass } = await checkoutWith({
    process: [pending, pending, pending, ok({ status: 'success', prepaId: 3 })],
  });
  checkout.pay();
  await settle();
  opened[0]?.onDone();
  await settle();
  checkout.verify();
  t.equal(checkout.state().step, 'processing');
  await settle();
  t.equal(checkout.state().step, 'pending');
  come();
  come();
  await settle();
  t.equal(sent.length, 4, 'two return events cause one check');
  await pass(60_000);
  t.equal(checkout.state().step, 'success');
  t.equal(sent.length, 5, 'no check is sent after the success');
});

t.test('after some minutes a pending payment is checked only by the button', async (t) => {
  const { checkout, opened, sent, pass } = await checkoutWith({ process: [ok({ status: 'pending', prepaId: 3 })] });
  checkout.pay();
  await settle();
  opened[0]?.onDone();
  await settle();
  await pass(3_600_000);
  const asked = sent.length;
  t.ok(asked < 20, `${asked} calls in an hour, expected fewer than 20`);
  t.equal(checkout.state().step, 'pending');
});

t.test('closing the widget shows a warning after 2 s, and a late approval still counts', async (t) => {
  const pending = ok({ status: 'pending', prepaId: 3 });
  const { checkout, opened, log, pass } = await checkoutWith({ process: [pending, ok({ status: 'success', prepaId: 3 })] });
  checkout.pay();
  await settle();
  opened[0]?.onClose('Closed by user');
  t.match(checkout.state(), { step: 'idle', notice: null });
  t.ok(log.includes('dialog shown'));
  await pass(1999);
  t.equal(checkout.state().notice, null);
  await pass(1);
  t.match(checkout.state().notice, { kind: 'warning', message: 'Si vous avez déjà payé, votre paiement sera traité automatiquement.' });
  await pass(3_000);
  t.match(checkout.state().notice, { kind: 'warning' }, 'the warning stays while the payment is checked');
  await pass(10_000);
  t.equal(checkout.state().step, 'success');
});

t.test('after a closed widget and a second payment, the first widget and its checks are ignored', async (t) => {
  const { checkout, opened, sent, pass } = await checkoutWith({ process: [ok({ status: 'pending', prepaId: 3 })] });
  checkout.pay();
  await settle();
  opened[0]?.onClose();
  checkout.pay();
  await settle();
  t.equal(opened.length, 2);
  await pass(60_000);
  t.equal(sent.length, 2, 'two starts and no check are sent');
  opened[0]?.onDone();
  t.equal(checkout.state().step, 'processing');
  t.equal(sent.length, 2);
});

t.test('a dialog that is closed early does not open the widget', async (t) => {
  const { checkout, opened } = await checkoutWith({});
  checkout.pay();
  checkout.abandon();
  t.match(checkout.state(), { step: 'idle', notice: null });
  await settle();
  t.equal(opened.length, 0);
  checkout.pay();
  await settle();
  t.equal(opened.length, 1, 'another click opens the widget');
  checkout.abandon();
  t.equal(checkout.state().step, 'processing', 'the dialog closes when the widget opens, which does not cancel the payment');
});

t.test('a payment that cannot start shows the reason', async (t) => {
  const cases = [
    { answer: null, message: "Erreur lors de l'initialisation du paiement", detail: /réseau/ },
    { answer: refused(502, "Erreur lors de l'initialisation du paiement"), message: "Erreur lors de l'initialisation du paiement" },
    {
      answer: refused(429, 'Trop de tentatives. Réessayez dans 10 s.'),
      message: "Erreur lors de l'initialisation du paiement",
      detail: /10 s/,
    },
    { answer: ok({}), message: "Erreur lors de l'initialisation du paiement" },
    { answer: ok({ reference: 'ZP1' }), message: 'Système de paiement non disponible. Veuillez réessayer.' },
  ];
  for (const { answer, message, detail } of cases) {
    const { checkout } = await checkoutWith({ start: [answer as never] });
    await checkout.pay();
    t.match(checkout.state(), { step: 'idle', notice: { kind: 'error', message, ...(detail ? { detail } : {}) } });
  }
});

t.test('an ended session leads to the sign-in and back to the payment', async (t) => {
  const { checkout, log, pass } = await checkoutWith({ start: [refused(401) as never] });
  await checkout.pay();
  t.match(checkout.state().notice, { message: 'Session expirée. Veuillez vous reconnecter.' });
  await pass(2000);
  t.same(log, ['go /login?suite=%2Fuser%2Fdashboard%3Fpaiement%3D3']);
});

t.test('a visitor is asked to sign in, and nothing is sent', async (t) => {
  const { checkout, sent } = await checkoutWith({}, { signedIn: false });
  await checkout.pay();
  t.match(checkout.state().notice, { message: 'Vous devez être connecté pour effectuer un paiement' });
  t.equal(sent.length, 0);
});

t.test('if the server reports that an earlier attempt was paid, a success is shown', async (t) => {
  const { checkout } = await checkoutWith({ start: [refused(409, "Votre paiement vient d'être confirmé.") as never] });
  await checkout.pay();
  t.equal(checkout.state().step, 'success');
});

t.test('the error of a widget that throws or refuses is shown, and without a widget the full page is offered', async (t) => {
  const missing = await checkoutWith({});
  missing.replace(undefined);
  missing.browser.loadScript = async () => {};
  await missing.checkout.pay();
  t.match(missing.checkout.state(), { fullPage: true, notice: { message: 'Système de paiement non disponible. Veuillez réessayer.' } });

  for (const pay of [
    () => 'montant incorrect.',
    () => {
      throw new Error('montant incorrect.');
    },
  ]) {
    const { checkout, replace, log } = await checkoutWith({});
    replace({ pay, closePopup() {} });
    await checkout.pay();
    t.match(checkout.state(), { step: 'idle', notice: { message: 'Erreur lors du paiement: montant incorrect.' } });
    t.same(log, ['dialog hidden', 'dialog shown']);
  }
});

t.test('a failed activation keeps the payment open', async (t) => {
  for (const answer of [null, refused(500), ok({ status: 'strange' })]) {
    const { checkout, opened, pass } = await checkoutWith({ process: [answer, ok({ status: 'success' })] });
    checkout.pay();
    await settle();
    opened[0]?.onDone();
    await settle();
    t.match(checkout.state(), { step: 'pending', notice: { kind: 'error', message: "Erreur lors de l'activation de l'inscription" } });
    await pass(5_000);
    t.equal(checkout.state().step, 'success');
  }
});

t.test('a provider without widget redirects the learner', async (t) => {
  const { checkout, log } = await checkoutWith({ start: [ok({ reference: 'NP1', redirectUrl: 'https://other.test/pay' }) as never] });
  await checkout.pay();
  t.same(log, ['go https://other.test/pay']);
  t.equal(checkout.state().step, 'pending');
});

t.test('the simulation needs neither script nor widget', async (t) => {
  const cases = [
    { choice: 'success', answer: ok({ status: 'success', reference: 'ZP1' }), step: 'success', message: 'Paiement réussi !' },
    { choice: 'failure', answer: ok({ status: 'failed', reference: 'ZP1' }), step: 'idle', message: 'Échec du paiement.' },
    { choice: 'success', answer: refused(503), step: 'idle', message: 'Erreur lors du traitement du paiement.' },
    { choice: 'success', answer: null, step: 'idle', message: 'Erreur lors du traitement du paiement.' },
  ];
  for (const { choice, answer, step, message } of cases) {
    const { checkout, sent, opened } = await checkoutWith({ process: [answer] }, { simulation: true });
    t.equal(checkout.state().step, 'idle');
    await checkout.pay(choice);
    t.match(checkout.state(), { step, notice: { message } });
    t.same(sent, [{ path: '/api/payment/process', body: { prepaId: 3, simulationStatus: choice } }]);
    t.equal(opened.length, 0);
  }
});

t.test('another prepa resets the dialog, and responses for the first prepa are ignored', async (t) => {
  const { checkout, opened } = await checkoutWith({ process: [ok({ status: 'pending' }), ok({ status: 'failed' })] });
  checkout.pay();
  await settle();
  opened[0]?.onDone();
  checkout.open({ ...prepa, id: 4 });
  await settle();
  t.match(checkout.state(), { step: 'idle', notice: null });
});

t.test('a blocked widget is replaced by the full page, a widget that refuses the payment is not', async (t) => {
  const blocked = await checkoutWith({});
  blocked.replace({
    pay() {
      throw new TypeError("Cannot read properties of null (reading 'focus')");
    },
    closePopup() {},
  });
  await blocked.checkout.pay();
  t.match(blocked.checkout.state(), { step: 'idle', fullPage: true, notice: { detail: /page du prestataire/ } });
  const refusing = await checkoutWith({});
  refusing.replace({ pay: () => 'montant incorrect.', closePopup() {} });
  await refusing.checkout.pay();
  t.match(refusing.checkout.state(), { step: 'idle', fullPage: false });
});

t.test('of two providers, the chosen provider is used, and only its script is loaded', async (t) => {
  const providers = [notchpay, zitopay];
  const redirect = ok({ reference: 'NP1', redirectUrl: 'https://other.test/pay' }) as never;
  const { checkout, sent, log } = await checkoutWith({ start: [redirect], scripts: [false] }, { providers });
  t.equal(checkout.state().step, 'idle', 'the first provider needs no script');
  t.same(log, []);
  checkout.choose('zitopay');
  t.equal(checkout.state().step, 'loading');
  checkout.choose('notchpay');
  await settle();
  t.match(checkout.state(), { step: 'idle', fullPage: false, notice: null });
  t.same(log, [], 'the failed script of a provider no longer chosen is ignored');
  checkout.choose('zitopay');
  await settle();
  t.equal(checkout.state().step, 'idle', 'the script of the chosen provider is loaded');
  checkout.choose('strange');
  checkout.choose('notchpay');
  checkout.pay();
  checkout.choose('zitopay');
  await settle();
  t.same(sent[0], { path: '/api/payment/start', body: { prepaId: 3, provider: 'notchpay' } });
  t.equal(checkout.state().step, 'pending');
  checkout.choose('zitopay');
  t.equal(checkout.state().step, 'pending', 'an open payment keeps its provider');
});

t.test('with one provider, the request names no provider', async (t) => {
  const { checkout, sent } = await checkoutWith({});
  await checkout.pay();
  t.same(sent[0]?.body, { prepaId: 3 });
});
