import type { Locator, Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { stepScreenshot } from '../support/browser.ts';
import { islandIs, journey, openSite, toast, until } from '../support/journey.ts';
import { picture } from '../support/multipart.ts';

// From a pair of keys to a published prepa, and to its deletion. Texts follow the specification (§2, §4, §8) where it has one.
// administration-messages.test.ts tests the messages of the fields.

const site = await openSite(t);
const password = 'Concours-2026';

const field = (form: Locator, label: string) => form.getByLabel(label, { exact: true });
const button = (place: Page | Locator, name: string) => place.getByRole('button', { name, exact: true });
const text = (place: Page | Locator, words: string) => place.getByText(words, { exact: true });
const heading = (place: Page | Locator, name: string) => place.getByRole('heading', { name, exact: true });
const png = async (colour: string) => ({ name: 'image.png', mimeType: 'image/png', buffer: await picture(colour) });

async function fill(form: Locator, values: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(values)) await field(form, label).fill(value);
}

/** Waits for a toast and closes it, since it may cover the element to be clicked next. */
async function read(page: Page, words: string, kind: 'success' | 'error' = 'success'): Promise<void> {
  const message = toast(page, words);
  await text(message.and(page.locator(`.toast--${kind}`)), words).waitFor();
  await button(message, 'Fermer le message').click();
  await message.waitFor({ state: 'detached' });
}

journey(
  t,
  site,
  'from a pair of keys to a published prepa',
  async (t, page, width) => {
    const account = { username: `chef_${width}`, email: `chef${width}@prepa.example` };
    const nom = `ENS Yaoundé ${width}`;
    await register(t, page, account);
    await signIn(page, account.email);
    await createPrepa(t, page, nom);
    await publish(t, page, nom, width);
    await editPrepa(t, page, nom);
    const disciplineId = await fillWithDisciplines(t, page);
    await removeAll(t, page, nom, disciplineId);

    await button(page, 'Déconnexion').click();
    await page.waitForURL(`${site.url}/`);
    await read(page, 'Déconnexion réussie');
    const cookies = async () => (await page.context().cookies()).map(({ name }) => name);
    // A cookie for the page's script, which deletes the device's data and then the cookie.
    await until(async () => !(await cookies()).includes('sortie'));
    t.same(await cookies(), ['deviceToken', 'css'], 'the session cookie is deleted, the cookie of the known device stays');
    await page.goto('/admin/connexion');
    await page.getByRole('link', { name: 'Retour', exact: true }).click();
    await page.waitForURL(`${site.url}/`);
  },
  { once: 1280, allow: [/status of (400|401|403)/] },
);

async function register(t: Test, page: Page, { username, email }: { username: string; email: string }): Promise<void> {
  const { adminKey1, adminKey2 } = JSON.parse(await site.prepa('keys', 'issue', '--role', 'super_admin', '--json'));
  await page.goto('/admin/inscription');
  await heading(page, 'Inscription Administrateur').waitFor();
  const form = page.locator('form.auth__form');
  t.equal(await field(form, 'Rôle').inputValue(), 'admin', 'the role is Admin by default');
  t.same(await form.locator('option').allInnerTexts(), ['Admin', 'Super Admin']);
  await field(form, 'Email').focus();
  await islandIs(page, 'admin-auth', 'ready');

  const keys = ["Clé d'administration 1", "Clé d'administration 2"] as const;
  for (const label of [...keys, 'Mot de passe', 'Confirmation du mot de passe']) {
    t.equal(await field(form, label).getAttribute('type'), 'password', `${label} is masked`);
    await button(form, `Afficher : ${label}`).click();
    t.equal(await field(form, label).getAttribute('type'), 'text');
    await button(form, `Masquer : ${label}`).click();
    t.equal(await field(form, label).getAttribute('type'), 'password', `${label} is masked again`);
  }
  const requirements = form.getByRole('list', { name: 'Le mot de passe doit contenir' }).getByRole('listitem');
  for (const [typed, met] of [
    ['', []],
    ['a', ['Une minuscule']],
    ['aB3', ['Une majuscule', 'Une minuscule', 'Un chiffre']],
    [password, ['8 caractères au moins', 'Une majuscule', 'Une minuscule', 'Un chiffre', 'Un caractère spécial']],
  ] as const) {
    await field(form, 'Mot de passe').fill(typed);
    const said = (await requirements.allTextContents()).filter((item) => item.endsWith(' : respecté'));
    t.same(
      said,
      met.map((item) => `${item} : respecté`),
      `requirements that '${typed}' meets`,
    );
  }

  const values = { "Nom d'utilisateur": username, Email: email, 'Confirmation du mot de passe': password };
  await fill(form, { [keys[0]]: 'AAAA-BBBB-CCCC', [keys[1]]: adminKey2, ...values });
  await field(form, 'Rôle').selectOption('Super Admin');
  const wrongKeys =
    "Ces clés d'administration ne permettent pas cette inscription. Vérifiez les deux clés et le rôle, ou demandez une nouvelle paire à l'administrateur principal.";
  await button(form, "S'inscrire").click();
  await text(form.getByRole('alert'), wrongKeys).waitFor();
  await read(page, wrongKeys, 'error');
  await stepScreenshot(page, 'administration-wrong-keys');
  // The keys of another role give the same message.
  await fill(form, { [keys[0]]: adminKey1 });
  await field(form, 'Rôle').selectOption('Admin');
  await button(form, "S'inscrire").click();
  await read(page, wrongKeys, 'error');
  for (const [label, value] of Object.entries(values)) t.equal(await field(form, label).inputValue(), value, `${label} is kept`);
  await field(form, 'Rôle').selectOption('Super Admin');
  await button(form, "S'inscrire").click();
  await page.waitForURL('**/admin/connexion');
  await read(page, 'Inscription réussie ! Vous pouvez maintenant vous connecter.');
}

async function signIn(page: Page, email: string): Promise<void> {
  await heading(page, 'Connexion Administrateur').waitFor();
  await page.getByRole('link', { name: 'Créer un compte', exact: true }).waitFor();
  const form = page.locator('form.auth__form');
  await fill(form, { Email: email, 'Mot de passe': 'Mauvais-2026' });
  await islandIs(page, 'admin-auth', 'ready');
  await button(form, 'Se connecter').click();
  await text(form.getByRole('alert'), 'Email ou mot de passe incorrect').waitFor();
  await read(page, 'Email ou mot de passe incorrect', 'error');
  await fill(form, { 'Mot de passe': password });
  await button(form, 'Se connecter').click();
  await page.waitForURL('**/admin/dashboard');
  await read(page, 'Connexion réussie !');
}

async function createPrepa(t: Test, page: Page, nom: string): Promise<void> {
  await heading(page, 'Préparations existantes').waitFor();
  await heading(page, 'Aucune préparation sélectionnée').waitFor();
  await text(page, 'Veuillez sélectionner une préparation existante ou en créer une nouvelle.').waitFor();
  await button(page, 'Nouvelle préparation').waitFor();
  await islandIs(page, 'admin-catalogue', 'ready');
  await stepScreenshot(page, 'administration-empty');
  await button(page, 'Créer une préparation').click();

  const dialog = page.getByRole('dialog', { name: 'Nouvelle préparation', exact: true });
  await text(dialog, 'JPG ou PNG recommandé, 2 Mo maximum').waitFor();
  const image = await png('#be0050');
  const filling: [string, () => Promise<void>][] = [
    ['Nom', () => fill(dialog, { Nom: nom })],
    ['Description', () => fill(dialog, { Description: 'Le concours.' })],
    ['Prix (XAF)', () => fill(dialog, { 'Prix (XAF)': '15000' })],
    ['Image', () => field(dialog, 'Image').setInputFiles(image)],
  ];
  for (const [label, act] of filling) {
    t.ok(await button(dialog, 'Créer').isDisabled(), `waits for ${label}`);
    await act();
  }
  await text(dialog, 'Aperçu de la nouvelle image').waitFor();
  await button(dialog, 'Créer').click();
  await read(page, 'Préparation créée avec succès');
  await dialog.waitFor({ state: 'hidden' });
  t.equal(await button(page, nom).getAttribute('aria-current'), 'true', 'the new one is selected');
  await heading(page, nom).waitFor();
}

/** Publishes, hides and publishes the prepa again; a visitor sees each result. */
async function publish(t: Test, page: Page, nom: string, width: number): Promise<void> {
  const visitor = await site.page(t, { width });
  await visitor.goto('/');
  await text(visitor, 'Aucune préparation disponible pour le moment.').waitFor();
  const toggle = button(page, `Publier ${nom}`);
  for (const [message, pressed] of [
    ['La préparation est publiée.', 'true'],
    ["La préparation n'est plus publiée.", 'false'],
    ['La préparation est publiée.', 'true'],
  ] as const) {
    await toggle.click();
    await read(page, message);
    t.equal(await toggle.getAttribute('aria-pressed'), pressed, message);
    t.match(await toggle.getAttribute('title'), pressed === 'true' ? /^Publiée/ : /^Non publiée/);
  }
  await visitor.reload();
  const card = visitor.getByRole('listitem').filter({ has: heading(visitor, nom) });
  await text(card, '15 000 XAF').waitFor();
  await text(card, 'Le concours.').waitFor();
  await card.locator('img').scrollIntoViewIfNeeded();
  await visitor.waitForFunction(() => Number(document.querySelector<HTMLImageElement>('.cover img')?.naturalWidth) > 0);
  await stepScreenshot(visitor, 'administration-published');
}

async function editPrepa(t: Test, page: Page, nom: string): Promise<void> {
  await button(page, `Modifier ${nom}`).click();
  const dialog = page.getByRole('dialog', { name: 'Modifier la préparation', exact: true });
  for (const [label, value] of [
    ['Nom', nom],
    ['Description', 'Le concours.'],
    ['Prix (XAF)', '15000'],
  ] as const) {
    t.equal(await field(dialog, label).inputValue(), value);
    await fill(dialog, { [label]: '' });
    t.ok(await button(dialog, 'Mettre à jour').isDisabled(), `${label} must not be empty`);
    await fill(dialog, { [label]: value });
  }
  await fill(dialog, { 'Prix (XAF)': '20000' });
  await button(dialog, 'Mettre à jour').click();
  await read(page, 'Préparation mise à jour avec succès');
  const [prepa] = await site.rows<{ prix: number; image: string | null }>('select prix, image from prepa where nom = $1', [nom]);
  t.equal(prepa?.prix, 20_000);
  t.ok(prepa?.image, 'the prepa keeps its image');
}

/** Creates, edits and opens a discipline. Returns its id. */
async function fillWithDisciplines(t: Test, page: Page): Promise<string> {
  await text(page, "Aucune discipline n'a été créée pour cette préparation.").waitFor();
  await button(page, 'Nouvelle discipline').waitFor();
  await button(page, 'Créer une discipline').click();
  const creation = page.getByRole('dialog', { name: 'Nouvelle discipline', exact: true });
  for (const [Nom, Description] of [
    ['  ', 'Analyse et algèbre.'],
    ['Maths', ' '],
  ] as const) {
    await fill(creation, { Nom, Description });
    t.ok(await button(creation, 'Créer').isDisabled(), 'a field with only spaces counts as empty');
  }
  await fill(creation, { Description: 'Analyse et algèbre.' });
  await button(creation, 'Créer').click();
  await read(page, 'Discipline créée avec succès');

  await button(page, 'Modifier Maths').click();
  const edition = page.getByRole('dialog', { name: 'Modifier la discipline', exact: true });
  await fill(edition, { Nom: '', Description: 'Analyse.' });
  t.ok(await button(edition, 'Mettre à jour').isDisabled());
  await fill(edition, { Nom: 'Mathématiques' });
  await field(edition, 'Image').setInputFiles(await png('#0274d9'));
  await button(edition, 'Mettre à jour').click();
  await read(page, 'Discipline mise à jour avec succès');

  const card = page.getByRole('listitem').filter({ has: heading(page, 'Mathématiques') });
  await text(card, 'Analyse.').waitFor();
  await card.locator('img').waitFor();
  await stepScreenshot(page, 'administration-discipline');
  await text(card, 'Ouvrir').click();
  await page.waitForURL(/\/admin\/discipline\/\d+$/);
  const id = page.url().split('/').at(-1) ?? '';
  await heading(page, 'Mathématiques').waitFor();
  await text(page, 'Analyse.').waitFor();
  await page.getByRole('link', { name: 'Retour', exact: true }).click();
  await page.waitForURL(/\/admin\/dashboard\?prepa=\d+$/);
  await islandIs(page, 'admin-catalogue', 'ready');
  return id;
}

async function removeAll(t: Test, page: Page, nom: string, disciplineId: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Confirmer la suppression', exact: true });
  const discipline =
    'Êtes-vous sûr de vouloir supprimer cette discipline ? Cette action est irréversible et supprimera également tous les cours, exercices et anciens sujets associés.';
  await button(page, 'Supprimer Mathématiques').click();
  await text(dialog, discipline).waitFor();
  await text(dialog, 'Mathématiques').waitFor();
  await button(dialog, 'Annuler').click();
  t.equal((await site.rows('select id from discipline where id = $1', [disciplineId])).length, 1);
  await button(page, 'Supprimer Mathématiques').click();
  await button(dialog, 'Supprimer').click();
  await read(page, 'Discipline supprimée avec succès');
  await text(page, "Aucune discipline n'a été créée pour cette préparation.").waitFor();

  const prepa =
    'Êtes-vous sûr de vouloir supprimer cette préparation ? Cette action est irréversible et supprimera également toutes les disciplines associées.';
  await button(page, `Supprimer ${nom}`).click();
  await text(dialog, prepa).waitFor();
  await text(dialog, nom).waitFor();
  await button(dialog, 'Supprimer').click();
  await read(page, 'Préparation supprimée avec succès');
  await heading(page, 'Aucune préparation sélectionnée').waitFor();
  t.same(await site.rows('select nom from prepa union all select nom from discipline'), []);
}
