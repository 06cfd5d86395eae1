import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { reconcilePayments } from '../../src/modules/payment/index.ts';
import { stepScreenshot } from '../support/browser.ts';
import { createLearner, type TestLearner } from '../support/factories.ts';
import {
  type Course,
  checkout,
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
  until,
} from '../support/journey.ts';

const site = await shareSite(t);
const warning = 'Si vous avez déjà payé, votre paiement sera traité automatiquement.';

/** Pays up to the provider's window, then closes it without a decision. The page's clock is paused from then on. */
async function payThenClose(t: Test, page: Page): Promise<{ learner: TestLearner; course: Course; reference: string }> {
  const learner = await createLearner(site);
  const course = await createCourse(site);
  await presentSession(page, site, learner);
  await page.clock.install();
  await page.goto('/user/dashboard');
  const dialog = await openPaymentDialog(page, `S'inscrire ${course.nom}`);
  await dialog.getByRole('button', { name: 'Payer 15 000 XAF' }).click();
  await checkout(page).getByRole('button', { name: 'Approuver le paiement' }).waitFor();
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.getByRole('button', { name: 'Fermer le paiement' }).click();
  await dialog.getByRole('button', { name: 'Payer 15 000 XAF' }).waitFor();

  await page.clock.runFor(1_999);
  t.equal(await dialog.getByText(warning).count(), 0, 'no warning before two seconds');
  await page.clock.runFor(1);
  await dialog.getByText(warning, { exact: true }).waitFor();
  t.ok(await dialog.getByRole('button', { name: 'Payer 15 000 XAF' }).isEnabled(), 'the learner can pay again');
  await stepScreenshot(page, 'closed');
  const payments = await paymentsOf(site, learner);
  t.same(payments.map(outcome), ['pending: 0'], 'closing is no refusal: the payment stays open');
  return { learner, course, reference: payments[0]?.reference ?? '' };
}

const hasSucceeded = async (learner: TestLearner) => (await paymentsOf(site, learner))[0]?.status === 'succeeded';

journey(
  t,
  site,
  'closed, then approved late: the notification opens the access, and the waiting page notices',
  async (t, page) => {
    const { learner, course, reference } = await payThenClose(t, page);
    await site.simulator.approve(reference);
    await until(() => hasSucceeded(learner));
    t.same(await daysOf(site, learner), [30]);

    // The waiting page asks again 5 s after the window was closed; 2 s of these have passed.
    await page.clock.runFor(3_000);
    await paymentDialog(page).getByText('Paiement réussi !', { exact: true }).waitFor();
    await stepScreenshot(page, 'approved-late');
    // A mark on this document that a reload removes.
    await page.evaluate(() => {
      document.body.dataset.loaded = 'before';
    });
    const before = page.locator('body[data-loaded="before"]');
    await page.clock.runFor(1_999);
    t.equal(await before.count(), 1, 'the page does not reload within 2 s');
    await page.clock.runFor(1);
    await before.waitFor({ state: 'detached' });
    t.pass('the page reloads 2 s after the payment');
    await page.clock.resume();
    await page
      .getByRole('link', { name: `Continuer ${course.nom}` })
      .first()
      .waitFor();
    await page.goto(course.path);
    await page.getByText('Page 1 sur 3', { exact: true }).waitFor();
    t.same(await outcomesOf(site, learner), ['succeeded: 1'], 'two checks see the success, and it extends the access once');
  },
  { once: 360 },
);

journey(
  t,
  site,
  'closed, then approved late without a notification: the reconciliation opens the access',
  async (t, page) => {
    const { learner, course, reference } = await payThenClose(t, page);
    await page.goto('about:blank');
    await site.simulator.setKnobs({ notificationTimes: 0 }, reference);
    await site.simulator.approve(reference);
    t.same(await outcomesOf(site, learner), ['pending: 0'], 'the site has no notification yet');

    t.match(await site.prepa('payments', 'reconcile'), /1 réussi/);
    t.same(await outcomesOf(site, learner), ['succeeded: 1']);
    t.same(await daysOf(site, learner), [30]);
    await page.goto(course.path);
    await page.getByText('Page 1 sur 3', { exact: true }).waitFor();
    await reconcilePayments(site.kernel.fork(), site.kernel.context, site.kernel.providers);
    t.same(await daysOf(site, learner), [30], 'the payment opens its days once');
  },
  { once: 1280 },
);
