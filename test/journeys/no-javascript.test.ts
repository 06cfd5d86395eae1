import type { Page } from 'playwright-core';
import t from 'tap';
import { newPage, openBrowser, stepScreenshot } from '../support/browser.ts';
import { createLearner } from '../support/factories.ts';
import { createCourse, daysOf, journey, outcomesOf, presentSession, registerAccount, shareSite, toast } from '../support/journey.ts';
import { isLongForm } from '../support/long-form.ts';

// Everything with plain links and forms, as in phone browsers that render pages on a proxy.

const site = await shareSite(t);
const javaScript = false;

journey(
  t,
  site,
  'sign in, read, sign out',
  async (t, page) => {
    const account = await registerAccount(site);
    const course = await createCourse(site);
    await site.prepa('enrolments', 'grant', '--email', account.email, '--prepa', String(course.id), '--reason', 'Essai');

    await page.goto('/');
    await page.getByRole('link', { name: 'Connexion', exact: true }).click();
    await page.waitForURL(/connexion=1/);
    const signIn = async (password: string) => {
      const form = page.locator('form[action="/api/users/login"]:visible');
      await form.getByLabel('Email').fill(account.email);
      await form.getByLabel('Mot de passe', { exact: true }).fill(password);
      await form.getByRole('button', { name: 'Se connecter' }).click();
    };
    await stepScreenshot(page, 'plain-sign-in');
    await signIn('Mauvais-2026');
    await page.getByText('Email ou mot de passe incorrect', { exact: true }).waitFor();
    await stepScreenshot(page, 'plain-wrong-password');
    t.equal(await page.getByLabel('Email').inputValue(), account.email, 'the e-mail stays');
    t.equal(await page.getByLabel('Mot de passe', { exact: true }).inputValue(), '', 'the password does not');
    await signIn(account.password);
    await page.waitForURL('/user/dashboard');
    await toast(page, 'Connexion réussie !').waitFor();

    // Study.
    await page
      .getByRole('link', { name: `Continuer ${course.nom}` })
      .first()
      .click();
    await page.waitForURL(`/user/prepa/${course.id}`);
    await page.getByRole('link', { name: course.discipline, exact: true }).click();
    await page.waitForURL(course.path);
    await page.getByText('Texte de la leçon Suites.', { exact: true }).waitFor();
    await page.getByText('Page 1 sur 3', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Suivant' }).click();
    await page.getByText('Texte de la leçon Limites.', { exact: true }).waitFor();
    await page.getByText('Page 2 sur 3', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Précédent' }).click();
    await page.getByText('Page 1 sur 3', { exact: true }).waitFor();
    const contents = page.getByRole('navigation', { name: 'Contenus de la discipline' });
    if (isPhone(page)) {
      t.notOk(await contents.isVisible());
      await page.getByText('Menu', { exact: true }).click();
      await page.getByText('Masquer', { exact: true }).waitFor();
    }
    await contents.getByText('Exercices & Corrigés (2)', { exact: true }).click();
    await contents.getByRole('link', { name: 'Exercice A' }).click();
    await page.getByRole('heading', { name: 'Exercice A', exact: true }).waitFor();
    const answer = page.getByText('La réponse est 42.', { exact: true });
    t.notOk(await answer.isVisible());
    await page.getByText('Voir le corrigé', { exact: true }).click();
    t.ok(await answer.isVisible());
    await page.getByText('Masquer le corrigé', { exact: true }).click();
    t.notOk(await answer.isVisible());
    await page.getByRole('link', { name: 'Suivant' }).click();
    await page.getByRole('heading', { name: 'Exercice B', exact: true }).waitFor();
    t.equal(await page.getByText('Voir le corrigé').count(), 0, 'an exercise without a correction offers none');
    await stepScreenshot(page, 'plain-study');

    // Sign out.
    const signOut = async () => {
      if (isPhone(page)) await page.locator('summary.menu__button').click();
      await page
        .locator(isPhone(page) ? '.menu' : '.topbar__end > form')
        .getByRole('button', { name: 'Déconnexion' })
        .click();
      await page.waitForURL('/');
      await toast(page, 'Déconnexion réussie').waitFor();
    };
    await signOut();
    await page.goto(course.path);
    await page.waitForURL(/\/\?connexion=1&suite=/);
    await signIn(account.password);
    await page.waitForURL(course.path);

    // On a wider screen these are shown without menus.
    await page.setViewportSize({ width: 1280, height: 740 });
    t.ok(await contents.isVisible());
    await signOut();
  },
  { javaScript, allow: [/status of 401/], once: 360 },
);

journey(
  t,
  site,
  'register: every fault at once, then right, and on to the payment',
  async (t, page, width) => {
    const course = await createCourse(site);
    await page.goto(course.trialPath);
    await page.getByRole('link', { name: `S'inscrire maintenant ${course.nom}` }).click();
    const form = () => page.locator('form[action="/api/users/register"]:visible');
    const errors = () => form().locator('.field__error').allInnerTexts();
    const send = () => form().getByRole('button', { name: "S'inscrire" }).click();
    await send();
    await form().getByText("L'email est requis").waitFor();
    t.same(await errors(), [
      "Le nom d'utilisateur est requis",
      "L'email est requis",
      'Le mot de passe est requis',
      'La confirmation du mot de passe est requise',
    ]);
    await stepScreenshot(page, 'plain-registration-empty');
    await fill(page, { username: 'x'.repeat(31), email: 'pas une adresse', password: 'Court1!', confirmPassword: 'Court1?' });
    await send();
    await form().getByText('Email invalide', { exact: true }).waitFor();
    t.same(await errors(), [
      "Le nom d'utilisateur ne doit pas dépasser 30 caractères",
      'Email invalide',
      'Le mot de passe doit contenir au moins 8 caractères',
      'Les mots de passe doivent correspondre',
    ]);
    t.equal(await form().getByLabel('Email').inputValue(), 'pas une adresse', 'the typed text stays');
    const email = `sans.script${width}@yahoo.fr`;
    await fill(page, { username: `sans_script_${width}`, email, password: 'Concours-2026', confirmPassword: 'Concours-2026' });
    await send();
    await page.waitForURL(`/user/dashboard?paiement=${course.id}`);
    await toast(page, 'Inscription réussie !').waitFor();
    await page.getByRole('button', { name: 'Payer 15 000 XAF' }).waitFor();
    await stepScreenshot(page, 'plain-payment');

    // Registering the same account again.
    await page.context().clearCookies();
    await page.goto('/inscription');
    await fill(page, { username: `SANS_SCRIPT_${width}`, email, password: 'Concours-2026', confirmPassword: 'Concours-2026' });
    await send();
    await form().getByText('Cet email est déjà utilisé', { exact: true }).waitFor();
    t.same(await errors(), ["Ce nom d'utilisateur est déjà utilisé", 'Cet email est déjà utilisé']);
  },
  { javaScript, allow: [/status of 4(00|09)/], once: 360 },
);

const isPhone = (page: Page): boolean => (page.viewportSize()?.width ?? 0) < 768;

async function fill(page: Page, values: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(values)) await page.locator(`form:visible [name="${name}"]`).fill(value);
}

for (const width of isLongForm ? [360, 1280] : [360]) {
  t.test(`pay on the provider's own page, ${width} px`, async (t) => {
    // Another host name than the provider's, so that the redirect back is cross-site, as in production.
    const baseURL = site.url.replace('127.0.0.1', 'localhost');
    const page = await newPage(t, { width, baseURL, javaScript });
    const learner = await createLearner(site);
    const course = await createCourse(site);
    await presentSession(page, { url: baseURL }, learner);
    await page.goto(course.trialPath);

    const start = async () => {
      await page.goto('/user/dashboard');
      await page.getByRole('link', { name: `S'inscrire ${course.nom}` }).click();
      await page.waitForURL(`/user/dashboard?paiement=${course.id}`);
      await page.getByRole('button', { name: 'Payer 15 000 XAF' }).click();
      await page.waitForURL(/\/sci\?/);
    };
    await start();
    await stepScreenshot(page, 'plain-checkout');
    await page.getByRole('button', { name: 'Refuser le paiement' }).click();
    await page.getByRole('button', { name: 'Revenir au site' }).click();
    await page.waitForURL(`/user/dashboard/cancel?prepa_id=${course.id}`);
    await page.getByRole('heading', { name: 'Paiement échoué ou annulé' }).waitFor();
    await page.getByRole('link', { name: 'Réessayer le paiement' }).waitFor();
    t.same(await outcomesOf(site, learner), ['failed: 0']);

    await start();
    await page.getByRole('button', { name: 'Approuver le paiement' }).click();
    await page.getByRole('button', { name: 'Revenir au site' }).click();
    await page.waitForURL(`/user/prepaview/${course.id}`);
    await toast(page, 'Paiement réussi ! Votre inscription est confirmée.').waitFor();
    await stepScreenshot(page, 'plain-paid');
    t.same(await outcomesOf(site, learner), ['failed: 0', 'succeeded: 1']);
    t.same(await daysOf(site, learner), [30]);
    await page.goto(course.path);
    await page.getByText('Texte de la leçon Suites.', { exact: true }).waitFor();
  });
}

/** Returns a style sheet as seen by a browser without support for layers and `revert-layer`. */
function withoutLayers(css: string): string {
  let read = '';
  for (let at = 0; at < css.length; ) {
    const layer = css.indexOf('@layer', at);
    if (layer < 0) return (read + css.slice(at)).replaceAll(/[\w-]+:revert-layer;?/g, '');
    read += css.slice(at, layer);
    at = css.slice(layer).search(/[;{]/) + layer;
    for (let depth = css[at] === '{' ? 1 : 0; depth > 0; ) {
      at += 1;
      if (css[at] === '{') depth += 1;
      if (css[at] === '}') depth -= 1;
    }
    at += 1;
  }
  return read.replaceAll(/[\w-]+:revert-layer;?/g, '');
}

t.test('a browser without support for layers shows a plain, readable page', async (t) => {
  const course = await createCourse(site);
  const browser = await openBrowser(t);
  // The changed inline style no longer matches the hash in the page's policy.
  const context = await browser.newContext({ baseURL: site.url, javaScriptEnabled: javaScript, bypassCSP: true });
  t.teardown(() => context.close());
  await context.route(/^[^?]*(?:\.css|\/|\/\d+)$/, async (route) => {
    const response = await route.fetch();
    const text = await response.text();
    const isSheet = route.request().url().endsWith('.css');
    const body = isSheet ? withoutLayers(text) : text.replace(/(?<=<style>)[\s\S]*?(?=<\/style>)/, withoutLayers);
    await route.fulfill({ response, body });
  });
  const page = await context.newPage();
  for (const path of ['/', course.trialPath]) {
    await page.goto(path);
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      const seen = await page.evaluate(() => {
        const { left, right } = document.querySelector('main')?.getBoundingClientRect() ?? { left: 0, right: 0 };
        const icons = [...document.querySelectorAll('svg')].map((icon) => icon.getBoundingClientRect());
        return {
          wide: document.documentElement.scrollWidth > innerWidth,
          margin: Math.min(left, innerWidth - right) >= 16,
          column: right - left <= 45 * 16,
          icons: icons.every((icon) => icon.width <= 24 && icon.height <= 24),
          styled: getComputedStyle(document.querySelector('header') ?? document.body).position !== 'static',
        };
      });
      t.same(seen, { wide: false, margin: true, column: true, icons: true, styled: false }, `${path}, ${width} px`);
      await stepScreenshot(page, `plain-style-${width}`);
    }
  }
});
