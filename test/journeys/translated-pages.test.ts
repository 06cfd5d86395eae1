// Slow: every island in a browser, for each way in which a page is translated.
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { newPage, stepScreenshot } from '../support/browser.ts';
import { createAdministrator, createDiscipline, createItem, createLearner, createPrepa } from '../support/factories.ts';
import {
  choose,
  createCourse,
  islandIs,
  openSite,
  paymentDialog,
  presentAdministrator,
  presentSession,
  registerAccount,
  toast,
  until,
} from '../support/journey.ts';
import { isLongForm } from '../support/long-form.ts';
import { type Translator, translate, translatePages } from '../support/translator.ts';

// Pages translated by the browser, which Chrome offers to learners who read English. Input, open dialogs, choices and focus from before an
// island's script has loaded are kept, the first tap counts, and later changes are shown.

type Island = Parameters<typeof islandIs>[1];

const site = await openSite(t);
const translators: Translator[] = [
  { begins: 'before', goesOn: true },
  { begins: 'during', goesOn: false },
  { begins: 'after', goesOn: true },
  { begins: 'before', goesOn: true, inPlace: true },
  ...(isLongForm
    ? ([
        { begins: 'before', goesOn: false },
        { begins: 'during', goesOn: true },
        { begins: 'after', goesOn: false },
      ] as const)
    : []),
];

/** The script without which no island hydrates. */
const react = /\/assets\/react-[^/]*\.js/;

/** Opens a page, runs `first` before the islands have their scripts, and continues when this island is ready. */
type Arrive = (path: string, island: Island, first: () => Promise<void>) => Promise<void>;

function whenTranslated(name: string, walk: (t: Test, page: Page, arrive: Arrive, number: number) => Promise<void>): void {
  for (const [number, translator] of translators.entries()) {
    const { begins, goesOn, inPlace } = translator;
    t.test(`${name}, translated ${begins} hydration${goesOn ? ' and on' : ''}${inPlace ? ', in place' : ''}`, async (t) => {
      // React reports that it renders everything again because a text differs.
      const page = await newPage(t, { width: 360, baseURL: site.url, allow: inPlace ? [/Minified React error #418/] : [] });
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await translatePages(page, translator);
      const arrive: Arrive = async (path, island, first) => {
        const held = Promise.withResolvers<void>();
        await page.route(react, async (route) => {
          await held.promise;
          await route.continue();
        });
        await page.goto(path, { waitUntil: 'domcontentloaded' });
        await first();
        await translate(page, translator, 'during');
        held.resolve();
        await islandIs(page, island, 'ready');
        await page.unroute(react);
        await translate(page, translator, 'after');
        t.same(await textsBesideElements(page), [], `no text of ${island} is a sibling of an element`);
      };
      await walk(t, page, arrive, number);
    });
  }
}

/** Returns texts that React could not move or remove after a translation replaced them; those in slots do not belong to React. */
const textsBesideElements = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = [];
    for (const island of document.querySelectorAll('[data-island]')) {
      const texts = document.createTreeWalker(island, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const parent = texts.currentNode.parentElement;
        if (parent && parent.childNodes.length > 1 && !parent.closest('[data-slot], font, .prose, .ProseMirror'))
          found.push(parent.outerHTML.slice(0, 120));
      }
    }
    return found;
  });

const focused = (page: Page) =>
  page.evaluate(() => {
    const { id, selectionStart } = document.activeElement as HTMLInputElement;
    return { id, selectionStart };
  });

whenTranslated('sign-in and registration', async (t, page, arrive, number) => {
  const account = await registerAccount(site);
  const email = page.locator('#connexion-email');
  const password = page.locator('#connexion-password');
  await arrive('/login', 'auth', async () => {
    await password.fill('abc');
    await email.pressSequentially(account.email);
  });
  t.equal(await email.inputValue(), account.email, 'the typed text stays');
  t.equal(await password.inputValue(), 'abc');
  t.equal((await focused(page)).id, 'connexion-email', 'the focus stays');
  await page.getByRole('button', { name: 'Afficher' }).tap();
  await page.getByRole('button', { name: 'Masquer' }).waitFor();
  await password.fill('');
  const send = page.getByRole('button', { name: 'Se connecter' });
  await send.tap();
  await page.getByText('Le mot de passe est requis').waitFor();
  await password.fill(account.password);
  await page.getByText('Le mot de passe est requis').waitFor({ state: 'detached' });
  await send.tap();
  await page.waitForURL('/user/dashboard');
  await page.context().clearCookies();

  const username = page.locator('#inscription-username');
  await arrive('/inscription', 'auth', async () => {
    await page.getByRole('button', { name: 'Afficher : Mot de passe' }).first().tap();
    await username.pressSequentially(`traduit_${number}`);
    await username.evaluate((input: HTMLInputElement) => input.setSelectionRange(2, 2));
  });
  t.equal(await username.inputValue(), `traduit_${number}`);
  t.same(await focused(page), { id: 'inscription-username', selectionStart: 2 }, 'the caret stays');
  t.equal(await page.locator('#inscription-password').getAttribute('type'), 'text', 'the first tap counts');
  await page.locator('#inscription-password').fill('Concours-2026');
  await page.getByText('Un chiffre : respecté').waitFor();
  await page.getByRole('button', { name: "S'inscrire" }).tap();
  await page.getByText("L'email est requis").waitFor();

  // The landing page's dialogs.
  const dialog = (name: string) => page.getByRole('dialog', { name });
  await arrive('/', 'auth', async () => {
    await page.locator('.topbar').getByRole('link', { name: 'Connexion' }).tap();
    await dialog('Connexion').waitFor();
    await email.pressSequentially('deja@gm');
  });
  t.ok(await dialog('Connexion').isVisible(), 'the first tap on Connexion counts');
  t.equal(await email.inputValue(), 'deja@gm');
  t.equal((await focused(page)).id, 'connexion-email');
  await dialog('Connexion').getByRole('link', { name: "S'inscrire" }).tap();
  await dialog('Inscription').getByRole('button', { name: "S'inscrire" }).tap();
  await page.getByText("L'email est requis").waitFor();
  await stepScreenshot(page, `translated-${number}`);
});

whenTranslated('a learner', async (t, page, arrive) => {
  const learner = await createLearner(site);
  // Unpublishing the others puts the new course on the first page of the dashboard's list.
  await site.rows('update prepa set is_published = false');
  const course = await createCourse(site);
  await site.rows('insert into notification (user_id, message, date_creation) values ($1, $2, now())', [learner.id, 'Bonjour']);
  await presentSession(page, site, learner);

  const panel = page.getByRole('dialog', { name: 'Notifications' });
  await arrive('/user/dashboard', 'notifications', () => page.getByRole('link', { name: 'Notifications' }).first().tap());
  t.ok(await panel.isVisible(), 'the first tap on the bell counts');
  await panel.getByRole('tab', { name: 'Non lues (1)' }).tap();
  await panel.getByRole('button', { name: 'Tout marquer comme lu' }).tap();
  await panel.getByRole('tab', { name: 'Non lues (0)' }).waitFor();
  await panel.getByRole('searchbox').fill('rien de tel');

  const dialog = paymentDialog(page);
  const enrol = page.getByRole('link', { name: `S'inscrire ${course.nom}` });
  await arrive('/user/dashboard', 'payment', async () => {
    await enrol.first().tap();
    await dialog.waitFor();
  });
  t.ok(await dialog.isVisible(), "the first tap on S'inscrire counts");
  await dialog.getByText('15 000 XAF').first().waitFor();
  await dialog.getByRole('button', { name: 'Payer 15 000 XAF' }).tap();
  await choose(page, 'Approuver');
  await dialog.getByText('Paiement réussi !').waitFor();

  const search = page.getByRole('searchbox');
  const exercises = page.locator('.toc').nth(1);
  await arrive(course.path, 'study', async () => {
    await page.locator('.study__toggle summary').tap();
    await exercises.locator('summary').tap();
    await search.pressSequentially('limi');
  });
  t.equal(await search.inputValue(), 'limi');
  t.ok(await search.evaluate((input) => input === document.activeElement), 'the focus stays');
  t.ok(await exercises.evaluate((details: HTMLDetailsElement) => details.open), 'the opened section stays open');
  await page.locator('.study__toggle summary').tap();
  await page.getByRole('link', { name: 'Suivant' }).tap();
  await page.getByText('Texte de la leçon Limites.').waitFor();
  await page.getByRole('button', { name: "J'ai terminé" }).tap();
  await page.getByRole('status').getByText('Terminé').waitFor();
  await page.getByRole('link', { name: 'Suivant' }).tap();
  await page.getByText('Texte de la leçon Intégrales.').waitFor();
  await page.locator('.study__toggle summary').tap();
  const count = page.getByText(/[12] sur 6 terminés/i);
  await count.first().waitFor();
});

whenTranslated('an administrator', async (t, page, arrive, number) => {
  const email = page.locator('#admin-email');
  await arrive('/admin/inscription', 'admin-auth', async () => {
    await page.locator('#admin-role').selectOption('super_admin');
    await email.pressSequentially('chef@prepa');
  });
  t.equal(await email.inputValue(), 'chef@prepa');
  t.equal(await page.locator('#admin-role').inputValue(), 'super_admin', 'the choice stays');
  t.equal((await focused(page)).id, 'admin-email');
  await page.getByRole('button', { name: "S'inscrire" }).tap();
  await page.locator('.field__error').first().waitFor();
  await arrive('/admin/connexion', 'admin-auth', () => email.pressSequentially('chef'));
  t.equal(await email.inputValue(), 'chef');
  t.equal((await focused(page)).id, 'admin-email');

  await presentAdministrator(page, site, await createAdministrator(site));
  const nom = `Traduite ${number}`;
  const { id } = await createPrepa(site, { nom, isPublished: false });
  const button = (name: string) => page.getByRole('button', { name });
  await arrive('/admin/dashboard', 'admin-catalogue', () => button('Nouvelle préparation').tap());
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await page.getByLabel('Nom').fill('EN');
  await page.keyboard.press('Tab');
  await dialog.locator('.field__error').first().waitFor();
  await dialog.getByRole('button', { name: 'Annuler' }).tap();
  await dialog.waitFor({ state: 'detached' });
  await button(nom).first().tap();
  await button(`Publier ${nom}`).tap();
  const published = toast(page, /publiée/i);
  await published.first().waitFor();
  await button(`Modifier ${nom}`).tap();
  await dialog.getByLabel('Nom').fill(`${nom} bis`);
  await dialog.getByRole('button', { name: 'Mettre à jour' }).tap();
  await button(`Modifier ${nom} bis`).waitFor();

  const discipline = await createDiscipline(site, id);
  const item = await createItem(site, discipline.id, { titre: 'Suites', contenu: '<p>Texte écrit en français.</p>' });
  await createItem(site, discipline.id, { kind: 'exercise', titre: 'Exercice A' });
  const tab = (name: string) => page.getByRole('tab', { name });
  await arrive(`/admin/discipline/${discipline.id}`, 'admin-content', () => tab('Exercices').tap());
  t.equal(await tab('Exercices').getAttribute('aria-selected'), 'true', 'the first tap on a tab counts');
  await tab('Leçons').tap();
  await button('Leçon 1 Suites').tap();
  const editor = page.locator('.ProseMirror:visible');
  await editor.getByText('Texte écrit en français.', { exact: true }).waitFor();
  await page.getByLabel('Titre').filter({ visible: true }).fill('Suites réelles');
  await editor.pressSequentially('Et. ');
  await button('Enregistrer').filter({ visible: true }).tap();
  const stored = () => site.rows<{ titre: string; contenu: string }>('select titre, contenu from item where id = $1', [item.id]);
  await until(async () => (await stored())[0]?.titre === 'Suites réelles');
  t.match((await stored())[0]?.contenu, /Texte écrit en français\./, 'no translation is saved');
});

t.test('an island whose elements an extension has moved keeps its form and the typed text', async (t) => {
  const page = await newPage(t, { width: 360, baseURL: site.url, allow: [/island auth NotFoundError/] });
  await page.goto('/login');
  await page.getByLabel('Email').fill('moi@gmail.com');
  await islandIs(page, 'auth', 'ready');
  await page.getByRole('button', { name: 'Se connecter' }).tap();
  await page.locator('#connexion-password-error').evaluate((element) => {
    const moved = document.createElement('div');
    element.replaceWith(moved);
    moved.append(element);
  });
  const password = page.getByLabel('Mot de passe', { exact: true });
  await password.pressSequentially('C');
  await islandIs(page, 'auth', 'failed');
  t.equal(await page.getByLabel('Email').inputValue(), 'moi@gmail.com');
  t.equal(await password.inputValue(), 'C');
  await page.getByRole('button', { name: 'Se connecter' }).waitFor();
});
