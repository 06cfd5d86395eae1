import type { Locator, Page } from 'playwright-core';
import t from 'tap';
import { assertAccessible } from '../support/accessible.ts';
import { newPage, stepScreenshot } from '../support/browser.ts';
import { createAdministrator, createEnrolment, createLearner, type TestLearner } from '../support/factories.ts';
import { createCourse, islandIs, journey, presentAdministrator, presentSession, shareSite, toast } from '../support/journey.ts';
import { isLongForm } from '../support/long-form.ts';
import { lookAt } from '../support/look.ts';

// The bell and its panel, with touch and keyboard, and the page without script.

const site = await shareSite(t);
const look = lookAt(t, site);

/** Creates notifications, newest first; those without `lu` are unread. */
async function tell(learner: TestLearner, ...all: { message: string; lu?: boolean; minutes?: number }[]): Promise<void> {
  await site.rows(
    `insert into notification (user_id, message, lu, date_creation)
     select $1, message, coalesce(lu, false), now() - coalesce(minutes, 0) * interval '1 minute'
     from jsonb_to_recordset($2::jsonb) as n(message text, lu boolean, minutes int)`,
    [learner.id, JSON.stringify(all)],
  );
}
const some = [
  { message: 'Votre inscription à <a href="/user/dashboard"><strong>École normale</strong></a> est confirmée.', minutes: 2 },
  { message: 'Votre paiement pour <strong>ENAM</strong> a échoué.', minutes: 130 },
  { message: '3 nouveaux contenus dans <strong>ENSP</strong>.', lu: true, minutes: 3 * 24 * 60 },
];
const bell = (page: Page) => page.getByRole('link', { name: /^Notifications/ });
/** Returns the text in one line, as a screen reader reads it. */
const said = async (place: Locator) => (await place.innerText()).replaceAll(/\s+/g, ' ');
const panel = (page: Page) => page.getByRole('dialog', { name: 'Notifications' });

journey(t, site, 'the panel: tabs, search, read one, delete one, read all', async (t, page, width) => {
  const learner = await createLearner(site);
  await tell(learner, ...some);
  await presentSession(page, site, learner);
  await page.goto('/user/dashboard');
  t.equal(await said(bell(page)), 'Notifications 2 non lues');
  const keyboard = width >= 768;
  // Uses the keyboard on the desktop and touch on the phone.
  const press = async (name: string, index = 0) => {
    const button = panel(page).getByRole('button', { name, exact: true }).nth(index);
    if (!keyboard) return button.tap();
    await button.focus();
    await page.keyboard.press('Enter');
  };
  if (keyboard) {
    await bell(page).focus();
    await page.keyboard.press('Enter');
  } else await bell(page).tap();
  const dialog = panel(page);
  await dialog.getByRole('tab', { name: 'Toutes (3)' }).waitFor();
  t.equal(await dialog.getByRole('listitem').count(), 3);
  t.same(
    await dialog.locator('time').allInnerTexts(),
    ['Il y a 2 min', 'Il y a 2 h', 'Il y a 3 jours'].map((said, index) => (index === 1 ? expectedHours() : said)),
  );
  await assertAccessible(t, page);
  await stepScreenshot(page, 'notifications-panel');
  const small = await dialog
    .locator('button:visible, a.back:visible')
    .evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().height < 44).map((one) => one.textContent));
  t.same(small, [], 'every target is 44 px high');

  // Arrow keys move between the tabs.
  await dialog.getByRole('tab', { name: 'Toutes (3)' }).focus();
  await page.keyboard.press('ArrowRight');
  await dialog.getByRole('tab', { name: 'Non lues (2)', selected: true }).waitFor();
  t.equal(await dialog.getByRole('listitem').count(), 2);
  await page.keyboard.press('ArrowRight');
  await dialog.getByRole('tab', { name: 'Lues (1)', selected: true }).waitFor();
  t.equal(await dialog.getByRole('listitem').count(), 1);
  await page.keyboard.press('Home');
  const search = dialog.getByLabel('Rechercher dans les messages');
  await search.fill(' ECOLE ');
  t.same(await dialog.locator('.notification__message > span:last-child').allInnerTexts(), [
    'Votre inscription à École normale est confirmée.',
  ]);
  await search.fill('rien de tel');
  await dialog.getByText('Aucune notification ne correspond à votre recherche.', { exact: true }).waitFor();
  await search.fill('');

  await press('Marquer comme lue');
  await toast(page, 'Notification marquée comme lue').waitFor();
  await dialog.getByRole('tab', { name: 'Non lues (1)' }).waitFor();
  t.equal(await said(bell(page).locator('.count')), '1 non lue');

  await press('Supprimer', 1);
  await dialog.getByText('Êtes-vous sûr de vouloir supprimer cette notification ?', { exact: true }).waitFor();
  await stepScreenshot(page, 'notifications-question');
  await press('Annuler');
  t.equal(await page.evaluate(() => document.activeElement?.textContent), 'Supprimer', 'the focus is back at the button');
  t.equal(await dialog.getByRole('listitem').count(), 3);
  await press('Supprimer', 1);
  await press('Supprimer', 1);
  await toast(page, 'Notification supprimée avec succès').waitFor();
  await dialog.getByRole('tab', { name: 'Toutes (2)' }).waitFor();
  t.equal(await bell(page).locator('.count').count(), 0);
  t.equal(await page.evaluate(() => document.activeElement?.getAttribute('role')), 'tabpanel', 'the focus stays in the list');

  await press('Tout marquer comme lu');
  await toast(page, 'Aucune notification non lue').waitFor();
  await tell(learner, { message: 'Encore une.' });
  await press('Actualiser');
  await dialog.getByRole('tab', { name: 'Non lues (1)' }).waitFor();
  t.equal(await said(bell(page).locator('.count')), '1 non lue');
  await press('Tout marquer comme lu');
  await toast(page, 'Toutes les notifications ont été marquées comme lues').waitFor();
  t.same(
    await site.rows('select count(*)::int as left, count(*) filter (where not lu)::int as unread from notification where user_id = $1', [
      learner.id,
    ]),
    [{ left: 3, unread: 0 }],
  );
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  t.ok(await bell(page).evaluate((link) => link === document.activeElement), 'the focus is back at the bell');
});

journey(
  t,
  site,
  'an error is reported and answered, and the learner is notified',
  async (t, page, width) => {
    const [learner, administrator] = [await createLearner(site), await createAdministrator(site)];
    const course = await createCourse(site);
    await createEnrolment(site, learner, course);
    await presentSession(page, site, learner);
    await page.goto(course.path);
    await page.getByText('Options', { exact: true }).click();
    await page.getByRole('link', { name: 'Signaler une erreur' }).click();
    await page.getByRole('heading', { name: 'Signaler une erreur' }).waitFor();
    await page.getByLabel('Une faute dans le texte').check();
    await page.getByLabel('Où ?').fill('Deuxième ligne');
    await page.getByLabel('Votre explication (facultatif)').fill('Il manque un mot.');
    await assertAccessible(t, page);
    await stepScreenshot(page, 'report');
    await page.getByRole('button', { name: 'Envoyer le signalement' }).click();
    await toast(page, 'Merci ! Votre signalement est transmis, et vous serez prévenu de la suite.').waitFor();
    t.equal(new URL(page.url()).pathname, course.path, 'after the report the learner returns to the study page');

    const desk = await newPage(t, { width, baseURL: site.url });
    await presentAdministrator(desk, site, administrator);
    await desk.goto('/admin/signalements');
    const report = desk.getByRole('listitem').filter({ hasText: 'Deuxième ligne' });
    await report.getByText('Il manque un mot.', { exact: true }).waitFor();
    t.match(await report.getByRole('link', { name: 'Suites' }).getAttribute('href'), `/admin/discipline/${course.disciplineId}`);
    await report.getByLabel(/^Réponse au candidat/).fill('Corrigé, merci.');
    await assertAccessible(t, desk);
    await stepScreenshot(desk, 'report-answered');
    await report.getByRole('button', { name: 'Marquer comme traité : Suites' }).click();
    await desk.getByText('Aucun signalement à traiter.', { exact: true }).waitFor();

    await page.goto('/user/dashboard');
    t.equal(await said(bell(page)), 'Notifications 1 non lue');
    await bell(page).click();
    const message = panel(page).getByRole('listitem');
    t.match(await said(message), 'Merci : votre signalement sur Suites a été examiné. Réponse : Corrigé, merci.');
    await message.getByRole('link', { name: 'Suites' }).click();
    await page.getByText('Texte de la leçon Suites.', { exact: true }).waitFor();
  },
  { once: 360 },
);

/** Label of a notification that is 130 minutes old: shortly after midnight it is from yesterday. */
function expectedHours(): string {
  const douala = new Date(Date.now() + 3_600_000);
  return douala.getUTCHours() * 60 + douala.getUTCMinutes() < 130 ? 'Hier' : 'Il y a 2 h';
}

t.test('failed actions show a message, and nothing is lost', async (t) => {
  const page = await site.page(t, { width: 360, allow: [/status of 500/, /status of 401/] });
  const learner = await createLearner(site);
  await tell(learner, ...some);
  await presentSession(page, site, learner);
  await page.goto('/user/dashboard');
  await page.route('**/api/users/notifications', (route) => route.fulfill({ status: 500, json: {} }));
  await bell(page).click();
  const dialog = panel(page);
  await dialog.getByText('Erreur lors du chargement des notifications', { exact: true }).waitFor();
  await page.unroute('**/api/users/notifications');
  await dialog.getByRole('button', { name: 'Réessayer' }).click();
  await dialog.getByRole('tab', { name: 'Toutes (3)' }).waitFor();
  await page.route('**/api/users/notifications/**', (route) => route.fulfill({ status: 500, json: {} }));
  await dialog.getByRole('button', { name: 'Marquer comme lue' }).first().click();
  await toast(page, 'Erreur lors de la mise à jour de la notification').waitFor();
  await dialog.getByRole('button', { name: 'Tout marquer comme lu' }).click();
  await toast(page, 'Erreur lors de la mise à jour des notifications').waitFor();
  await dialog.getByRole('button', { name: 'Supprimer' }).first().click();
  await dialog.getByRole('button', { name: 'Supprimer' }).first().click();
  await toast(page, 'Erreur lors de la suppression de la notification').waitFor();
  t.equal(await dialog.getByRole('listitem').count(), 3);
  // The sign-in page of a Wi-Fi network responds instead of the site.
  await page.route('**/api/users/notifications/**', (route) => route.fulfill({ contentType: 'text/html', body: '<h1>Wi-Fi</h1>' }));
  await page.locator('#toasts').evaluate((stack) => stack.replaceChildren());
  await dialog.getByRole('button', { name: 'Tout marquer comme lu' }).click();
  await toast(page, 'Erreur lors de la mise à jour des notifications').waitFor();
  await page.unroute('**/api/users/notifications/**');

  // A list that was read before a change arrives after the change.
  let answerList = (): void => {};
  const held = new Promise<void>((resolve) => {
    answerList = resolve;
  });
  await page.route(
    '**/api/users/notifications',
    async (route) => {
      const response = await route.fetch();
      await held;
      await route.fulfill({ response }).catch(() => {});
    },
    { times: 1 },
  );
  await dialog.getByRole('button', { name: 'Actualiser' }).click();
  await dialog.getByRole('button', { name: 'Marquer comme lue' }).first().click();
  await toast(page, 'Notification marquée comme lue').waitFor();
  answerList();
  await dialog.getByRole('button', { name: 'Actualiser' }).and(page.locator('[aria-busy="false"]')).waitFor();
  t.equal(await dialog.getByRole('tab', { name: 'Non lues (1)' }).count(), 1);

  // Meanwhile the learner has signed out elsewhere.
  await page.context().clearCookies();
  await dialog.getByRole('button', { name: 'Actualiser' }).click();
  await page.waitForURL(/\/login\?suite=%2Fuser%2Fdashboard$/);
});

t.test('when the script of the panel fails to load, the bell leads to the page', async (t) => {
  const page = await site.page(t, { width: 360, allow: [/ERR_FAILED/, /Failed to fetch dynamically imported module/] });
  await presentSession(page, site, await createLearner(site));
  await page.route(/\/assets\/Notifications-[^/]*\.js/, (route) => route.abort());
  await page.goto('/user/dashboard');
  await bell(page).click();
  await islandIs(page, 'notifications', 'failed');
  t.notOk(await panel(page).getByText('Chargement...').isVisible(), 'no loading state is shown');
  await panel(page).getByText('Erreur lors du chargement des notifications', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await bell(page).click();
  await page.waitForURL('/user/notifications');
  await page.getByText('Aucune notification', { exact: true }).waitFor();
});

t.test('the badge asks every five minutes, only while the page is seen, and the open panel reads its list', async (t) => {
  const page = await newPage(t, { width: 1280, baseURL: site.url });
  const learner = await createLearner(site);
  await presentSession(page, site, learner);
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/users/notifications')) asked.push(pathname.replace('/api/users/notifications', '') || 'list');
  });
  await page.clock.install();
  await page.goto('/user/dashboard');
  /** Simulates that another tab is in front, or this one again. */
  const show = (hidden: boolean) =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'hidden', { value, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, hidden);
  const minutes = (count: number) => page.clock.runFor(count * 60_000);
  // The bell's script has loaded: it has stored the count from the page.
  await page.waitForFunction(() => localStorage.getItem('unread') !== null);
  t.same(asked, [], 'the page contains the count, so no request is sent');
  await tell(learner, { message: 'Une nouvelle.' });
  await minutes(4.9);
  t.same(asked, []);
  await minutes(0.2);
  await page.locator('.bell .count').waitFor();
  t.same(asked, ['/unread']);
  await minutes(5);
  t.same(asked, ['/unread', '/unread']);
  await show(true);
  await minutes(60);
  t.same(asked.length, 2, 'a hidden page sends no request');
  await show(false);
  await minutes(0.1);
  t.same(asked.length, 3, 'the page sends one request when it is shown again');
  await show(true);
  await minutes(1);
  await show(false);
  await minutes(1);
  t.same(asked.length, 3, 'no request before five minutes have passed');
  await bell(page).click();
  await islandIs(page, 'notifications', 'ready');
  await panel(page).getByRole('tab', { name: 'Toutes (1)' }).waitFor();
  t.same(asked.splice(3), ['list']);
  await tell(learner, { message: 'Une autre.' });
  // Advances the clock in small steps, because a jump would abort the request before its response.
  for (let step = 0; step < 20 && asked.length === 3; step += 1) await minutes(0.25);
  await panel(page).getByRole('tab', { name: 'Toutes (2)' }).waitFor();
  t.same(asked.splice(3), ['list']);
});

t.test('the study page loads without the count, and requests it when it is visible and idle', async (t) => {
  const course = await createCourse(site);
  const learner = await createLearner(site);
  await createEnrolment(site, learner, course);
  await tell(learner, ...some);
  for (const hidden of [false, true]) {
    const page = await newPage(t, { width: 360, baseURL: site.url });
    await presentSession(page, site, learner);
    let asked = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/api/users/notifications/unread')) asked += 1;
    });
    if (hidden) await page.addInitScript(() => Object.defineProperty(document, 'hidden', { value: true, configurable: true }));
    const answer = await page.goto(course.path);
    t.notMatch(await answer?.text(), 'class="count"', 'the HTML of the page contains no count');
    if (hidden) {
      // After this, all idle callbacks have run.
      await page.evaluate(() => new Promise((done) => requestIdleCallback(() => requestIdleCallback(() => setTimeout(done)))));
      t.equal(asked, 0, 'a hidden page sends no request');
      await page.evaluate(() => {
        Object.defineProperty(document, 'hidden', { value: false, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      });
    }
    await bell(page).locator('.count').waitFor();
    t.equal(await said(bell(page)), 'Notifications 2 non lues');
    t.equal(asked, 1);
    if (hidden && !isLongForm) continue;
    const again = await page.context().newPage();
    let askedAgain = 0;
    again.on('request', (request) => {
      if (request.url().endsWith('/api/users/notifications/unread')) askedAgain += 1;
    });
    await again.goto(course.path);
    await bell(again).locator('.count').waitFor();
    await again.evaluate(() => new Promise((done) => requestIdleCallback(() => requestIdleCallback(() => setTimeout(done)))));
    t.equal(askedAgain, 0, 'within five minutes the stored count is shown without a request');
  }
});

const reader = await createLearner(site);
await tell(reader, ...some);
look('notifications', { as: reader }, (page) => page.goto('/user/notifications'));
look('notifications, none', { as: await createLearner(site) }, (page) => page.goto('/user/notifications'));
look('notifications, deleting one', { as: reader }, async (page) => {
  await page.goto('/user/notifications');
  const answer = page.waitForResponse((response) => response.url().includes('/supprimer'));
  await page.getByRole('link', { name: 'Supprimer' }).first().click();
  return answer;
});
const messages = (count: number) => Array.from({ length: count }, (_, index) => ({ message: `Message ${index + 1}`, minutes: index }));
const busy = await createLearner(site);
await tell(busy, ...messages(12));
const course = await createCourse(site);
await createEnrolment(site, busy, course);
// The study page does not include the panel's style sheet, so the panel loads it.
look('notifications, panel', { as: busy }, async (page) => {
  await page.goto(course.path);
  await bell(page).click();
  await panel(page).getByRole('tab', { name: 'Toutes (12)' }).waitFor();
  return null;
});

const crowded = await createLearner(site);
await tell(crowded, ...messages(120));
t.test("the list is at most 60 % of the window's height", async (t) => {
  const page = await site.page(t, { width: 360 });
  await presentSession(page, site, crowded);
  await page.goto('/user/dashboard');
  t.equal(await said(bell(page).locator('.count')), '99+ non lues');
  await bell(page).click();
  await panel(page).getByRole('tab', { name: 'Toutes (120)' }).waitFor();
  const height = await panel(page)
    .locator('[role="tabpanel"]:visible')
    .evaluate((list) => list.getBoundingClientRect().height / innerHeight);
  t.ok(height > 0.55 && height <= 0.6, `${height} of the window`);
  t.ok(await panel(page).evaluate((dialog) => dialog.scrollHeight < innerHeight * 1.3), 'the panel does not scroll beyond it');
});
