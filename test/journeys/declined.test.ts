import t from 'tap';
import { stepScreenshot } from '../support/browser.ts';
import { createLearner } from '../support/factories.ts';
import {
  choose,
  createCourse,
  daysOf,
  journey,
  openPaymentDialog,
  outcome,
  outcomesOf,
  paymentDialog,
  paymentsOf,
  presentSession,
  shareSite,
} from '../support/journey.ts';

const site = await shareSite(t);

journey(
  t,
  site,
  'a declined payment opens nothing, and may be tried again',
  async (t, page) => {
    const learner = await createLearner(site);
    const course = await createCourse(site);
    await presentSession(page, site, learner);
    await page.goto(course.trialPath);
    const dialog = await openPaymentDialog(page, `S'inscrire ${course.nom}`);
    const pay = dialog.getByRole('button', { name: 'Payer 15 000 XAF' });
    await pay.click();
    await choose(page, 'Refuser');

    await dialog.getByText('Paiement échoué ou annulé', { exact: true }).waitFor();
    await dialog.getByText('Vérifiez le solde (frais compris), le code et le plafond de votre compte', { exact: false }).waitFor();
    await dialog.getByRole('button', { name: 'Réessayer de payer 15 000 XAF', exact: true }).waitFor();
    t.ok(await pay.isEnabled(), 'the learner can pay again');
    t.ok(await dialog.getByLabel('Orange Money').isEnabled(), 'the learner can choose another means');
    t.equal(await page.locator('#zitopayPaymentOverlay').count(), 0, 'the widget of the provider is closed');
    await stepScreenshot(page, 'declined');
    t.same(await outcomesOf(site, learner), ['failed: 0']);
    t.same(await daysOf(site, learner), [], 'no days are opened');

    await page.goto(course.path);
    await page.waitForURL(course.trialPath);
    await page.getByText(/^Vous n'êtes pas encore inscrit à cette préparation/).waitFor();

    await openPaymentDialog(page, `S'inscrire maintenant ${course.nom}`);
    await pay.click();
    await choose(page, 'Approuver');
    await dialog.getByText('Paiement réussi !', { exact: true }).waitFor();
    // Paid from the trial, the learner returns to the same content, now unlocked.
    await page.waitForURL(course.path);
    await page.getByText('Page 1 sur 3', { exact: true }).waitFor();
    const payments = await paymentsOf(site, learner);
    t.same(payments.map(outcome), ['failed: 0', 'succeeded: 1']);
    t.not(payments[0]?.reference, payments[1]?.reference, 'another attempt has another reference');
    t.same(await daysOf(site, learner), [30]);
  },
  { once: 360 },
);

journey(
  t,
  site,
  'a payment that cannot start shows an error, and may be tried again',
  async (t, page) => {
    const learner = await createLearner(site);
    const course = await createCourse(site);
    await presentSession(page, site, learner);
    await page.goto('/user/dashboard');
    await openPaymentDialog(page, `S'inscrire ${course.nom}`);
    // The prepa is withdrawn from sale while the page is open.
    await site.rows('update prepa set is_published = false where id = $1', [course.id]);
    const pay = paymentDialog(page).getByRole('button', { name: 'Payer 15 000 XAF' });
    await pay.click();
    await paymentDialog(page).getByText("Erreur lors de l'initialisation du paiement", { exact: true }).waitFor();
    t.ok(await pay.isEnabled());
    await stepScreenshot(page, 'not-started');
    t.same(await paymentsOf(site, learner), []);
  },
  { once: 1280, allow: [/status of 404/] },
);
