import type { Locator, Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { newPage, stepScreenshot } from '../support/browser.ts';
import { createEnrolment, createLearner, createPayment } from '../support/factories.ts';
import {
  createCourse,
  daysOf,
  islandIs,
  journey,
  openPaymentDialog,
  paymentDialog,
  presentSession,
  registerAccount,
  shareSite,
  toast,
} from '../support/journey.ts';

const site = await shareSite(t);
const course = await createCourse(site);
const failed = [/ERR_FAILED/, /Failed to fetch dynamically imported module/];

/** Returns the position and height in the window, in px. */
async function boxOf(shown: Locator): Promise<{ y: number; height: number }> {
  const box = await shown.boundingBox();
  if (!box) throw new Error('the element is not visible');
  return box;
}

/** Records the loaded scripts; `react` tells whether one of them contains React, whose messages name its site. */
function watchScripts(page: Page): { names: string[]; react: () => Promise<boolean> } {
  const names: string[] = [];
  const sources: Promise<string>[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'script') return;
    names.push(new URL(response.url()).pathname);
    sources.push(response.text());
  });
  return { names, react: async () => (await Promise.all(sources)).some((source) => /react\.dev/.test(source)) };
}

journey(
  t,
  site,
  'the landing page loads no React before user input',
  async (t, page) => {
    const scripts = watchScripts(page);
    await page.goto('/', { waitUntil: 'networkidle' });
    // Scrolling alone must not load the scripts.
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await page.getByText("Commencez aujourd'hui").waitFor();
    const colours = await page.evaluate(() =>
      ['--primary', '--secondary', '--success'].map((name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()),
    );
    t.same(colours, ['#be0050', '#0274d9', '#28a745']);
    const button = page.locator('.hero .button').first();
    t.equal(await button.evaluate((link) => getComputedStyle(link).backgroundColor), 'rgb(190, 0, 80)', 'the primary colour');
    await page.waitForLoadState('networkidle');
    t.notOk(await scripts.react(), 'no React yet');
    t.equal(scripts.names.length, 1, `the loader alone: ${scripts.names}`);
    t.same(await page.locator('[data-island]').evaluateAll((all) => all.map((element) => (element as HTMLElement).dataset.state)), [
      undefined,
    ]);

    await page.evaluate(() => window.scrollTo(0, 0));
    await page.getByRole('link', { name: 'Connexion', exact: true }).click();
    await page.getByRole('dialog', { name: 'Connexion' }).waitFor();
    await islandIs(page, 'auth', 'ready');
    t.ok(await scripts.react(), 'React comes with the first touch');
  },
  { once: 360 },
);

journey(
  t,
  site,
  'the sign-in works when its island cannot be fetched',
  async (t, page, width) => {
    const account = await registerAccount(site);
    await page.route(/\/assets\/Auth-[^/]*\.js/, (route) => route.abort());
    await page.goto('/');
    await page.getByRole('link', { name: 'Connexion', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Connexion' });
    await islandIs(page, 'auth', 'failed');
    await dialog.getByLabel('Email').fill(account.email);
    await dialog.getByLabel('Mot de passe', { exact: true }).fill(account.password);
    await stepScreenshot(page, 'failed-auth');
    await dialog.getByRole('button', { name: 'Se connecter' }).click();
    await page.waitForURL('/user/dashboard');
    await toast(page, 'Connexion réussie !').waitFor();
    if (width >= 768) await page.getByText(`Bienvenue ${account.username}`).waitFor();
    t.equal(await page.locator('dialog[open]').count(), 0);
  },
  { allow: failed, once: 1280 },
);

journey(
  t,
  site,
  'an island that fails leaves its links working, and the other island alive',
  async (t, page, width) => {
    const learner = await createLearner(site);
    await presentSession(page, site, learner);
    await page.route(/\/assets\/Study-[^/]*\.js/, (route) => route.abort());
    await page.goto(course.trialPath);
    await islandIs(page, 'study', 'failed');
    if (width < 768) await page.locator('.study__toggle > summary').click();
    await page.getByText('Exercices & Corrigés (2)', { exact: true }).click();
    await page.getByRole('link', { name: 'Exercice A' }).click();
    await page.getByRole('heading', { name: 'Exercice A', exact: true }).waitFor();
    await page.getByText('Voir le corrigé', { exact: true }).click();
    await page.getByText('La réponse est 42.', { exact: true }).waitFor();
    await openPaymentDialog(page, `S'inscrire ${course.nom}`);
    await islandIs(page, 'payment', 'ready');
    await paymentDialog(page).getByRole('button', { name: 'Payer 15 000 XAF' }).click();
    await page.locator('#zitopayPaymentIframe').waitFor();
    t.equal(await page.locator('[data-island="study"]').getAttribute('data-state'), 'failed');
  },
  { allow: failed, once: 360 },
);

journey(
  t,
  site,
  'the payment works when its island cannot be fetched, and the study page still works',
  async (t, page) => {
    const learner = await createLearner(site);
    await presentSession(page, site, learner);
    await page.route(/\/assets\/Payment-[^/]*\.js/, (route) => route.abort());
    await page.goto(course.trialPath);
    await openPaymentDialog(page, `S'inscrire ${course.nom}`);
    await islandIs(page, 'payment', 'failed');
    await islandIs(page, 'study', 'ready');
    await stepScreenshot(page, 'failed-payment');
    await paymentDialog(page)
      .getByRole('button', { name: /^Payer/ })
      .click();
    await page.waitForURL(/\/sci\?/);
    await page.getByRole('button', { name: 'Approuver le paiement' }).click();
    await page.waitForURL(`/user/prepaview/${course.id}`);
    t.same(await daysOf(site, learner), [30]);
  },
  { allow: failed, once: 360 },
);

journey(
  t,
  site,
  "the payment continues on the provider's own page when its script cannot be fetched",
  async (_t, page) => {
    const learner = await createLearner(site);
    await presentSession(page, site, learner);
    const own = await createCourse(site);
    await page.route(/\/assets\/js\/payment\.js/, (route) => route.abort());
    await page.goto('/user/dashboard');
    const dialog = await openPaymentDialog(page, `S'inscrire ${own.nom}`);
    await dialog.getByText('Erreur de chargement du système de paiement', { exact: true }).waitFor();
    await stepScreenshot(page, 'failed-script');
    await dialog.getByRole('button', { name: 'Ouvrir la page de paiement' }).click();
    await page.waitForURL(/\/sci\?/);
    await page.getByRole('button', { name: 'Approuver le paiement' }).click();
    await page.waitForURL(`/user/prepaview/${own.id}`);
    await page.getByRole('heading', { name: `Disciplines : ${own.nom}` }).waitFor();
  },
  { allow: failed, once: 360 },
);

journey(
  t,
  site,
  'a lesson that fails to load shows an error, and can be reloaded',
  async (t, page) => {
    const learner = await createLearner(site);
    await createEnrolment(site, learner, course);
    await presentSession(page, site, learner);
    await page.goto(course.path);
    await islandIs(page, 'study', 'ready');
    await page.route(/\/api\/items\//, (route) => route.abort());
    await page.getByText('Suivant', { exact: true }).click();
    const sentence = page.getByText('Une erreur est survenue lors du chargement des données. Veuillez réessayer.', { exact: true });
    const { y, height } = await boxOf(sentence);
    t.ok((await boxOf(page.getByRole('button', { name: 'Réessayer' }))).y >= y + height, 'the buttons are below the message');
    t.ok(await page.getByText('Erreur lors du chargement du contenu', { exact: true }).isVisible());
    t.ok(await page.getByText('Texte de la leçon Suites.').isVisible(), 'the current text stays visible');
    await stepScreenshot(page, 'failed-lesson');
    t.equal(await page.getByRole('link', { name: 'Retour', exact: true }).getAttribute('href'), `/user/prepa/${course.id}`);
    await page.unroute(/\/api\/items\//);
    await page.getByRole('button', { name: 'Réessayer' }).click();
    await page.getByText('Texte de la leçon Limites.', { exact: true }).waitFor();
  },
  { allow: failed, once: 360 },
);

journey(
  t,
  site,
  'dialogs: focus inside, Escape, focus back',
  async (t, page) => {
    await page.goto('/');
    const opener = page.locator('.topbar a', { hasText: 'Connexion' });
    await assertModal(t, page, async () => opener.press('Enter'), 'Connexion');
    t.ok(await opener.evaluate((element) => element === document.activeElement), 'the focus returns to the sign-in link');

    // Only one of the dialogs is open at a time, and its close button closes it.
    await opener.click();
    const signIn = page.getByRole('dialog', { name: 'Connexion' });
    await signIn.getByRole('link', { name: "S'inscrire" }).click();
    await page.getByRole('dialog', { name: 'Inscription' }).waitFor();
    t.notOk(await signIn.isVisible());
    await page.getByRole('dialog', { name: 'Inscription' }).getByRole('link', { name: 'Se connecter' }).click();
    await signIn.waitFor();
    t.equal(await page.locator('dialog[open]').count(), 1);
    await signIn.getByRole('link', { name: 'Fermer' }).click();
    t.equal(await page.locator('dialog[open]').count(), 0);
    t.equal(new URL(page.url()).pathname + new URL(page.url()).search, '/', 'the page stays');

    const learner = await createLearner(site);
    await presentSession(page, site, learner);
    await page.goto('/user/dashboard');
    const pay = page.getByRole('link', { name: `S'inscrire ${course.nom}` });
    await assertModal(t, page, async () => pay.press('Enter'), "Confirmer l'inscription");
    t.ok(await pay.evaluate((element) => element === document.activeElement), 'the focus returns to the link to the payment');
  },
  { once: 1280 },
);

journey(
  t,
  site,
  'registration from the navigation bar shows a message, empties and closes the dialog, and opens the sign-in without a session',
  async (t, page, width) => {
    await page.goto('/');
    const opener = page.locator('.topbar').getByRole('link', { name: 'Inscription', exact: true });
    const dialog = page.getByRole('dialog', { name: 'Inscription' });
    await opener.click();
    await islandIs(page, 'auth', 'ready');
    await dialog.getByLabel("Nom d'utilisateur").fill(`par_la_barre_${width}`);
    await dialog.getByText('Adresse gmail.com, yahoo.com, yahoo.fr ou outlook.com').waitFor();
    await dialog.getByLabel('Email').fill(`par.la.barre${width}@gmail.com`);
    await dialog.getByLabel('Mot de passe', { exact: true }).fill('Concours-2026');
    await dialog.getByLabel('Confirmation du mot de passe', { exact: true }).fill('Concours-2026');
    await dialog.getByRole('button', { name: "S'inscrire" }).click();
    await toast(page, 'Inscription réussie !').waitFor();
    await dialog.waitFor({ state: 'hidden' });
    t.equal(new URL(page.url()).pathname, '/');
    t.same(
      (await page.context().cookies()).map(({ name }) => name),
      ['css'],
      'no session cookie is set',
    );
    const signIn = page.getByRole('dialog', { name: 'Connexion' });
    t.equal(await signIn.getByLabel('Email').inputValue(), `par.la.barre${width}@gmail.com`, 'the e-mail is filled in by a cookie');
    await clearOf(t, page, 'Inscription réussie !', signIn.getByRole('heading'));
    await signIn.getByRole('link', { name: 'Fermer' }).click();
    await opener.click();
    t.same(
      await dialog.locator('input:visible').evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value)),
      ['', '', '', ''],
      'a reopened form is empty',
    );
  },
  { once: 360 },
);

async function assertModal(t: Test, page: Page, open: () => Promise<void>, name: string): Promise<void> {
  await open();
  const dialog = page.getByRole('dialog', { name });
  await dialog.waitFor();
  t.equal(await page.evaluate(() => document.activeElement?.textContent), name, 'the title has the focus');
  const places = new Set<string>();
  for (let count = 0; count < 14; count += 1) {
    await page.keyboard.press('Tab');
    places.add(
      await page.evaluate(() => {
        const active = document.activeElement;
        // Between the last and the first element the focus is in the browser's own controls.
        if (!active || active === document.body) return 'browser';
        return active.closest('dialog:modal') ? 'inside' : active.outerHTML;
      }),
    );
  }
  places.delete('browser');
  t.same([...places], ['inside'], `the focus stays in ${name}`);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
}

/** Asserts that a toast does not cover the next element. */
async function clearOf(t: Test, page: Page, text: string, next: Locator): Promise<void> {
  const [shown, below] = [await toast(page, text).boundingBox(), await next.boundingBox()];
  t.ok(shown && below && shown.y + shown.height <= below.y, `'${text}' covers nothing`);
}

journey(
  t,
  site,
  'without network the page stays, with a message',
  async (t, page) => {
    const learner = await createLearner(site);
    await presentSession(page, site, learner);
    const message = 'Vous êtes hors connexion. Cette page reste lisible, les autres attendent le réseau.';
    // The title of a text is closest to the header.
    const long = await createCourse(site);
    await site.rows(`update discipline set nom = 'Mathématiques et statistiques appliquées' where id = $1`, [long.disciplineId]);
    await createEnrolment(site, learner, long);
    await page.goto(long.path, { waitUntil: 'networkidle' });
    await page.context().setOffline(true);
    await toast(page, message).waitFor();
    await clearOf(t, page, message, page.locator('.study__title'));
    await page.context().setOffline(false);

    await page.goto('/user/dashboard', { waitUntil: 'networkidle' });
    await page.context().setOffline(true);
    await toast(page, message).waitFor();
    await clearOf(t, page, message, page.getByRole('heading', { name: 'Mon espace' }));
    await toast(page, message).getByRole('button').click();
    await page.getByRole('link', { name: 'À revoir' }).click();
    await toast(page, message).waitFor();
    await page.locator('summary.menu__button').click();
    await page.locator('.menu__panel').getByRole('button', { name: 'Déconnexion' }).click();
    await toast(page, 'Vous êtes hors connexion. Vous restez connecté : la déconnexion attend le réseau.').waitFor();
    await page.keyboard.press('Escape');
    await page.context().setOffline(false);
    await page.getByRole('link', { name: 'À revoir' }).click();
    await page.waitForURL('/user/a-revoir');
  },
  { once: 360 },
);

journey(t, site, 'a toast stays 5,000 ms, longer while it is pointed at, and can be dismissed', async (t, page, width) => {
  const learner = await createLearner(site);
  await presentSession(page, site, learner);
  const show = async () => {
    await page.goto('/user/dashboard?payment_status=cancel');
    const shown = toast(page, 'Paiement annulé.');
    await shown.waitFor();
    return shown;
  };
  let shown = await show();
  const box = await shown.boundingBox();
  t.ok(box && box.y < 100 && box.x + box.width > width - 40, 'the toast is at the top right');
  await clearOf(t, page, 'Paiement annulé.', page.getByRole('heading', { name: 'Mon espace' }));
  // The delay is part of a CSS animation, which the page's fake clock does not control; the animation's time is set instead.
  const at = (ms: number) =>
    shown.evaluate((element, time) => {
      const [animation] = element.getAnimations();
      if (!animation) return null;
      animation.pause();
      animation.currentTime = time;
      const { opacity, visibility } = getComputedStyle(element);
      return `${opacity} ${visibility}`;
    }, ms);
  t.equal(await at(4_999), '1 visible');
  t.not(await at(5_150), '1 visible', 'the toast fades out after five seconds');
  await shown.evaluate((element) => element.getAnimations()[0]?.finish());
  await shown.waitFor({ state: 'detached' });

  if (width >= 768) {
    shown = await show();
    await shown.hover();
    const state = () => shown.evaluate((element) => getComputedStyle(element).animationPlayState);
    t.equal(await state(), 'paused', 'the timer pauses while the toast is pointed at');
    await page.mouse.move(10, 600);
    t.equal(await state(), 'running');
  }
  shown = await show();
  await shown.getByRole('button', { name: 'Fermer le message' }).click();
  await shown.waitFor({ state: 'detached' });
});

journey(
  t,
  site,
  'the cancel page counts 5 seconds down, and can be stopped',
  async (t, page) => {
    const learner = await createLearner(site);
    await presentSession(page, site, learner);
    await page.clock.install();
    await page.goto('/');
    await page.clock.pauseAt(Date.now() + 60_000);
    const path = `/user/dashboard/cancel?prepa_id=${course.id}`;
    const seconds = page.locator('[data-countdown-number]');
    const here = () => new URL(page.url()).pathname;

    // The provider's return URL (/cancel) leads to the dashboard, and for an open payment on to this page.
    await createPayment(site, learner, { ...course, prix: 15_000 }, 'pending');
    await page.goto(`/user/dashboard?payment_status=cancel&prepa_id=${course.id}`);
    await page.waitForURL(path);
    await page.getByRole('heading', { name: 'Paiement annulé' }).waitFor();
    await page.getByText('Redirection vers votre tableau de bord dans 5 s').waitFor();
    await stepScreenshot(page, 'cancel');
    for (const left of ['4', '3', '2', '1']) {
      await page.clock.runFor(1_000);
      t.equal(await seconds.innerText(), left);
    }
    await page.clock.runFor(999);
    t.equal(await seconds.innerText(), '1', 'no redirect before the last second ends');
    await page.clock.runFor(1);
    await page.waitForURL('/user/dashboard');

    await page.goto(path);
    await page.clock.runFor(2_000);
    await page.getByRole('button', { name: 'Rester sur cette page' }).click();
    await seconds.waitFor({ state: 'hidden' });
    await page.clock.runFor(60_000);
    t.equal(here(), '/user/dashboard/cancel', 'stopping the countdown keeps the page');
    await page.getByRole('link', { name: 'Consulter la préparation' }).click();
    await page.waitForURL(`/user/prepa/consultation/${course.id}`);
  },
  { once: 360 },
);

t.test("the learner's menu closes on Escape, on a click outside, and when the focus leaves it", async (t) => {
  const page = await newPage(t, { width: 1280, baseURL: site.url });
  const learner = await createLearner(site);
  await presentSession(page, site, learner);
  await page.goto('/');
  const button = page.locator('summary.menu__button');
  const entry = page.getByRole('link', { name: 'Mon profil' });
  await button.click();
  await entry.waitFor();
  t.equal(await page.getByLabel("Nom d'utilisateur").inputValue(), learner.username);
  await page.keyboard.press('Escape');
  await entry.waitFor({ state: 'hidden' });
  t.ok(await button.evaluate((element) => element === document.activeElement));
  await button.click();
  await page.mouse.click(300, 700);
  await entry.waitFor({ state: 'hidden' });
  await button.click();
  await page.locator('.topbar__exit').focus();
  await entry.waitFor({ state: 'hidden' });
  t.pass('closed each time');
});
