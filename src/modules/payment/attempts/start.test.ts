import t, { type Test } from 'tap';
import { startSimulator } from '../../../../simulators/zitopay/testing.ts';
import { TestClock } from '../../../../test/support/app.ts';
import { createTestDatabase } from '../../../../test/support/database.ts';
import { createLearner, createPrepa } from '../../../../test/support/factories.ts';
import { loadConfig } from '../../../config.ts';
import { createKernel } from '../../../kernel.ts';
import { Prepa } from '../../catalogue/index.ts';
import { listPayments } from '../../support/index.ts';
import type { PaymentProvider } from '../contract/provider.ts';
import { providersOf } from '../providers/provider.registry.ts';
import { startPayment } from './start.service.ts';

const minute = 60_000;

async function openKernel(t: Test, providerUrl: string) {
  const { url: databaseUrl } = await createTestDatabase(t);
  const clock = new TestClock();
  const settings = { ZITOPAY_BASE_URL: providerUrl, ZITOPAY_RECEIVER: 'prepa', ZITOPAY_TIMEOUT_MS: '5000' };
  const kernel = await createKernel(loadConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent', ...settings }), { databaseUrl, clock });
  t.teardown(() => kernel.close());
  return { kernel, clock, databaseUrl };
}

async function openShop(t: Test) {
  const simulator = await startSimulator(t as never);
  const home = await openKernel(t, simulator.url);
  const { kernel } = home;
  const learner = await createLearner(home);
  const prepa = await createPrepa(home);
  const start = async (values: Partial<Parameters<typeof startPayment>[3]> = {}, providers = kernel.providers) => {
    const input = { learner, prepaId: prepa.id, origin: 'https://site.example', ...values };
    const started = await startPayment(kernel.fork(), kernel.context, providers, input);
    const { checkout } = started;
    if (checkout.kind === 'widget') await simulator.control.register(checkout.options as never).catch(() => {});
    return started;
  };
  return { ...home, simulator, learner, prepa, start };
}

t.test('a start saves the attempt and returns the widget', async (t) => {
  const { start, learner, prepa, clock } = await openShop(t);
  const { payment, checkout } = await start();
  t.match(payment, { status: 'pending', amount: prepa.prix, currency: 'XAF', provider: 'zitopay', prepaNom: prepa.nom, user: learner.id });
  t.equal(payment.reference, `ZP${clock.now().getTime()}${learner.id.slice(0, 8)}`);
  t.strictSame(payment.nextCheckAt, new Date(clock.now().getTime() + minute));
  t.match(checkout, {
    kind: 'widget',
    options: {
      receiver: 'prepa',
      amount: prepa.prix,
      ref: payment.reference,
      notification_url: 'https://site.example/api/payment/zitopay/notification',
      success_url: 'https://site.example/success',
      cancel_url: 'https://site.example/cancel',
    },
  });
});

t.test('two concurrent clicks are one payment', async (t) => {
  const { start, kernel } = await openShop(t);
  const started = await Promise.all(Array.from({ length: 10 }, () => start()));
  t.equal(new Set(started.map(({ payment }) => payment.reference)).size, 1);
  t.equal((await listPayments(kernel.fork())).length, 1);
});

t.test('an attempt without outcome is resumed, unless it is decided or another attempt is requested', async (t) => {
  const { start, simulator, clock } = await openShop(t);
  const first = await start();
  t.equal(first.open, 0);
  clock.advance(minute);
  t.match(await start(), { payment: { id: first.payment.id }, open: 1 }, 'an attempt without outcome is resumed');
  await simulator.control.decline(first.payment.reference);
  clock.advance(minute);
  const second = await start();
  t.not(second.payment.id, first.payment.id, 'a new attempt begins after a declined attempt');
  clock.advance(24 * 60 * minute);
  t.equal((await start()).payment.id, second.payment.id, 'an attempt without outcome is resumed at any age');
  t.not((await start({ anotherAttempt: true })).payment.id, second.payment.id);
});

t.test('a double click never causes two payments', async (t) => {
  const { start, simulator, clock, kernel } = await openShop(t);
  const { payment } = await start();
  await simulator.control.approve(payment.reference);
  clock.advance(minute);
  await t.rejects(start(), { status: 409, code: 'PAYMENT.ALREADY_PAID' });
  t.match(await listPayments(kernel.fork()), [{ status: 'succeeded' }]);
  t.not((await start()).payment.id, payment.id, 'a renewal is another payment');
});

t.test('an earlier attempt that was paid is found, at any price, provider and age within a day', async (t) => {
  const { start, simulator, clock, kernel, prepa } = await openShop(t);
  const another: PaymentProvider = { ...kernel.providers.default, slug: 'b', referencePrefix: 'B' };
  const providers = providersOf([another, kernel.providers.default]);
  const paid = { status: 409, code: 'PAYMENT.ALREADY_PAID' };
  const { payment } = await start();
  await simulator.control.approve(payment.reference);
  clock.advance(23 * 60 * minute);
  await kernel.fork().nativeUpdate(Prepa, { id: prepa.id }, { prix: 17_000 });
  await t.rejects(start({ provider: 'b', anotherAttempt: true }, providers), paid);
  t.match(await listPayments(kernel.fork()), [{ status: 'succeeded' }], 'no new attempt was begun');
  await start();
  clock.advance(minute);
  const asked: string[] = [];
  const verify: PaymentProvider['verify'] = async ({ reference }) => {
    asked.push(reference);
    return { kind: 'pending', raw: {} };
  };
  const watched = providersOf([
    { ...another, verify },
    { ...kernel.providers.default, verify },
  ]);
  await start({ provider: 'b', anotherAttempt: true }, watched);
  clock.advance(11 * minute);
  asked.length = 0;
  const begun = (await start({ anotherAttempt: true }, watched)).payment.reference;
  t.equal(new Set(asked).size, 2, 'each open attempt is verified');
  await start({}, watched);
  t.notOk(asked.includes(begun), 'an attempt just begun is not verified');
});

t.test('three concurrent clicks at a provider whose address works once', async (t) => {
  const { start, kernel } = await openShop(t);
  const served = new Set<string>();
  const all = Promise.withResolvers<void>();
  let calls = 0;
  const open: PaymentProvider['start'] = async ({ reference }) => {
    calls += 1;
    if (calls === 3) all.resolve();
    // All three requests open the same attempt.
    await all.promise;
    if (served.has(reference)) return { kind: 'taken' };
    served.add(reference);
    return { kind: 'redirect', redirectUrl: `https://pay.example/${reference}`, providerTransactionId: `trx.${reference}` };
  };
  const providers = providersOf([{ ...kernel.providers.default, slug: 'n', start: open }]);
  const started = await Promise.all(Array.from({ length: 3 }, () => start({}, providers)));
  t.equal(new Set(started.map(({ checkout }) => checkout.kind === 'redirect' && checkout.redirectUrl)).size, 3);
});

t.test("after a checkout is opened again, the provider's newer id is stored", async (t) => {
  const { start, kernel } = await openShop(t);
  let opened = 0;
  const open: PaymentProvider['start'] = async () => {
    opened += 1;
    return { kind: 'redirect', redirectUrl: 'https://pay.example/1', ...(opened < 3 ? { providerTransactionId: `trx.${opened}` } : {}) };
  };
  const providers = providersOf([{ ...kernel.providers.default, slug: 'n', start: open }]);
  await start({}, providers);
  t.equal((await start({}, providers)).payment.providerTransactionId, 'trx.2');
  t.equal((await start({}, providers)).payment.providerTransactionId, 'trx.2', 'a response without id keeps the last one');
});

t.test('a provider that is no longer chosen starts no payment', async (t) => {
  const { start, kernel } = await openShop(t);
  const retired = { ...kernel.providers.default, slug: 'old' };
  await t.rejects(start({ provider: 'old' }, providersOf([kernel.providers.default], [retired])), {
    status: 400,
    message: "Ce moyen de paiement n'existe pas.",
  });
});

t.test('another prepa, another learner, another price: another payment', async (t) => {
  const shop = await openShop(t);
  const { start, kernel, prepa } = shop;
  const other = await createPrepa(shop, { prix: 20_000 });
  const references = new Set([(await start()).payment.reference]);
  references.add((await start({ prepaId: other.id })).payment.reference);
  references.add((await start({ learner: await createLearner(shop) })).payment.reference);
  t.equal(references.size, 3, 'references differ, even within one millisecond');
  await kernel.fork().nativeUpdate(Prepa, { id: prepa.id }, { prix: 17_000 });
  t.match(await start(), { payment: { amount: prepa.prix }, open: 1 }, 'an open attempt is shown with its own price');
  const { payment } = await start({ anotherAttempt: true });
  t.notOk(references.has(payment.reference));
  t.equal(payment.amount, 17_000);
});

t.test('a start is refused for an unpublished or unknown prepa and for an unknown provider', async (t) => {
  const shop = await openShop(t);
  const hidden = await createPrepa(shop, { isPublished: false });
  const unavailable = { status: 404, message: "Cette préparation n'est pas disponible." };
  await t.rejects(shop.start({ prepaId: hidden.id }), unavailable);
  await t.rejects(shop.start({ prepaId: 2_147_483_647 }), unavailable);
  await t.rejects(shop.start({ provider: 'nobody' }), { status: 400, message: "Ce moyen de paiement n'existe pas." });
  t.strictSame(await listPayments(shop.kernel.fork()), []);
});

t.test('a redirect is returned, and a refusal or a missing response is an error', async (t) => {
  const { start, kernel } = await openShop(t);
  const opening = (open: PaymentProvider['start'], slug: string) =>
    start({ anotherAttempt: true }, providersOf([{ ...kernel.providers.default, slug, start: open }]));
  const redirect = await opening(
    async () => ({ kind: 'redirect', redirectUrl: 'https://pay.example/1', providerTransactionId: 'trx.1' }),
    'a',
  );
  t.match(redirect, { payment: { status: 'pending', providerTransactionId: 'trx.1' }, checkout: { redirectUrl: 'https://pay.example/1' } });
  const failed = { status: 502, message: "Erreur lors de l'initialisation du paiement" };
  await t.rejects(
    opening(async () => ({ kind: 'refused', reason: 'no' }), 'b'),
    failed,
  );
  await t.rejects(
    opening(async () => ({ kind: 'unknown', cause: 'time-out' }), 'c'),
    failed,
  );
  const byProvider = Object.fromEntries((await listPayments(kernel.fork())).map(({ provider, status }) => [provider, status]));
  t.strictSame(
    byProvider,
    { a: 'pending', b: 'failed', c: 'created' },
    'an attempt stays open after a time-out, since the provider may have opened it',
  );
});
