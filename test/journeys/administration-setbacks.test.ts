import type { Locator, Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { stepScreenshot } from '../support/browser.ts';
import {
  createAdministrator,
  createDiscipline,
  createEnrolment,
  createLearner,
  createPayment,
  createPrepa,
  type TestAdministrator,
} from '../support/factories.ts';
import { islandIs, presentAdministrator, shareSite, toast } from '../support/journey.ts';
import { isLongForm } from '../support/long-form.ts';
import { assertNoOverflow } from '../support/page-checks.ts';

// Concurrent edits by two administrators, failed requests, ended sessions, deleted rows: typed text is kept, and a message says what to do.

const site = await shareSite(t);
const first = await createAdministrator(site);
const second = await createAdministrator(site);

const field = (form: Locator, label: string) => form.getByLabel(label, { exact: true });
const button = (place: Page | Locator, name: string) => place.getByRole('button', { name, exact: true });
const text = (place: Page | Locator, words: string) => place.getByText(words, { exact: true });
const heading = (place: Page | Locator, name: string) => place.getByRole('heading', { name, exact: true });
const hasFocus = (element: Locator) => element.evaluate((element) => element === document.activeElement);

async function fill(form: Locator, values: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(values)) await field(form, label).fill(value);
}

/** Opens the screen in a separate browser context, optionally with a prepa selected. */
async function screen(t: Test, { token }: { token: string }, prepa?: { id: number }, allow: RegExp[] = [], width = 1280): Promise<Page> {
  const page = await site.page(t, { width, allow });
  await presentAdministrator(page, site, { token });
  await page.goto(`/admin/dashboard${prepa ? `?prepa=${prepa.id}` : ''}`);
  await islandIs(page, 'admin-catalogue', 'ready');
  return page;
}

async function edit(page: Page, nom: string, title = 'Modifier la préparation'): Promise<Locator> {
  await button(page, `Modifier ${nom}`).click();
  return page.getByRole('dialog', { name: title, exact: true });
}

const confirmation = (page: Page) => page.getByRole('dialog', { name: 'Confirmer la suppression', exact: true });
const stored = async (id: number) => (await site.rows('select nom, description, prix from prepa where id = $1', [id]))[0];

t.test('two administrators edit the same prepa: the second gets a message, loses nothing, and decides', async (t) => {
  const prepa = await createPrepa(site, { nom: 'ENAM', description: 'Avant.', prix: 5000 });
  const a = await screen(t, first, prepa, [/status of 409/], 360);
  const b = await screen(t, second, prepa);
  const mine = await edit(a, 'ENAM');
  await fill(mine, { Nom: 'ENAM cycle A', Description: 'La mienne, longuement écrite.' });

  const theirs = await edit(b, 'ENAM');
  await fill(theirs, { Nom: 'ENAM Yaoundé', Description: 'La leur.', 'Prix (XAF)': '7500' });
  await button(theirs, 'Mettre à jour').click();
  await toast(b, 'Préparation mise à jour avec succès').waitFor();

  await button(mine, 'Mettre à jour').click();
  const message = `Cette préparation a été modifiée entre-temps par ${second.username}. Rien n'a été enregistré : comparez avec les valeurs actuelles, puis enregistrez de nouveau.`;
  await text(mine, message).waitFor();
  t.same(await stored(prepa.id), { nom: 'ENAM Yaoundé', description: 'La leur.', prix: 7500 }, 'nothing was overwritten');
  t.equal(await field(mine, 'Nom').inputValue(), 'ENAM cycle A');
  t.equal(await field(mine, 'Description').inputValue(), 'La mienne, longuement écrite.');
  t.equal(await field(mine, 'Prix (XAF)').inputValue(), '7500', 'an unchanged field gets the new value');
  const values = mine.locator('.workbench__other');
  t.same(await values.locator('q').allInnerTexts(), ['ENAM Yaoundé', 'La leur.']);
  await stepScreenshot(a, 'administration-conflict');

  await button(values.first(), 'Reprendre').click();
  t.equal(await field(mine, 'Nom').inputValue(), 'ENAM Yaoundé');
  t.ok(await hasFocus(field(mine, 'Nom')), 'the field with the new value has the focus');
  t.equal(await values.count(), 1, 'no button remains for the value already taken');
  await button(mine, 'Mettre à jour').click();
  await toast(a, 'Préparation mise à jour avec succès').waitFor();
  t.same(await stored(prepa.id), { nom: 'ENAM Yaoundé', description: 'La mienne, longuement écrite.', prix: 7500 });
});

t.test('cancelling after a conflict restarts from the stored values', async (t) => {
  const { id: prepaId } = await createPrepa(site, { nom: 'IRIC' });
  const { id, nom } = await createDiscipline(site, prepaId);
  const page = await screen(t, first, { id: prepaId }, [/status of 409/]);
  const dialog = await edit(page, nom, 'Modifier la discipline');
  await site.rows(`update discipline set nom = 'Droit', version = version + 1 where id = $1`, [id]);
  await fill(dialog, { Nom: 'Droit public' });
  await button(dialog, 'Mettre à jour').click();
  await dialog.getByText('Cette discipline a été modifiée entre-temps.').waitFor();
  await button(dialog, 'Annuler').click();
  await heading(page, 'Droit').waitFor();
  const again = await edit(page, 'Droit', 'Modifier la discipline');
  t.equal(await field(again, 'Nom').inputValue(), 'Droit');
  await fill(again, { Nom: 'Droit privé' });
  await button(again, 'Mettre à jour').click();
  await toast(page, 'Discipline mise à jour avec succès').waitFor();
});

t.test('a failed request keeps the typed text, with a message', async (t) => {
  const prepa = await createPrepa(site, { nom: 'ENSET' });
  const page = await screen(t, first, prepa, [/status of 50[02]/, /ERR_CONNECTION_RESET/]);
  const dialog = await edit(page, 'ENSET');
  await fill(dialog, { Description: 'Longuement écrite.' });
  const failure = 'Erreur lors de la mise à jour de la préparation';
  for (const [answer, detail] of [
    [null, 'Le serveur ne répond pas. Ce que vous avez saisi est conservé. Vérifiez votre connexion, puis réessayez.'],
    [{ status: 500, json: { message: 'Une erreur est survenue.' } }, 'Une erreur est survenue. Ce que vous avez saisi est conservé.'],
    [{ status: 502, body: '<h1>Bad gateway</h1>' }, 'Le service ne répond pas. Ce que vous avez saisi est conservé.'],
  ] as const) {
    await page.route('**/api/prepas/*', (route) => (answer ? route.fulfill(answer) : route.abort('connectionreset')));
    await button(dialog, 'Mettre à jour').click();
    await text(dialog, failure).waitFor();
    await text(dialog, detail).waitFor();
    await toast(page, failure).first().waitFor();
    t.equal(await field(dialog, 'Description').inputValue(), 'Longuement écrite.');
    await page.unroute('**/api/prepas/*');
  }
  await button(dialog, 'Mettre à jour').click();
  await toast(page, 'Préparation mise à jour avec succès').waitFor();
  t.match(await stored(prepa.id), { description: 'Longuement écrite.' });
});

t.test('a session that ends during an edit: signed in again in another tab, the same edit is saved', async (t) => {
  const prepa = await createPrepa(site, { nom: 'FASA' });
  const account = await registered();
  const page = await screen(t, account, prepa, [/status of 401/]);
  const dialog = await edit(page, 'FASA');
  await fill(dialog, { Description: 'Écrite avant la fin.' });
  await site.rows('delete from administrator_session where administrator_id = $1', [account.id]);
  await button(dialog, 'Mettre à jour').click();
  await dialog.getByText('Ce que vous avez saisi est conservé.').waitFor();
  await stepScreenshot(page, 'administration-signed-out');

  const opened = page.context().waitForEvent('page');
  await dialog.getByRole('link', { name: 'Se reconnecter dans un nouvel onglet' }).click();
  const tab = await opened;
  const form = tab.locator('form.auth__form');
  await fill(form, { Email: account.email, 'Mot de passe': account.password });
  await button(form, 'Se connecter').click();
  await tab.waitForURL('**/admin/dashboard*');
  t.equal(await field(dialog, 'Description').inputValue(), 'Écrite avant la fin.');
  await button(dialog, 'Mettre à jour').click();
  await toast(page, 'Préparation mise à jour avec succès').waitFor();
  t.match(await stored(prepa.id), { description: 'Écrite avant la fin.' });
});

/** Returns an administrator whose password works. */
async function registered(): Promise<TestAdministrator & { password: string }> {
  const account = { ...(await createAdministrator(site)), password: 'Concours-2026' };
  const learner = {
    username: 'mot_de_passe',
    email: 'motdepasse@gmail.com',
    password: account.password,
    confirmPassword: account.password,
  };
  await fetch(`${site.url}/api/users/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: site.url },
    body: JSON.stringify(learner),
  });
  const text = 'update administrator set password_hash = (select password_hash from app_user where username = $2) where id = $1';
  await site.rows(text, [account.id, learner.username]);
  return account;
}

t.test('a prepa that another administrator has deleted meanwhile', async (t) => {
  const { id } = await createPrepa(site, { nom: 'Disparue' });
  const page = await screen(t, first, { id }, [/status of 404/]);
  const dialog = await edit(page, 'Disparue');
  await fill(dialog, { Description: 'Trop tard.' });
  await site.rows('delete from prepa where id = $1', [id]);
  await button(dialog, 'Mettre à jour').click();
  await toast(page, "Cette préparation n'existe plus : quelqu'un l'a supprimée entre-temps.").waitFor();
  await dialog.waitFor({ state: 'hidden' });
  t.equal(await button(page, 'Disparue').count(), 0);
  t.ok(await hasFocus(heading(page, 'Préparations existantes')));

  const { id: again } = await createPrepa(site, { nom: 'Disparue aussi' });
  await page.goto(`/admin/dashboard?prepa=${again}`);
  await islandIs(page, 'admin-catalogue', 'ready');
  await button(page, 'Supprimer Disparue aussi').click();
  await site.rows('delete from prepa where id = $1', [again]);
  await button(confirmation(page), 'Supprimer').click();
  await toast(page, "Cette préparation n'existe pas ou n'existe plus.").waitFor();
  t.equal(await button(page, 'Disparue aussi').count(), 0);
});

for (const width of isLongForm ? [360, 1280] : [360])
  t.test(`a prepa that learners have paid for is deleted only by its name, ${width} px`, async (t) => {
    // The name has two consecutive spaces; the page shows one, and typing one must be enough.
    const prepa = await createPrepa(site, { nom: 'Concours  payé' });
    const learner = await createLearner(site);
    await createEnrolment(site, learner, prepa);
    await createPayment(site, learner, prepa, 'pending');
    const page = await screen(t, first, prepa, [/status of 409/], width);
    await button(page, 'Supprimer Concours payé').click();
    const dialog = confirmation(page);
    await button(dialog, 'Supprimer').click();
    await dialog
      .getByText(
        /^Un candidat inscrit perdrait son accès payé\. .* Un paiement est en cours pour cette préparation\. .* Pour supprimer cette préparation malgré tout, saisissez son nom\.$/,
      )
      .waitFor();
    await stepScreenshot(page, 'administration-deletion-by-name');
    t.ok(await button(dialog, 'Supprimer').isDisabled());
    const name = field(dialog, 'Saisissez « Concours payé » pour confirmer');
    t.ok(await hasFocus(name), 'the name can be typed at once');
    await name.fill('Concours pay');
    t.ok(await button(dialog, 'Supprimer').isDisabled(), 'disabled while the name is incomplete');
    t.ok(await stored(prepa.id));
    await name.fill('Concours payé');
    await createEnrolment(site, await createLearner(site), prepa);
    await button(dialog, 'Supprimer').click();
    await dialog
      .getByText(/^Rien n'a été supprimé : la situation a changé depuis que vous l'avez vue\. 2 candidats inscrits perdraient/)
      .waitFor();
    t.ok(await stored(prepa.id), 'a change that was not shown is not confirmed');
    t.ok(await hasFocus(name));
    t.equal(await name.inputValue(), '', 'the name must be typed again for the new state');
    await stepScreenshot(page, 'administration-deletion-changed');
    await assertNoOverflow(t, page);
    await name.fill('Concours payé');
    await button(dialog, 'Supprimer').click();
    await toast(page, 'Préparation supprimée avec succès').waitFor();
    t.notOk(await stored(prepa.id));
    t.same(await site.rows("select distinct statut from enrolment where prepa_nom = 'Concours  payé'"), [{ statut: 'cancelled' }]);
  });

t.test('a publication that fails changes nothing in the list', async (t) => {
  const prepa = await createPrepa(site, { nom: 'Publiée' });
  const page = await screen(t, first, prepa, [/status of 500/, /ERR_CONNECTION_RESET/]);
  const toggle = button(page, 'Publier Publiée');
  for (const answer of [{ status: 500, json: {} }, null]) {
    await page.route('**/toggle-publish', (route) => (answer ? route.fulfill(answer) : route.abort('connectionreset')));
    await toggle.click();
    const message = toast(page, 'Erreur lors du changement de statut de publication');
    await message.waitFor();
    await button(message, 'Fermer le message').click();
    t.equal(await toggle.getAttribute('aria-pressed'), 'true');
    await page.unroute('**/toggle-publish');
  }
});

t.test('the selected prepa is scrolled into view in a long list', async (t) => {
  await site.rows(
    `insert into prepa (nom, description, prix, is_published, created_at, updated_at)
     select 'Préparation ' || n, 'Texte.', 5000, false, now(), now() from generate_series(1, 30) n`,
  );
  const page = await screen(t, first, await createPrepa(site, { nom: 'La dernière' }));
  const isInSight = (nom: string) =>
    button(page, nom).evaluate((entry) => {
      const { x, y, width, height } = entry.getBoundingClientRect();
      return document.elementFromPoint(x + width / 2, y + height / 2) === entry;
    });
  t.ok(await isInSight('La dernière'));
  t.equal(await page.evaluate(() => scrollY), 0, 'the page has not moved');
  await site.rows(`delete from prepa where nom like 'Préparation %'`);
});

t.test('lists that fail to load can be reloaded', async (t) => {
  const one = await createPrepa(site, { nom: 'Une' });
  const { id: other } = await createPrepa(site, { nom: 'Autre' });
  const { nom } = await createDiscipline(site, other);
  await site.rows('alter table prepa rename to prepa_away');
  const page = await screen(t, first, one, [/status of 500/, /ERR_CONNECTION_RESET/]);
  await text(page, 'Erreur lors de la récupération des prepas').waitFor();
  t.equal(await text(page, 'Aucune préparation sélectionnée').count(), 0, 'no message claims that the list is empty');
  await stepScreenshot(page, 'administration-list-failed');
  await button(page, 'Réessayer').click();
  await toast(page, 'Erreur lors de la récupération des prepas').waitFor();
  await site.rows('alter table prepa_away rename to prepa');
  await button(page, 'Réessayer').click();
  await button(page, 'Une').waitFor();
  t.equal(await button(page, 'Réessayer').count(), 0);

  await page.route('**/api/prepas/*/disciplines', (route) => route.abort('connectionreset'));
  await button(page, 'Autre').click();
  await text(page, 'Impossible de charger les disciplines. Veuillez réessayer plus tard.').waitFor();
  await toast(page, 'Erreur lors du chargement des disciplines').waitFor();
  await page.unroute('**/api/prepas/*/disciplines');
  await button(page, 'Réessayer').click();
  await heading(page, nom).waitFor();
  t.equal(new URL(page.url()).search, `?prepa=${other}`, 'the URL contains the selection');
});
