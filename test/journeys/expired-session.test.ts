import type { Page } from 'playwright-core';
import t from 'tap';
import { assertAccessible } from '../support/accessible.ts';
import { stepScreenshot } from '../support/browser.ts';
import { createEnrolment } from '../support/factories.ts';
import {
  type Account,
  type Course,
  createCourse,
  islandIs,
  journey,
  openPaymentDialog,
  paymentDialog,
  presentSession,
  registerAccount,
  shareSite,
  toast,
} from '../support/journey.ts';
import { assertNoOverflow } from '../support/page-checks.ts';

const site = await shareSite(t);
const message = 'Session expirée. Veuillez vous reconnecter.';
const allow = [/status of 401/];

/** Creates an enrolled learner; `end` deletes the session in the database without telling the browser. */
async function enrolled(page: Page): Promise<{ account: Account; course: Course; end: () => Promise<unknown> }> {
  const account = await registerAccount(site);
  const course = await createCourse(site);
  await createEnrolment(site, account, course);
  await presentSession(page, site, account);
  return { account, course, end: () => site.rows('delete from session where user_id = $1', [account.id]) };
}

async function signIn(page: Page, { email, password }: Account): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Mot de passe', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Se connecter' }).click();
}

journey(
  t,
  site,
  'a session that ends in mid-study: after the sign-in the requested page follows',
  async (t, page) => {
    const { account, course, end } = await enrolled(page);
    await page.goto(course.path);
    await page.getByText('Page 1 sur 3', { exact: true }).waitFor();
    await islandIs(page, 'study', 'ready');
    const next = page.getByText('Suivant', { exact: true });
    const address = String(await next.getAttribute('href'));
    await end();
    await next.click();
    await page.waitForURL(/\/login\?suite=/);
    await page.getByText(message, { exact: true }).waitFor();
    await stepScreenshot(page, 'session-expired');
    await signIn(page, account);
    await page.waitForURL(address);
    await page.getByRole('heading', { name: 'Limites', exact: true }).waitFor();
    await page.getByText('Page 2 sur 3', { exact: true }).waitFor();
    await toast(page, 'Connexion réussie !').waitFor();
    await stepScreenshot(page, 'signed-in-again');
    t.equal((await page.context().cookies()).filter(({ name }) => name === 'userToken').length, 1);
  },
  { once: 360, allow },
);

journey(
  t,
  site,
  'a page requested with an ended session',
  async (t, page) => {
    const { account, course, end } = await enrolled(page);
    await end();
    await page.goto(`/user/prepa/${course.id}`);
    await page.waitForURL(/\/login\?suite=/);
    await page.getByText(message, { exact: true }).waitFor();
    t.notOk(
      (await page.context().cookies()).some(({ name }) => name === 'userToken'),
      'the cookie of the ended session is deleted',
    );
    await signIn(page, account);
    await page.waitForURL(`/user/prepa/${course.id}`);
    await page.getByRole('heading', { name: course.nom, exact: true }).waitFor();
  },
  { once: 1280 },
);

journey(
  t,
  site,
  'a session that ends before the payment',
  async (t, page) => {
    const { account, course, end } = await enrolled(page);
    await page.goto('/user/dashboard');
    const dialog = await openPaymentDialog(page, `Renouveler ${course.nom}`);
    await end();
    await dialog.getByRole('button', { name: 'Payer 15 000 XAF' }).click();
    await dialog.getByText(message, { exact: true }).waitFor();
    await page.waitForURL(/\/login\?suite=/);
    await signIn(page, account);
    await page.waitForURL(`/user/dashboard?paiement=${course.id}`);
    t.ok(await paymentDialog(page).getByText(course.nom).isVisible(), 'back at the payment');
  },
  { once: 1280, allow },
);

journey(
  t,
  site,
  'a guarded page without any session opens the sign-in with the reason, and leads back',
  async (t, page) => {
    const { account, course } = await enrolled(page);
    await page.context().clearCookies();
    const dialog = page.getByRole('dialog', { name: 'Connexion' });
    for (const [address, reason] of [
      [`${course.path}?type=exercise&item=1`, 'Connectez-vous pour lire cet exercice.'],
      [`/user/dashboard?paiement=${course.id}`, 'Connectez-vous pour payer cette préparation.'],
      ['/user/paiements', 'Connectez-vous pour voir vos paiements.'],
      [course.path, 'Connectez-vous pour lire cette discipline.'],
    ] as const) {
      await page.goto(address);
      await page.waitForURL(`/?connexion=1&suite=${encodeURIComponent(address)}`);
      await dialog.getByText(reason, { exact: true }).waitFor();
    }
    await assertNoOverflow(t, page);
    await assertAccessible(t, page, { within: 'dialog[open]' });
    await stepScreenshot(page, 'sign-in-reason');
    await islandIs(page, 'auth', 'ready');
    await dialog.getByLabel('Email').fill(account.email);
    await dialog.getByLabel('Mot de passe', { exact: true }).fill('Mauvais-2026');
    await dialog.getByRole('button', { name: 'Se connecter' }).click();
    await dialog.getByText('Email ou mot de passe incorrect', { exact: true }).waitFor();
    await stepScreenshot(page, 'wrong-password');
    t.equal(await dialog.getByLabel('Email').inputValue(), account.email, 'the typed text stays');
    await dialog.getByLabel('Mot de passe', { exact: true }).fill(account.password);
    await dialog.getByRole('button', { name: 'Se connecter' }).click();
    await page.waitForURL(course.path);
    await page.getByText('Page 1 sur 3', { exact: true }).waitFor();
  },
  { allow },
);
