import type { Locator, Page } from 'playwright-core';
import t from 'tap';
import { createEnrolment, createLearner, createPayment } from '../support/factories.ts';
import { checkout, choose, createCourse, openPaymentDialog, paymentDialog, shareSite } from '../support/journey.ts';
import { freeze, lookAt } from '../support/look.ts';

// The look of the payment dialog in each state, and of the page that waits for the result.

const site = await shareSite(t);
const look = lookAt(t, site);
const demonstration = (await site.startServer({ PAYMENT_SIMULATION: 'on' })).url;
const stranger = await createLearner(site);
const course = await createCourse(site);

/** Unfolds the prepa's contents, which every payment dialog has. */
async function showContents(dialog: Locator): Promise<void> {
  await dialog.getByText('Contenu et conditions').click();
  await dialog.locator('dd').filter({ hasText: held }).waitFor();
}
const held = /^3 leçons, 2 exercices, 1 ancien sujet, mis à jour le /;

look('payment, sent open', { as: stranger }, async (page) => {
  const response = await page.goto(`/user/dashboard?paiement=${course.id}`);
  await showContents(paymentDialog(page));
  return response;
});
for (const [place, path] of [
  ['the catalogue', '/user/preparations'],
  ["a prepa's trial", `/user/prepa/consultation/${course.id}`],
  ["a discipline's trial", course.trialPath],
] as const)
  look(`payment, opened in ${place}`, { as: stranger }, async (page) => {
    const response = await page.goto(path);
    const dialog = await openPaymentDialog(page, `S'inscrire ${course.nom}`);
    await showContents(dialog);
    return response;
  });
const renewer = await createLearner(site);
await createEnrolment(site, renewer, course, 12);
const openUntil = /Vous y avez déjà accès jusqu'au .+ : un paiement ajoute 30 jours\./;
look('payment of a prepa that is open already', { as: renewer }, async (page) => {
  const response = await page.goto('/user/preparations');
  const dialog = await openPaymentDialog(page, `Renouveler ${course.nom}`);
  await dialog.getByText(openUntil).waitFor();
  await dialog.getByRole('link', { name: 'Continuer' }).waitFor();
  return response;
});
const satisfied = await createLearner(site);
await createEnrolment(site, satisfied, course, 12);
look('payment of a prepa that stays open, opened by an address', { as: satisfied }, async (page) => {
  const response = await page.goto(`/user/dashboard?paiement=${course.id}`);
  const dialog = paymentDialog(page);
  await dialog.getByText(openUntil).waitFor();
  await dialog.getByRole('link', { name: 'Continuer' }).waitFor();
  await dialog.getByRole('button', { name: 'Payer 15 000 XAF' }).waitFor();
  return response;
});
look('payment of a prepa that is open already, its island failed', { as: renewer, allow: [/ERR_FAILED|Failed to fetch/] }, async (page) => {
  await page.route(/\/assets\/Payment-[^/]*\.js/, (route) => route.abort());
  const response = await page.goto('/user/preparations');
  const dialog = await openPaymentDialog(page, `Renouveler ${course.nom}`);
  await dialog.getByText(openUntil).waitFor();
  return response;
});
await createPayment(site, renewer, { ...course, prix: 15_000 }, 'pending');
look('dashboard with a payment begun before, of a prepa that is open', { as: renewer }, async (page) => {
  const response = await page.goto('/user/dashboard');
  await page.getByText(/Vous avez déjà accès à cette préparation jusqu'au .+ confirmé, ce paiement ajoute 30 jours/).waitFor();
  return response;
});
look('payment refused by the site', { as: stranger, allow: [/status of 404/] }, async (page) => {
  const dialog = await payment(page);
  await showContents(dialog);
  await page.route('**/api/payment/start', (route) => route.fulfill({ status: 404, json: {} }));
  await pay(page);
  await dialog.getByText("Erreur lors de l'initialisation du paiement", { exact: true }).waitFor();
  return null;
});
// A separate learner, because the held request may reach the site after the page is closed.
look('payment in progress', { as: await createLearner(site) }, async (page) => {
  const dialog = await payment(page);
  await page.route('**/api/payment/start', () => {});
  await pay(page);
  await dialog.getByText('Validez le paiement sur votre téléphone.', { exact: true }).waitFor();
  await dialog.locator('button:disabled').getByText('Traitement...', { exact: true }).waitFor();
  return null;
});
look('payment without its script', { as: stranger, allow: [/ERR_FAILED/] }, async (page) => {
  await page.route(/\/assets\/js\/payment\.js/, (route) => route.abort());
  const dialog = await payment(page);
  await dialog.getByText('Erreur de chargement du système de paiement', { exact: true }).waitFor();
  return null;
});
look('payment declined', { as: await createLearner(site) }, async (page) => {
  const dialog = await payment(page);
  await pay(page);
  await choose(page, 'Refuser');
  await dialog.getByText('Paiement échoué ou annulé', { exact: true }).waitFor();
  return null;
});
const declined = await createLearner(site);
await createPayment(site, declined, { ...course, prix: 15_000 }, 'cancelled');
await createPayment(site, declined, { ...course, prix: 15_000 }, 'failed');
look('refused payment after the return from the provider', { as: declined }, async (page) => {
  const response = await page.goto(`/user/dashboard?payment_status=cancel&prepa_id=${course.id}`);
  await page.getByRole('heading', { name: 'Paiement échoué ou annulé' }).waitFor();
  return response;
});
look('payments with their history', { as: declined }, async (page) => {
  const response = await page.goto('/user/paiements');
  await page.getByText('1 tentative précédente').click();
  return response;
});
const leaver = await createLearner(site);
look('payment left', { as: leaver }, async (page) => {
  await page.clock.install();
  const dialog = await payment(page);
  await pay(page);
  await checkout(page).getByRole('button', { name: 'Approuver le paiement' }).waitFor();
  await freeze(page);
  await page.getByRole('button', { name: 'Fermer le paiement' }).click();
  await dialog.getByRole('button', { name: 'Payer 15 000 XAF' }).waitFor();
  await page.clock.runFor(2_000);
  await dialog.getByText('Si vous avez déjà payé, votre paiement sera traité automatiquement.', { exact: true }).waitFor();
  return null;
});
look('payment begun before', { as: leaver }, async (page) => {
  const response = await page.goto('/user/dashboard');
  await page.getByRole('heading', { name: `Paiement commencé pour ${course.nom}` }).waitFor();
  const dialog = await openPaymentDialog(page, `Reprendre ce paiement ${course.nom}`);
  await dialog.getByText('Un paiement est déjà commencé', { exact: true }).waitFor();
  await dialog.getByText('Payer autrement').click();
  return response;
});
look('dashboard with a payment begun before', { as: leaver }, (page) => page.goto('/user/dashboard'));
const patient = await createLearner(site);
look('payment to be approved later', { as: patient }, async (page) => {
  const dialog = await payment(page);
  await pay(page);
  await checkout(page).getByLabel("Délai avant l'approbation").selectOption('1200');
  await checkout(page).getByRole('button', { name: 'Approuver plus tard' }).click();
  await dialog.getByRole('button', { name: 'Vérifier ce paiement' }).waitFor();
  return null;
});
look('success being checked', { as: patient }, async (page) => {
  await page.clock.install();
  await freeze(page);
  const response = await page.goto(`/user/dashboard/success/${course.id}`);
  await page.getByRole('heading', { name: 'Paiement en cours de vérification' }).waitFor();
  return response;
});
look('payment made', { as: await createLearner(site) }, async (page) => {
  await page.clock.install();
  await payment(page);
  await pay(page);
  await checkout(page).getByRole('button', { name: 'Approuver le paiement' }).waitFor();
  // Otherwise the page would reload after two seconds.
  await freeze(page);
  await choose(page, 'Approuver');
  await paymentDialog(page).getByText('Paiement réussi !', { exact: true }).waitFor();
  return null;
});
async function payment(page: Page): Promise<Locator> {
  await page.goto('/user/dashboard');
  const renewal = page.getByRole('link', { name: `Renouveler ${course.nom}` });
  return openPaymentDialog(page, `${(await renewal.count()) > 0 ? 'Renouveler' : "S'inscrire"} ${course.nom}`);
}

async function pay(page: Page): Promise<void> {
  // At the second width the payment started at the first one is still open.
  await paymentDialog(page)
    .getByRole('button', { name: /^(Payer 15 000 XAF|Reprendre ce paiement)$/ })
    .click();
}

look('demonstration of the payment', { as: await createLearner(site), baseURL: demonstration }, async (page) => {
  const response = await page.goto(course.trialPath);
  const dialog = await openPaymentDialog(page, `S'inscrire ${course.nom}`);
  await dialog.getByText('Simulation (démonstration)').waitFor();
  await dialog.getByLabel('Échec').check();
  await pay(page);
  await dialog.getByText('Échec du paiement.', { exact: true }).waitFor();
  return response;
});
