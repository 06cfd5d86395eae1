import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { paymentStatuses, reconcilePayments } from '../../src/modules/payment/index.ts';
import { stepScreenshot } from '../support/browser.ts';
import { createLearner, createPayment, createPrepa } from '../support/factories.ts';
import { checkout, choose, createCourse, daysOf, openSite, outcomesOf, paymentDialog, toast } from '../support/journey.ts';
import { isLongForm } from '../support/long-form.ts';
import { at, lookAt } from '../support/look.ts';
import { assertNoOverflow } from '../support/page-checks.ts';
import { openAsPayer, payWith, referenceOf } from '../support/paying.ts';

// The learner chooses between two providers, one with a widget, one with a redirect: from the payment to the receipt.

const site = await openSite(t, {}, { providers: ['zitopay', 'notchpay'], simulatedTime: true });
const minute = 60_000;

const atNotch = (page: Page, button: string) => page.getByRole('button', { name: button, exact: true }).click();

/** Advances the providers' and the schedule's clock by five minutes; only the schedule verifies the payment. */
async function fiveMinutesLater(t: Test): Promise<void> {
  site.clock.advance(5 * minute + 30_000);
  await Promise.all([site.simulator.advance(), site.notchpay.advance()]);
  const { succeeded } = await reconcilePayments(site.kernel.fork(), site.kernel.context, site.kernel.providers);
  t.equal(succeeded, 1, 'the scheduled reconciliation settles the payment');
}

for (const width of isLongForm ? [360, 1280] : [360]) {
  t.test(`redirect: chosen, paid there, confirmed, and the receipt printed, ${width} px`, async (t) => {
    const { page, learner, course } = await openAsPayer(t, site, width);
    const scripts: string[] = [];
    page.on('request', (request) => scripts.push(new URL(request.url()).pathname));
    await page.addInitScript(() => {
      window.print = () => document.documentElement.setAttribute('data-printed', '');
    });
    await payWith(page, course, 'Notch Pay');
    await page.waitForURL(/\/checkout\//);
    await atNotch(page, 'Approuver le paiement');
    await page.waitForURL(`/user/prepaview/${course.id}`);
    // The toast covers the menu for five seconds.
    await toast(page, 'Paiement réussi ! Votre inscription est confirmée.').getByRole('button').click();
    t.same(await outcomesOf(site, learner), ['succeeded: 1']);
    t.same(await daysOf(site, learner), [30]);

    await page.locator('summary.menu__button').click();
    await stepScreenshot(page, 'menu-with-payments');
    await page.getByRole('link', { name: 'Mes paiements', exact: true }).click();
    await page.waitForURL('/user/paiements');
    await stepScreenshot(page, 'payments-paid');
    await page.getByRole('link', { name: /^Voir le reçu/ }).click();
    const quoted = await referenceOf(site, learner);
    await page.waitForURL(`/user/paiements/${quoted}`);
    t.match(quoted, /^NP/);
    await page.getByRole('button', { name: 'Imprimer' }).click();
    t.equal(await page.locator('html[data-printed]').count(), 1);
    await stepScreenshot(page, 'receipt');
    await page.emulateMedia({ media: 'print' });
    for (const away of ['.topbar', '.footer', '.back', 'button[data-behaviour="print"]', '.skip'])
      t.notOk(await page.locator(away).first().isVisible(), `${away} is not printed`);
    for (const said of [quoted, learner.email, '15 000 XAF', 'PrépaConcours'])
      t.ok(await page.locator('main').getByText(said, { exact: true }).isVisible(), `${said} is printed`);
    await stepScreenshot(page, 'receipt-print');
    if (width > 360) return;
    // 58 mm, the width of a till roll.
    await page.setViewportSize({ width: 219, height: 740 });
    await assertNoOverflow(t, page);
    await stepScreenshot(page, 'receipt-print');
  });
}

t.test('widget: a blocked pop-up gives way to the full page, and the payment is settled', async (t) => {
  const { page, learner, course } = await openAsPayer(t, site, 360);
  await page.addInitScript(() => {
    window.open = () => null;
  });
  // Some widgets open a window instead of an overlay.
  await page.route(/\/assets\/js\/payment\.js/, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: "window.Zitopay = { pay() { window.open('about:blank').focus(); } };" }),
  );
  await payWith(page, course, 'ZitoPay');
  const dialog = paymentDialog(page);
  await dialog.getByText('Vous pouvez continuer : le paiement se fera sur la page du prestataire.').waitFor();
  await stepScreenshot(page, 'pop-up-blocked');
  await dialog.getByRole('button', { name: 'Ouvrir la page de paiement' }).click();
  await page.waitForURL(/\/sci\?/);
  await page.getByRole('button', { name: 'Approuver le paiement' }).click();
  await page.waitForURL(`/user/prepaview/${course.id}`);
  t.same(await outcomesOf(site, learner), ['succeeded: 1'], 'one attempt, which is settled');
  t.same(await daysOf(site, learner), [30]);
});

t.test('widget: an overlay needs no pop-up', async (t) => {
  const { page, learner, course } = await openAsPayer(t, site, 360);
  await page.addInitScript(() => {
    window.open = () => null;
  });
  await payWith(page, course, 'ZitoPay');
  await choose(page, 'Approuver');
  await paymentDialog(page).getByText('Paiement réussi !', { exact: true }).waitFor();
  t.same(await outcomesOf(site, learner), ['succeeded: 1']);
});

t.test('widget: approved five minutes later, without a notification', async (t) => {
  const { page, learner, course } = await openAsPayer(t, site, 360);
  await payWith(page, course, 'ZitoPay');
  await checkout(page).getByLabel("Délai avant l'approbation").selectOption('300');
  await site.simulator.setKnobs({ notificationTimes: 0 }, await referenceOf(site, learner));
  await checkout(page).getByRole('button', { name: 'Approuver plus tard' }).click();
  const verify = paymentDialog(page).getByRole('button', { name: 'Vérifier ce paiement' });
  await verify.waitFor();
  t.same(await outcomesOf(site, learner), ['pending: 0']);
  await fiveMinutesLater(t);
  t.same(await outcomesOf(site, learner), ['succeeded: 1']);
  const paid = paymentDialog(page).getByText('Paiement réussi !', { exact: true });
  // The page also polls, and may notice it first.
  await verify.or(paid).first().click();
  await paid.waitFor();
  t.same(await outcomesOf(site, learner), ['succeeded: 1'], 'the success is noticed, and opens the access once');
});

t.test('redirect without script: approved five minutes later, without a notification', async (t) => {
  const { page, learner, course } = await openAsPayer(t, site, 360, { javaScript: false });
  await page.goto(`/user/dashboard?paiement=${course.id}`);
  await page.getByRole('group', { name: 'Moyen de paiement' }).getByLabel('MTN MoMo Notch Pay').check();
  await page.getByRole('button', { name: 'Payer 15 000 XAF' }).click();
  await page.waitForURL(/\/checkout\//);
  await site.notchpay.setKnobs({ webhookTimes: 0 }, await referenceOf(site, learner));
  await page.getByLabel("Délai avant l'approbation").selectOption('300');
  await atNotch(page, 'Approuver plus tard');
  await page.waitForURL(`/user/dashboard/success/${course.id}`);
  await page.getByRole('heading', { name: 'Paiement en cours de vérification' }).waitFor();
  await page.getByRole('link', { name: 'Mes paiements', exact: true }).last().click();
  await page.waitForURL('/user/paiements');
  await atNotch(page, `Vérifier ce paiement : ${await referenceOf(site, learner)}`);
  await toast(page, "Le prestataire n'a pas encore confirmé ce paiement.").waitFor();
  await stepScreenshot(page, 'payments-pending');
  t.same(await outcomesOf(site, learner), ['pending: 0']);
  await fiveMinutesLater(t);
  await page.reload();
  await page.getByText('Payé', { exact: true }).waitFor();
  await page.getByRole('link', { name: /^Voir le reçu/ }).click();
  await page.getByRole('heading', { name: 'Reçu', exact: true }).waitFor();
  t.notOk(await page.getByText('Imprimer').isVisible(), 'no print button');
  t.same(await outcomesOf(site, learner), ['succeeded: 1']);
});

const look = lookAt(t, site);
const long = { nom: `Concours d'entrée à l'École nationale supérieure ${'Ngaoundéré'.repeat(8)}`, prix: 1_250_000 };
const faithful = await createLearner(site);
await site.rows('update app_user set email = $2 where id = $1', [faithful.id, `${'candidate.de.longue.date'.repeat(3)}@gmail.com`]);
const gone = await createPrepa(site, { ...long, isPublished: false });
for (const status of paymentStatuses) await createPayment(site, faithful, gone, status);
const [refunded] = await site.rows<{ reference: string }>(`select reference from payment where user_id = $1 and status = 'refunded'`, [
  faithful.id,
]);

look('payments in each state', { as: faithful }, at('/user/paiements'));
look('receipt of a refunded payment', { as: faithful }, at(`/user/paiements/${refunded?.reference}`));
look('payment with a choice of providers', { as: await createLearner(site) }, async (page) => {
  const { id } = await createCourse(site);
  const response = await page.goto(`/user/dashboard?paiement=${id}`);
  await paymentDialog(page).getByLabel('MTN MoMo Notch Pay').check();
  await paymentDialog(page).getByRole('button', { name: 'Payer 15 000 XAF' }).waitFor();
  return response;
});
