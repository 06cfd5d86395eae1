import t from 'tap';
import { newPage } from '../support/browser.ts';
import { createPrepa } from '../support/factories.ts';
import { openSite, presentSession, registerAccount } from '../support/journey.ts';
import { at, lookAt, post } from '../support/look.ts';
import { assertNoOverflow } from '../support/page-checks.ts';
import { openPostOffice } from '../support/post-office.ts';

// The learner's account: a forgotten password with and without JavaScript; name, password and sessions; the look of each page.

const office = await openPostOffice(t);
const publicUrl = 'http://prepa.example';
const site = await openSite(t, { SMTP_URL: office.url, MAIL_FROM: 'prepa@prepa.example', PUBLIC_URL: publicUrl });
const look = lookAt(t, site);

/** Returns the path of the link in the next e-mail. */
async function letterPath(): Promise<string> {
  const { text } = await office.next();
  return new RegExp(`${publicUrl}(/\\S+)`).exec(text)?.[1] ?? '';
}

t.test('a slip in the domain of an address is corrected by a tap', async (t) => {
  const page = await newPage(t, { width: 360, baseURL: site.url });
  for (const path of ['/inscription', '/mot-de-passe-oublie']) {
    await page.goto(path);
    const email = page.getByLabel('Email');
    const proposed = page.getByText('Vouliez-vous dire elodie@gmail.com ?');
    await email.pressSequentially('elodie@gmial');
    t.equal(await proposed.isVisible(), false, path);
    await email.pressSequentially('.com');
    await proposed.waitFor();
    await assertNoOverflow(t, page);
    await page.getByRole('button', { name: 'Corriger' }).tap();
    await proposed.waitFor({ state: 'hidden' });
    t.equal(await email.inputValue(), 'elodie@gmail.com', path);
  }
});

t.test('what was typed before the scripts were loaded is looked at as soon as they are', async (t) => {
  const page = await newPage(t, { width: 360, baseURL: site.url });
  const scripts = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await scripts.promise;
    await route.continue();
  });
  await page.goto('/inscription', { waitUntil: 'commit' });
  await page.getByLabel('Email').fill('elodie@gmial.com');
  await page.getByLabel('Mot de passe', { exact: true }).fill('Concours2027');
  scripts.resolve();
  await page.getByText('Vouliez-vous dire elodie@gmail.com ?').waitFor();
  t.equal(await page.locator('.requirements [data-met]').count(), 4, 'each requirement of the password but the special character');
});

t.test('without JavaScript a refused registration proposes the address that was probably meant', async (t) => {
  const page = await newPage(t, { width: 360, baseURL: site.url, javaScript: false, allow: [/status of 400/] });
  await page.goto('/inscription');
  await page.getByLabel('Email').fill('elodie@gmial.com');
  await page.getByRole('button', { name: "S'inscrire" }).tap();
  await page.getByText("Domaine d'email non autorisé").waitFor();
  await page.getByText('Vouliez-vous dire elodie@gmail.com ?').waitFor();
  t.equal(await page.getByRole('button', { name: 'Corriger' }).isVisible(), false, 'a button that needs script is not shown');
});

t.test('a forgotten password, then another name, on a phone', async (t) => {
  const account = await registerAccount(site);
  const page = await newPage(t, { width: 360, baseURL: site.url });
  // The URL to which a page that needs a sign-in redirects.
  await page.goto('/?connexion=1&suite=/user/preparations?q=ens');
  await page.getByRole('dialog', { name: 'Connexion' }).getByRole('link', { name: 'Mot de passe oublié ?' }).tap();
  await page.getByLabel('Email').fill(account.email);
  await page.getByRole('button', { name: 'Recevoir le lien' }).tap();
  await page.getByRole('status').getByText("Si un compte existe avec cette adresse, un message vient d'y être envoyé.").waitFor();
  t.match(page.url(), '?envoye=1', 'a reload sends no second e-mail');

  await page.goto(await letterPath());
  t.equal(page.url(), `${site.url}/nouveau-mot-de-passe?suite=%2Fuser%2Fpreparations%3Fq%3Dens`, 'no token in the address');
  await assertNoOverflow(t, page);
  await page.getByLabel('Nouveau mot de passe', { exact: true }).fill('Nouveau-2027!');
  await page.getByLabel('Confirmation du nouveau mot de passe').fill('Nouveau-2027!');
  await page.getByRole('button', { name: 'Enregistrer le mot de passe' }).tap();
  await page.getByText('Votre mot de passe est changé. Connectez-vous avec le nouveau.').waitFor();

  await page.getByLabel('Email').fill(account.email);
  await page.getByLabel('Mot de passe', { exact: true }).fill('Nouveau-2027!');
  await page.getByRole('button', { name: 'Se connecter' }).tap();
  await page.waitForURL('/user/preparations?q=ens');
  await page.locator('.menu__button').tap();
  await page.getByRole('link', { name: 'Mon profil' }).tap();
  await page.getByText('Cet appareil', { exact: true }).waitFor();
  t.match(await page.locator('.card__title').allInnerTexts(), [/^Chrome, \S+$/], 'the other session has ended');
  await page.getByLabel("Nom d'utilisateur").last().fill('nouveau_nom');
  await page.getByRole('button', { name: 'Enregistrer le nom' }).tap();
  await page.locator('#toasts').getByText("Nom d'utilisateur enregistré").waitFor();
  t.equal(await page.locator('#profile-username').inputValue(), 'nouveau_nom');

  // The page that followed the new name: its scripts hold back the second tap.
  await page.waitForLoadState();
  await page.getByLabel('Mot de passe actuel').fill('Nouveau-2027!');
  await page.getByLabel('Nouveau mot de passe', { exact: true }).fill('Encore-2028!');
  await page.getByLabel('Confirmation du nouveau mot de passe').fill('Encore-2028!');
  const stopped = await page.getByRole('button', { name: 'Changer le mot de passe' }).evaluate((button: HTMLButtonElement) => {
    const found: boolean[] = [];
    addEventListener('submit', (event) => found.push(event.defaultPrevented));
    button.click();
    button.click();
    return found;
  });
  t.same(stopped, [false, true], 'a second tap sends nothing');
  await page.locator('#toasts').getByText('Mot de passe modifié.').waitFor();
});

t.test('a forgotten password, without JavaScript', async (t) => {
  const account = await registerAccount(site);
  const allow = [/status of 4(10|00)/];
  const page = await newPage(t, { width: 360, baseURL: site.url, javaScript: false, allow });
  await page.goto('/login?suite=/user/preparations');
  await page.getByRole('link', { name: 'Mot de passe oublié ?' }).tap();
  await page.getByLabel('Email').fill(account.email);
  await page.getByRole('button', { name: 'Recevoir le lien' }).tap();
  await page.waitForURL(/\?envoye=1&/);
  const path = await letterPath();
  await page.goto(path);
  await page.getByLabel('Nouveau mot de passe', { exact: true }).fill('Nouveau-2027!');
  await page.getByLabel('Confirmation du nouveau mot de passe').fill('Nouveau-2027!');
  await page.getByRole('button', { name: 'Enregistrer le mot de passe' }).tap();
  await page.getByText('Votre mot de passe est changé.').waitFor();
  await page.getByLabel('Email').fill(account.email);
  await page.getByLabel('Mot de passe', { exact: true }).fill('Nouveau-2027!');
  await page.getByRole('button', { name: 'Se connecter' }).tap();
  await page.waitForURL('/user/preparations');
  await page.goto(path);
  await page.getByText("Ce lien n'est plus valable").waitFor();
  await page.getByRole('link', { name: 'Demander un nouveau lien' }).tap();
  await page.getByRole('button', { name: 'Recevoir le lien' }).waitFor();

  await presentSession(page, site, await registerAccount(site));
  await page.goto('/user/profil');
  await page.getByLabel('Mot de passe actuel').fill('Faux-12345');
  await page.getByLabel('Nouveau mot de passe', { exact: true }).fill('Nouveau-2027!');
  await page.getByLabel('Confirmation du nouveau mot de passe').fill('Nouveau-2027!');
  await page.getByRole('button', { name: 'Changer le mot de passe' }).tap();
  await page.getByText('Le mot de passe actuel est incorrect').waitFor();
});

const someone = await registerAccount(site);
await fetch(`${site.url}/api/users/login`, {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', 'user-agent': 'Firefox/132 Windows' },
  body: JSON.stringify(someone),
});

const kept = [await createPrepa(site, { nom: 'ENS Yaoundé' }), await createPrepa(site, { nom: 'Polytechnique' })];
await site.rows(
  `with device as (insert into offline_device (user_id, secret, nom, seen_at, created_at)
     select id, n, nom, now() - n::int * interval '1 day', now() from app_user, (values ('0', 'Chrome, Android'), ('9', 'Firefox, Windows')) d(n, nom)
     where email = $1 returning id, secret)
   insert into offline_copy (device_id, prepa_id, disciplines, kept_at)
   select d.id, p.id, case when p.id <> $2 then '{1}'::int[] end, now() from device d join prepa p on p.id = $2 or (p.id = $3 and d.secret = '0')`,
  [someone.email, ...kept.map(({ id }) => id)],
);

look('profile', { as: someone }, at('/user/profil'));
look('profile, password refused', { as: someone, allow: [/status of 400/] }, async (page) => {
  await page.goto('/user/profil');
  return post(page, 'form[action="/user/profil/mot-de-passe"]', { currentPassword: 'Faux-12345', password: 'court' });
});
look('forgotten password', {}, at('/mot-de-passe-oublie'));
look('forgotten password, letter sent', {}, at('/mot-de-passe-oublie?envoye=1'));
look('new password', {}, async (page) => {
  await page.goto('/mot-de-passe-oublie');
  await post(page, 'form[action="/mot-de-passe-oublie"]', { email: someone.email });
  return page.goto(await letterPath());
});
look('new password with an old link', { allow: [/status of 410/] }, at('/nouveau-mot-de-passe'));
