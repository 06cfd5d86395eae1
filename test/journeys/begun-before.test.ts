// Slow: each test pays twice in a browser.
import t from 'tap';
import { stepScreenshot } from '../support/browser.ts';
import { checkout, choose, daysOf, openSite, outcomesOf, paymentDialog } from '../support/journey.ts';
import { isLongForm } from '../support/long-form.ts';
import { assertNoOverflow } from '../support/page-checks.ts';
import { openAsPayer, payWith, referenceOf } from '../support/paying.ts';

// An open payment is shown before a new one is started, whatever its provider.

const site = await openSite(t, {}, { providers: ['zitopay', 'notchpay'], simulatedTime: true });

for (const width of isLongForm ? [360, 1280] : [360]) {
  t.test(`an open payment with one provider is shown before a payment with another provider starts, ${width} px`, async (t) => {
    const { page, learner, course } = await openAsPayer(t, site, width);
    await payWith(page, course, 'ZitoPay');
    await checkout(page).getByRole('button', { name: 'Approuver le paiement' }).waitFor();
    await page.getByRole('button', { name: 'Fermer le paiement' }).click();
    const dialog = paymentDialog(page);
    await dialog.getByRole('group', { name: 'Moyen de paiement' }).getByLabel('MTN MoMo Notch Pay').check();
    await dialog.getByRole('button', { name: 'Payer 15 000 XAF' }).click();
    await dialog.getByText('Un paiement est déjà commencé', { exact: true }).waitFor();
    t.same(await outcomesOf(site, learner), ['pending: 0'], 'there is one payment attempt');
    await stepScreenshot(page, 'begun-before');

    // Later, both the dashboard and the dialog that it opens show the open payment.
    await page.goto('/user/dashboard');
    await page.getByRole('heading', { name: `Paiement commencé pour ${course.nom}` }).waitFor();
    await assertNoOverflow(t, page);
    await stepScreenshot(page, 'dashboard-begun-before');
    await page.getByRole('link', { name: `Reprendre ce paiement ${course.nom}` }).click();
    await dialog.getByText('Payer autrement').click();
    await dialog.getByRole('group', { name: 'Moyen de paiement' }).getByLabel('MTN MoMo Notch Pay').check();
    await assertNoOverflow(t, page);
    await stepScreenshot(page, 'begun-before-another');
    await dialog.getByRole('button', { name: 'Vérifier ce paiement' }).click();
    await dialog.getByText("Le prestataire n'a pas encore confirmé ce paiement.").waitFor();
    await dialog.getByRole('button', { name: 'Reprendre ce paiement' }).click();
    await choose(page, 'Approuver');
    await dialog.getByText('Paiement réussi !', { exact: true }).waitFor();
    t.same(await outcomesOf(site, learner), ['succeeded: 1']);
    t.same(await daysOf(site, learner), [30]);
  });
}

t.test('payments begun with two providers: each payment opens its days', async (t) => {
  const { page, learner, course } = await openAsPayer(t, site, 360);
  await payWith(page, course, 'Notch Pay');
  await page.waitForURL(/\/checkout\//);
  const first = await referenceOf(site, learner);
  await page.goto('/user/dashboard');
  // The provider's page can be opened only once, so no link leads back to it.
  await page.getByText("Il n'est pas encore confirmé : vérifiez-le plutôt que d'en commencer un autre.", { exact: false }).waitFor();
  await page.goto(`/user/dashboard?paiement=${course.id}`);
  const dialog = paymentDialog(page);
  await dialog.getByText("Sa page ne s'ouvre qu'une fois", { exact: false }).waitFor();
  t.equal(await dialog.getByRole('button', { name: 'Reprendre ce paiement' }).count(), 0);
  await stepScreenshot(page, 'begun-before-held');
  await dialog.getByText('Payer autrement').click();
  await dialog.getByRole('button', { name: 'Commencer un autre paiement' }).click();
  await choose(page, 'Approuver');
  await dialog.getByText('Paiement réussi !', { exact: true }).waitFor();
  await site.notchpay.approve(first);
  await page.goto('/user/paiements');
  t.same((await outcomesOf(site, learner)).length, 2);
});

t.test('without script: the open payment is resumed or verified', async (t) => {
  const { page, learner, course } = await openAsPayer(t, site, 360, { javaScript: false });
  const dialogAt = `/user/dashboard?paiement=${course.id}`;
  await page.goto(dialogAt);
  await page.getByRole('button', { name: 'Payer 15 000 XAF' }).click();
  await page.waitForURL(/\/sci\?/);
  await page.goto(dialogAt);
  await page.getByText('Un paiement est déjà commencé', { exact: true }).waitFor();
  await stepScreenshot(page, 'plain-begun-before');
  await paymentDialog(page).getByRole('button', { name: 'Vérifier ce paiement' }).click();
  await page.waitForURL('/user/paiements');
  await page.goto(dialogAt);
  await page.getByRole('button', { name: 'Reprendre ce paiement' }).click();
  await page.waitForURL(/\/sci\?/);
  await page.getByRole('button', { name: 'Approuver le paiement' }).click();
  await page.getByRole('button', { name: 'Revenir au site' }).click();
  await page.waitForURL(`/user/prepaview/${course.id}`);
  t.same(await outcomesOf(site, learner), ['succeeded: 1']);
});
