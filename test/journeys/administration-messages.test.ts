import type { Locator, Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { createAdministrator, createDiscipline } from '../support/factories.ts';
import { noise, pngSignature } from '../support/hostile-images.ts';
import { islandIs, presentAdministrator, shareSite, toast } from '../support/journey.ts';
import { picture } from '../support/multipart.ts';

// Validation messages of the administration's forms (specification §5), and messages for failed requests (§8).

const site = await shareSite(t);
const administrator = await createAdministrator(site);
const discipline = await createDiscipline(site);

/** A field, an invalid value, and the expected message. */
type Fault = [label: string, typed: string, message: string];

const email: Fault[] = [
  ['Email', '', "L'email est requis"],
  ['Email', 'chef', "Format d'email invalide"],
  ['Email', `${'x'.repeat(251)}@a.cm`, "L'email ne doit pas dépasser 255 caractères"],
];
const classes = 'Le mot de passe doit contenir au moins une majuscule, une minuscule, un chiffre et un caractère spécial';
const registration: Fault[] = [
  ["Clé d'administration 1", '', "La clé d'administration 1 est requise"],
  ["Clé d'administration 1", '1234567', "La clé d'administration 1 doit contenir au moins 8 caractères"],
  ["Clé d'administration 1", 'x'.repeat(51), "La clé d'administration 1 ne doit pas dépasser 50 caractères"],
  ["Clé d'administration 2", '', "La clé d'administration 2 est requise"],
  ["Clé d'administration 2", '1234567', "La clé d'administration 2 doit contenir au moins 8 caractères"],
  ["Clé d'administration 2", 'x'.repeat(51), "La clé d'administration 2 ne doit pas dépasser 50 caractères"],
  ["Nom d'utilisateur", '', "Le nom d'utilisateur est requis"],
  ["Nom d'utilisateur", 'ab', "Le nom d'utilisateur doit contenir au moins 3 caractères"],
  ["Nom d'utilisateur", 'a'.repeat(31), "Le nom d'utilisateur ne doit pas dépasser 30 caractères"],
  ["Nom d'utilisateur", 'la cheffe', "Le nom d'utilisateur ne peut contenir que des lettres, des chiffres et des underscores"],
  ...email,
  ['Mot de passe', '', 'Le mot de passe est requis'],
  ['Mot de passe', 'Court-1', 'Le mot de passe doit contenir au moins 8 caractères'],
  ['Mot de passe', 'sans-majuscule-1', classes],
  ['Mot de passe', 'SANS-MINUSCULE-1', classes],
  ['Mot de passe', 'Sans-chiffre', classes],
  ['Mot de passe', 'SansSpecial1', classes],
  ['Confirmation du mot de passe', '', 'La confirmation du mot de passe est requise'],
  ['Confirmation du mot de passe', 'Concours-2027', 'Les mots de passe doivent correspondre'],
];
const signIn: Fault[] = [
  ...email,
  ['Mot de passe', '', 'Le mot de passe est requis'],
  ['Mot de passe', 'x'.repeat(101), 'Le mot de passe ne doit pas dépasser 100 caractères'],
];
const prepa: Fault[] = [
  ['Nom', '', 'Le nom est requis'],
  ['Nom', 'EN', 'Le nom doit contenir au moins 3 caractères'],
  ['Description', ' ', 'La description est requise'],
  ['Prix (XAF)', '', 'Le prix est requis'],
  ['Prix (XAF)', '0', 'Le prix doit être positif'],
  ['Prix (XAF)', '-500', 'Le prix doit être positif'],
];
const disciplines: Fault[] = [
  ['Nom', '', 'Le nom de la discipline est requis'],
  ['Nom', 'Ma', 'Le nom doit contenir au moins 3 caractères'],
  ['Nom', 'x'.repeat(101), 'Le nom ne doit pas dépasser 100 caractères'],
  ['Description', ' ', 'La description de la discipline est requise'],
  ['Description', 'x'.repeat(501), 'La description ne doit pas dépasser 500 caractères'],
];

const field = (form: Locator, label: string) => form.getByLabel(label, { exact: true });
const button = (place: Page | Locator, name: string) => place.getByRole('button', { name, exact: true });
const text = (place: Page | Locator, words: string) => place.getByText(words, { exact: true });

async function fill(form: Locator, values: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(values)) await field(form, label).fill(value);
}

/** Asserts that each fault, while typing and on leaving the field, is part of its accessible description. */
async function assertFaults(t: Test, form: Locator, faults: Fault[]): Promise<void> {
  for (const [label, typed, message] of faults) {
    const input = field(form, label);
    await input.fill(typed);
    await input.blur();
    const said = await input.evaluate((element) => ({
      invalid: element.getAttribute('aria-invalid'),
      texts: (element.getAttribute('aria-describedby') ?? '').split(' ').map((id) => document.getElementById(id)?.innerText),
    }));
    t.equal(said.invalid, 'true', `${label} '${typed.slice(0, 20)}'`);
    t.ok(said.texts.includes(message), `${label} '${typed.slice(0, 20)}': ${message}; said: ${said.texts.join(' / ')}`);
  }
}

type Answer = { status: number; json?: object; body?: string } | 'no answer' | 'no network';

interface Door {
  path: string;
  submit: string;
  busy: string;
  unanswered: [Answer, message: string][];
}

/** Asserts the messages in the form and in a toast when the request fails; until then the button shows that it is busy. */
async function assertUnanswered(t: Test, page: Page, form: Locator, { path, submit, busy, unanswered }: Door): Promise<void> {
  for (const [answer, message] of unanswered) {
    let release = () => {};
    const looked = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(path, async (route) => {
      await looked;
      await (typeof answer === 'string' ? route.abort('connectionreset') : route.fulfill(answer));
    });
    await page.context().setOffline(answer === 'no network');
    await button(form, submit).click();
    await form.locator('[aria-busy="true"]').waitFor();
    t.ok(await text(form, busy).isVisible(), busy);
    release();
    await text(form.getByRole('alert'), message).waitFor();
    await text(toast(page, message), message).waitFor();
    await button(toast(page, message), 'Fermer le message').click();
    await page.context().setOffline(false);
    await page.unroute(path);
  }
}

const open = async (t: Test, path: string, allow: RegExp[] = [], fresh = false) => {
  const page = await site.page(t, { width: 360, allow, fresh });
  await presentAdministrator(page, site, administrator);
  await page.goto(path);
  return page;
};
const allow = [/status of 502/, /ERR_CONNECTION_RESET/];

t.test('registration', async (t) => {
  const page = await open(t, '/admin/inscription', allow);
  const form = page.locator('form.auth__form');
  await field(form, 'Email').focus();
  await islandIs(page, 'admin-auth', 'ready');
  await button(form, "S'inscrire").click();
  t.equal(await form.locator('.field__error').count(), 6, 'every empty field shows its fault');
  t.ok(
    await field(form, "Clé d'administration 1").evaluate((input) => input === document.activeElement),
    'the first faulty field has the focus',
  );
  await fill(form, { 'Mot de passe': 'Concours-2026' });
  await assertFaults(t, form, registration);

  await fill(form, {
    "Clé d'administration 1": 'AAAA-BBBB-CCCC',
    "Clé d'administration 2": 'AAAA-BBBB-CCCC',
    "Nom d'utilisateur": 'la_cheffe',
  });
  await fill(form, { Email: 'chef@prepa.example', 'Mot de passe': 'Concours-2026', 'Confirmation du mot de passe': 'Concours-2026' });
  t.equal(await form.locator('.field__error').count(), 0);
  const role = (value: string) => field(form, 'Rôle').evaluate((select, value) => select.children[0]?.setAttribute('value', value), value);
  for (const [value, message] of [
    ['root', 'Rôle invalide'],
    ['', 'Le rôle est requis'],
  ] as const) {
    await role(value);
    await button(form, "S'inscrire").click();
    await text(form, message).waitFor();
  }
  await role('admin');
  await assertUnanswered(t, page, form, {
    path: '**/api/admin/register',
    submit: "S'inscrire",
    busy: 'Inscription en cours...',
    unanswered: [
      [{ status: 201, json: {} }, "Erreur inattendue lors de l'inscription."],
      [{ status: 502, body: '<h1>Bad gateway</h1>' }, "Une erreur est survenue lors de l'inscription."],
      ['no answer', 'Aucune réponse reçue du serveur.'],
      ['no network', 'Erreur de connexion au serveur.'],
    ],
  });
});

t.test('sign-in', async (t) => {
  const page = await open(t, '/admin/dashboard', allow);
  await page.context().clearCookies();
  await page.goto('/admin/connexion');
  const form = page.locator('form.auth__form');
  await field(form, 'Email').focus();
  await islandIs(page, 'admin-auth', 'ready');
  await button(form, 'Se connecter').click();
  await assertFaults(t, form, signIn);
  await fill(form, { Email: 'chef@prepa.example', 'Mot de passe': 'x' });
  await assertUnanswered(t, page, form, {
    path: '**/api/admin/login',
    submit: 'Se connecter',
    busy: 'Connexion en cours...',
    unanswered: [
      [{ status: 200, json: {} }, 'Erreur inattendue lors de la connexion.'],
      [{ status: 502, body: '<h1>Bad gateway</h1>' }, 'Erreur de connexion au serveur.'],
      ['no answer', 'Erreur de connexion au serveur.'],
    ],
  });
});

t.test('prepa', async (t) => {
  const page = await open(t, '/admin/dashboard', [/status of 400/], true);
  await islandIs(page, 'admin-catalogue', 'ready');
  await button(page, 'Nouvelle préparation').click();
  const dialog = page.getByRole('dialog', { name: 'Nouvelle préparation', exact: true });
  await assertFaults(t, dialog, prepa);

  const image = async (buffer: Buffer) => field(dialog, 'Image').setInputFiles({ name: 'image.png', mimeType: 'image/png', buffer });
  await fill(dialog, { Nom: 'EN', Description: 'Le concours.', 'Prix (XAF)': '15000' });
  await image(await picture());
  await button(dialog, 'Créer').click();
  await text(dialog, 'Le nom doit contenir au moins 3 caractères').waitFor();
  t.ok(await field(dialog, 'Nom').evaluate((input) => input === document.activeElement), 'the first fault has the focus');
  for (const [buffer, message] of [
    [Buffer.alloc(2 * 1024 * 1024 + 1), "L'image dépasse 2 Mo."],
    [Buffer.from('GIF89a'), "L'image doit être au format JPG ou PNG."],
    [null, "L'image est obligatoire"],
  ] as const) {
    await (buffer ? image(buffer) : field(dialog, 'Image').setInputFiles([]));
    await text(dialog, message).waitFor();
    t.ok(await button(dialog, 'Créer').isDisabled(), message);
  }
  // A fault that only the server can detect, after a picture with a slow upload.
  await fill(dialog, { Nom: 'ENS Yaoundé' });
  await image(Buffer.concat([pngSignature, await noise(700, 700).raw().toBuffer()]));
  const network = await page.context().newCDPSession(page);
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: 3_000_000,
  });
  await button(dialog, 'Créer').click();
  const percent = dialog.getByText(/^Envoi : [1-9]\d? %$/);
  await Promise.all([percent.waitFor(), text(dialog, 'Enregistrement...').waitFor()]);
  await text(dialog, "L'image est illisible.").waitFor();
  t.equal(await percent.count(), 0, 'the upload progress is hidden');
  t.ok(await field(dialog, 'Image').evaluate((input) => input === document.activeElement), 'the image field has the focus');
  t.equal(await field(dialog, 'Nom').inputValue(), 'ENS Yaoundé', 'the typed name stays');
});

for (const [opener, title] of [
  ['Nouvelle discipline', 'Nouvelle discipline'],
  [`Modifier ${discipline.nom}`, 'Modifier la discipline'],
] as const) {
  t.test(title, async (t) => {
    const page = await open(t, '/admin/dashboard');
    await islandIs(page, 'admin-catalogue', 'ready');
    await button(page, opener).click();
    await assertFaults(t, page.getByRole('dialog', { name: title, exact: true }), disciplines);
  });
}

t.test('sizes and colour of the screen (specification §2, §9)', async (t) => {
  const page = await site.page(t, { width: 1280 });
  await presentAdministrator(page, site, administrator);
  await page.goto('/admin/dashboard');
  await islandIs(page, 'admin-catalogue', 'ready');
  const style = (selector: string, property: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);
  const height = page.viewportSize()?.height ?? 0;
  t.equal(await style('.workbench__list', 'max-height'), `${height * 0.7}px`, '70vh');
  t.equal(await style('.workbench__description', 'max-height'), '100px');
  t.equal(await style('.workbench__side .button', 'background-color'), 'rgb(191, 0, 81)', 'the administration has its own primary colour');
});
