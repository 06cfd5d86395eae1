import t from 'tap';
import { stepScreenshot } from '../support/browser.ts';
import { createEnrolment, createLearner } from '../support/factories.ts';
import {
  choose,
  createCourse,
  daysOf,
  journey,
  openPaymentDialog,
  outcome,
  paymentsOf,
  presentSession,
  shareSite,
  toast,
} from '../support/journey.ts';

const site = await shareSite(t);

journey(
  t,
  site,
  'two tabs pay for the same prepa: each payment opens its days once',
  async (t, first) => {
    const learner = await createLearner(site);
    const course = await createCourse(site);
    await presentSession(first, site, learner);
    const second = await first.context().newPage();
    const tabs = [first, second];
    for (const tab of tabs) {
      await tab.goto('/user/dashboard');
      const dialog = await openPaymentDialog(tab, `S'inscrire ${course.nom}`);
      // The second tab shows the attempt started in the first, and resumes it.
      await dialog.getByRole('button', { name: tab === first ? 'Payer 15 000 XAF' : 'Reprendre ce paiement' }).click();
      await tab.locator('#zitopayPaymentIframe').waitFor();
    }
    for (const tab of tabs) {
      await choose(tab, 'Approuver');
      await tab.getByText('Paiement réussi !', { exact: true }).waitFor();
    }
    const payments = await paymentsOf(site, learner);
    t.ok(payments.length === 1 || payments.length === 2, 'the tabs share one attempt or have two');
    for (const payment of payments) t.equal(outcome(payment), 'succeeded: 1');
    const references = payments.map(({ reference }) => reference);
    const paid = (await site.simulator.ledger()).filter(({ ref, status }) => references.includes(ref) && status === 'COMPLETED');
    t.same(await daysOf(site, learner), [30 * paid.length], 'as many times 30 days as the provider was paid');
  },
  { once: 1280 },
);

journey(
  t,
  site,
  'a sign-out in one tab also ends the session of the other tab',
  async (t, first, width) => {
    const learner = await createLearner(site);
    const course = await createCourse(site);
    await createEnrolment(site, learner, course);
    await presentSession(first, site, learner);
    await first.goto(course.path);
    const payer = await first.context().newPage();
    await payer.goto('/user/dashboard');
    const dialog = await openPaymentDialog(payer, `Renouveler ${course.nom}`);
    const leaver = await first.context().newPage();
    await leaver.goto('/');
    if (width < 768) await leaver.locator('summary.menu__button').click();
    await leaver
      .locator(width < 768 ? '.menu' : '.topbar__end > form')
      .getByRole('button', { name: 'Déconnexion' })
      .click();
    await toast(leaver, 'Déconnexion réussie').waitFor();

    // The study page is still open and requests the next lesson.
    await first.getByText('Suivant', { exact: true }).click();
    await first.waitForURL(/\/\?connexion=1&suite=|\/login\?suite=/);
    t.equal(new URL(first.url()).searchParams.get('suite')?.split('?')[0], course.path, 'the sign-in leads back to the study page');
    await stepScreenshot(first, 'signed-out-elsewhere');

    // The payment dialog is still open, too.
    await dialog.getByRole('button', { name: 'Payer 15 000 XAF' }).click();
    await dialog.getByText('Session expirée. Veuillez vous reconnecter.', { exact: true }).waitFor();
    await payer.waitForURL(/\/login\?suite=/);
    t.same(await paymentsOf(site, learner), []);
  },
  { allow: [/status of 40[13]/] },
);
