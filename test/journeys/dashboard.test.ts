import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { dayMs, formatDate } from '../../src/shared/dates.ts';
import { assertAccessible } from '../support/accessible.ts';
import { allowErrors, stepScreenshot } from '../support/browser.ts';
import { createDiscipline, createEnrolment, createItem, createLearner, createPrepa } from '../support/factories.ts';
import { journey, openPaymentDialog, openSite, presentSession } from '../support/journey.ts';
import { assertNoOverflow } from '../support/page-checks.ts';

// The dashboard: current activity, drawers and live search, and covers that fail to load.

const site = await openSite(t);
const [student, reader] = [await createLearner(site), await createLearner(site)];
const broken = 'f'.repeat(64);
const bought = await createPrepa(site, { nom: 'École des postes', description: 'Tri et logistique.', image: broken });
for (const learner of [student, reader]) await createEnrolment(site, learner, bought, 12);
const discipline = await createDiscipline(site, bought.id);
const lesson = await createItem(site, discipline.id, { titre: 'Affranchir un pli', contenu: '<p>Le port se paie au départ.</p>' });
await createItem(site, discipline.id, { numeroPage: 2 });
await site.rows('insert into item_reading (user_id, item_id, read_at) values ($1, $2, $3)', [reader.id, lesson.id, site.clock.now()]);
for (let number = 1; number <= 11; number += 1) {
  const prepa = await createPrepa(site, { nom: `Concours ${number}` });
  if (number === 1) await createEnrolment(site, reader, prepa, 20);
}

const open = async (t: Test, width: number, javaScript = true) => {
  const page = await site.page(t, { width, javaScript, allow: [/status of 404/] });
  await presentSession(page, site, student);
  // Scripts that only this page needs are loaded after it.
  await page.goto('/user/dashboard', { waitUntil: javaScript ? 'networkidle' : 'load' });
  return page;
};
const shown = (page: Page) => page.locator('.catalogue li.card:visible h3').allInnerTexts();
const pages = (page: Page) => page.locator('.pagination a:visible').allInnerTexts();
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent?.trim());
const concours = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => `Concours ${from + index}`);

journey(
  t,
  site,
  'the current activity comes first',
  async (t, page, width) => {
    allowErrors(page, /status of 404/);
    await presentSession(page, site, reader);
    await page.goto('/');
    const bar = await page.locator('.topbar').boundingBox();
    t.ok(bar && bar.height < 66, 'the header is one line');
    await page.getByRole('navigation', { name: 'Mon espace' }).getByRole('link', { name: "Aujourd'hui" }).click();
    await page.waitForURL('/user/dashboard');
    const current = page.getByRole('region', { name: 'École des postes' });
    t.match(await current.innerText(), /Affranchir un pli\s+12 jours restants, jusqu'au .+\s+0 sur 2 terminés/);
    const resume = current.getByRole('link', { name: 'Reprendre : Affranchir un pli' });
    t.ok(Number((await resume.boundingBox())?.y) < 400, 'the link to resume is on the first screen');
    const others = page.locator('.enrolled');
    t.equal(await others.isVisible(), width < 992, 'further enrolments are in their column, or before the catalogue');
    if (width < 992) {
      await page.setViewportSize({ width: 992, height: 740 });
      t.notOk(await others.isVisible());
      await page.setViewportSize({ width, height: 740 });
      t.match(await others.innerText(), /^Concours 1\s+20 jours restants\s+Continuer\s+Concours 1$/);
    }
    await resume.click();
    await page.getByRole('heading', { name: 'Affranchir un pli' }).waitFor();

    await page.goto('/user/dashboard');
    await page.locator('.menu__button').click();
    await page.getByRole('link', { name: 'Rechercher dans mes contenus' }).click();
    await page.getByLabel('Dans mes préparations').fill('départ');
    await page.getByRole('button', { name: 'Rechercher' }).click();
    await page.getByRole('link', { name: 'Affranchir un pli' }).waitFor();
    await page.goBack();
    await page.goBack();
    await page.locator('.menu__button').click();
    await page.getByRole('link', { name: 'Voir les préparations' }).click();
    await page.waitForURL('/user/preparations');

    // A renewal extends the remaining days; a new enrolment begins today.
    const until = (days: number) => `30 jours, jusqu'au ${formatDate(new Date(Date.now() + days * dayMs))}`;
    for (const [link, days] of [
      ['Renouveler École des postes', 42],
      ["S'inscrire Concours 2", 30],
    ] as const) {
      const dialog = await openPaymentDialog(page, link);
      await dialog.getByText(until(days), { exact: true }).waitFor();
      // The details stay open for the next prepa.
      const terms = dialog.getByText('Un seul paiement, sans renouvellement automatique.');
      if (!(await terms.isVisible())) await dialog.getByText('Contenu et conditions').click();
      await terms.waitFor();
      await dialog.getByRole('button', { name: 'Payer 15 000 XAF' }).waitFor();
      await dialog.getByText(until(days), { exact: true }).waitFor();
      await stepScreenshot(page, 'before-paying');
      await dialog.getByRole('link', { name: 'Fermer' }).click();
    }

    // The two pages with a prepa's disciplines have different titles and link to each other.
    await page.goto(`/user/prepaview/${bought.id}`);
    t.equal(await page.title(), 'Mes préparations en cours : École des postes | PrépaConcours');
    await page.getByRole('heading', { name: 'Disciplines : École des postes' }).waitFor();
    await page.getByRole('link', { name: 'Continuer École des postes' }).click();
    await page.getByRole('heading', { name: 'École des postes', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Mes préparations en cours' }).click();
    await page.waitForURL(`/user/prepaview/${bought.id}`);
  },
  { once: 360 },
);

t.test('drawers by touch and keyboard, 360 px', async (t) => {
  const page = await open(t, 360);
  const [mine, dates] = ['Mes préparations', 'Dates de validité'].map((name) => ({
    button: page.getByRole('link', { name, exact: true }),
    drawer: page.getByRole('dialog', { name }),
    heading: page.getByRole('heading', { name }),
  }));
  if (!mine || !dates) throw new Error('no drawers');
  t.notOk(await page.getByRole('link', { name: 'Voir les dates de École des postes' }).isVisible());

  await mine.button.tap();
  await mine.drawer.getByText('12 jours restants').waitFor();
  t.equal(await focused(page), 'Mes préparations', 'the drawer has the focus');
  await stepScreenshot(page, 'drawer');
  await page.touchscreen.tap(350, 400);
  await mine.drawer.waitFor({ state: 'detached' });
  t.equal(await focused(page), 'Mes préparations', 'a touch on the overlay returns the focus to the button');
  t.ok(await mine.button.evaluate((link) => link === document.activeElement));

  for (let press = 0; press < 2; press += 1) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await dates.drawer.getByText('Sélectionnez une préparation pour voir ses dates de validité').waitFor();
  await page.keyboard.press('Escape');
  await dates.drawer.waitFor({ state: 'detached' });
  t.ok(await dates.button.evaluate((link) => link === document.activeElement));

  // Opens the dates of a subscription.
  await mine.button.tap();
  await mine.drawer.getByRole('link', { name: 'Voir les dates de École des postes' }).tap();
  await dates.drawer.getByText('Jours restants', { exact: true }).waitFor();
  t.notOk(await dates.drawer.getByText('Sélectionnez une préparation').isVisible());
  t.equal(await focused(page), 'École des postes');
  await dates.drawer.getByRole('button', { name: 'Fermer' }).tap();
  await dates.drawer.waitFor({ state: 'detached' });

  // After enlarging the window, the drawers become columns again.
  await mine.button.tap();
  await mine.drawer.waitFor();
  await page.setViewportSize({ width: 992, height: 740 });
  await mine.drawer.waitFor({ state: 'detached' });
  t.ok(await page.getByRole('link', { name: 'Voir les dates de École des postes' }).isVisible());

  // On a phone the list of enrolled prepas beside the disciplines is a drawer too.
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`/user/prepaview/${bought.id}`, { waitUntil: 'networkidle' });
  t.notOk(await page.getByText('12 jours restants').isVisible());
  await page.getByRole('link', { name: 'Préparations en cours', exact: true }).tap();
  await page.getByRole('dialog', { name: 'Préparations en cours' }).getByText('12 jours restants').waitFor();
});

t.test('five cards a page on a phone, searched while typing', async (t) => {
  const page = await open(t, 360);
  t.same(await shown(page), concours(1, 5), 'the prepa that is open already comes last');
  t.same(await pages(page), ['1', '2', '3']);
  await page.getByRole('link', { name: 'Page 2' }).tap();
  t.same(await shown(page), concours(6, 10));
  await page.reload({ waitUntil: 'networkidle' });
  t.same(await shown(page), concours(6, 10), 'a reload shows the same list page');
  await page.getByRole('link', { name: 'Page 3' }).tap();
  t.same(await shown(page), ['Concours 11', 'École des postes']);
  t.equal(await focused(page), 'Préparations disponibles', 'the heading above the cards has the focus');
  t.match(page.url(), /\?page=2$/, 'the address has the page number of the server');
  await page.reload({ waitUntil: 'networkidle' });
  t.same(await shown(page), ['Concours 11', 'École des postes']);

  const requests: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() !== 'image') requests.push(request.url());
  });
  const search = page.getByLabel('Rechercher une préparation');
  await search.fill(' ECOLE');
  t.same(await shown(page), ['École des postes']);
  await page.getByText('1 préparation trouvée').waitFor();
  await search.fill('logistique');
  t.same(await shown(page), ['École des postes']);
  await search.fill('rien de tel');
  await page.getByText('Aucune préparation ne correspond à votre recherche.', { exact: true }).waitFor();
  t.same([await shown(page), await pages(page)], [[], []]);
  await page.getByRole('link', { name: 'Voir toutes les préparations' }).tap();
  t.equal((await shown(page)).length, 5);
  await search.fill('concours 1');
  await search.press('Enter');
  t.same(await shown(page), ['Concours 1', 'Concours 10', 'Concours 11']);
  t.match(page.url(), /\?q=concours\+1$/);
  t.same(requests, [], 'the search sends no request');
  await page.setViewportSize({ width: 992, height: 740 });
  await search.fill('');
  t.equal((await shown(page)).length, 10);
});

t.test('Back shows the dashboard as it is now, loaded once', async (t) => {
  const page = await open(t, 360);
  await page.goto(`/user/prepaview/${bought.id}`);
  const prolong = (days: number) =>
    site.rows(`update enrolment set date_expiration = date_expiration + $2 * interval '1 day' where user_id = $1`, [student.id, days]);
  await prolong(5);
  let loads = 0;
  page.on('load', () => {
    loads += 1;
  });
  await page.goBack({ waitUntil: 'networkidle' });
  await page.getByText('17 jours restants').first().waitFor({ state: 'attached' });
  t.ok(loads <= 2, `${loads} loads`);
  await prolong(-5);
});

t.test('a cover that cannot be loaded shows its initials', async (t) => {
  const page = await open(t, 1280);
  await page.getByRole('link', { name: 'Page 2' }).click();
  const cover = page.locator('.catalogue li', { hasText: 'École des postes' }).locator('.cover');
  await cover.scrollIntoViewIfNeeded();
  await cover.locator('img').waitFor({ state: 'detached' });
  t.equal(await cover.innerText(), 'ÉD');
});

t.test('without JavaScript everything is in the page', async (t) => {
  const page = await open(t, 360, false);
  t.ok(await page.getByRole('link', { name: 'Voir les dates de École des postes' }).isVisible());
  t.notOk(await page.locator('.enrolled').isVisible(), 'the list that the drawer shows is hidden');
  await page.getByRole('link', { name: 'Dates de validité', exact: true }).click();
  await page.waitForURL(/#dates$/);
  t.ok(await page.getByText('Sélectionnez une préparation pour voir ses dates de validité').isVisible());
  t.same(await shown(page), concours(1, 5), 'as many prepas as with JavaScript, so that the script causes no layout shift');
  t.same(await pages(page), ['1', '2', '3']);
  await page.getByRole('link', { name: 'Page 2' }).click();
  await page.waitForURL(/\?moitie=2$/);
  t.same(await shown(page), concours(6, 10));
  await page.setViewportSize({ width: 992, height: 740 });
  t.same([await shown(page), await pages(page)], [concours(1, 10), ['1', '2']]);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByLabel('Rechercher une préparation').fill('ecole');
  await page.getByRole('button', { name: 'Rechercher' }).click();
  await page.waitForURL(/\?q=ecole$/);
  t.same(await shown(page), ['École des postes']);
});

const counting = await site.startServer({ LANDING_FIGURES: 'database' });
journey(
  t,
  counting,
  "the landing page's figures, counted",
  async (t, page) => {
    await page.goto('/');
    const figures = page.locator('.stats > div');
    const [found] = await site.rows<{ prepas: number; items: number; learners: number }>(
      `select (select count(*)::int from prepa) as prepas, (select count(*)::int from item) as items,
            (select count(distinct user_id)::int from enrolment) as learners`,
    );
    t.same(
      (await figures.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim()).sort(),
      [
        `préparations ${found?.prepas}`,
        `leçons et exercices ${found?.items}`,
        'ancien sujet 0',
        `candidats inscrits ${found?.learners}`,
      ].sort(),
    );
    await assertNoOverflow(t, page);
    await assertAccessible(t, page, { within: '.stats' });
    await stepScreenshot(page, 'landing-counted');
  },
  { allow: [/status of 404/], once: 360 },
);
