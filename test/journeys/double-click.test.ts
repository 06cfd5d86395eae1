import t from 'tap';
import { createLearner } from '../support/factories.ts';
import {
  checkout,
  choose,
  createCourse,
  daysOf,
  journey,
  openPaymentDialog,
  outcomesOf,
  paymentsOf,
  presentSession,
  shareSite,
} from '../support/journey.ts';

const site = await shareSite(t);

journey(
  t,
  site,
  'a double click on pay, and a provider that reports twice: one payment, one extension',
  async (t, page) => {
    const learner = await createLearner(site);
    const course = await createCourse(site);
    await presentSession(page, site, learner);
    const starts: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/api/payment/start')) starts.push(request.url());
    });
    await page.goto('/user/dashboard');
    const dialog = await openPaymentDialog(page, `S'inscrire ${course.nom}`);
    const pay = dialog.getByRole('button', { name: 'Payer 15 000 XAF' });
    await pay.waitFor();
    // Two synchronous clicks: the page has no time to disable the button in between.
    await pay.evaluate((button: HTMLButtonElement) => {
      button.click();
      button.click();
    });
    await checkout(page).getByRole('button', { name: 'Approuver le paiement' }).waitFor();
    t.equal(starts.length, 1, 'the second click starts no payment');
    const [payment] = await paymentsOf(site, learner);
    await site.simulator.setKnobs({ successTwice: true, notificationTimes: 3 }, payment?.reference);
    await choose(page, 'Approuver');
    await dialog.getByText('Paiement réussi !', { exact: true }).waitFor();
    await page
      .getByRole('link', { name: `Continuer ${course.nom}` })
      .first()
      .waitFor();
    t.same(await outcomesOf(site, learner), ['succeeded: 1']);
    t.same(await daysOf(site, learner), [30]);
  },
  { once: 360 },
);

journey(
  t,
  site,
  "a person's double click",
  async (t, page) => {
    const learner = await createLearner(site);
    const course = await createCourse(site);
    await presentSession(page, site, learner);
    await page.goto('/user/dashboard');
    const dialog = await openPaymentDialog(page, `S'inscrire ${course.nom}`);
    await dialog.getByRole('button', { name: 'Payer 15 000 XAF' }).dblclick();
    await choose(page, 'Approuver');
    await dialog.getByText('Paiement réussi !', { exact: true }).waitFor();
    t.same(await outcomesOf(site, learner), ['succeeded: 1']);
  },
  { once: 1280 },
);
