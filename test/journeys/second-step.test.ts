// Slow: it signs in to the administration with every kind of second step.
import { Secret, TOTP } from 'otpauth';
import t from 'tap';
import { ensureDemoAdministrator } from '../../src/modules/identity/index.ts';
import { assertAccessible } from '../support/accessible.ts';
import { newPage, stepScreenshot } from '../support/browser.ts';
import { shareSite } from '../support/journey.ts';
import { assertNoOverflow } from '../support/page-checks.ts';

const site = await shareSite(t);
const account = { username: 'mme_ewane', email: 'ewane@prepa.example', password: 'Concours-2026!', role: 'super_admin' as const };
await ensureDemoAdministrator(site.kernel.fork(), site.kernel.context, account);

t.test('a second step is set up, the telephone is lost, and then the codes too', async (t) => {
  const page = await newPage(t, { width: 360, baseURL: site.url, allow: [/status of 401/] });
  const seen = async (name: string) => {
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await assertNoOverflow(t, page);
      await assertAccessible(t, page);
      await stepScreenshot(page, `second-step-${name}`);
    }
    await page.setViewportSize({ width: 360, height: 740 });
  };
  const givePassword = async () => {
    await page.goto('/admin/connexion?suite=/admin/compte');
    await page.getByLabel('Email').fill(account.email);
    await page.getByLabel('Mot de passe', { exact: true }).fill(account.password);
    await page.getByRole('button', { name: 'Se connecter' }).tap();
  };
  const signOut = async () => {
    await page.getByRole('button', { name: 'Déconnexion' }).tap();
    await page.waitForURL('/');
  };

  // Setup: the secret is read from the page, as an authenticator app reads it from the QR code.
  await givePassword();
  await page.waitForURL('/admin/compte');
  await page.getByRole('button', { name: 'Activer la validation en deux étapes' }).tap();
  await page.waitForURL('/admin/compte/deux-etapes');
  await seen('set-up');
  const secret = (await page.locator('#secret').innerText()).replaceAll(' ', '');
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  await page.getByLabel('Code à 6 chiffres').fill(totp.generate());
  await page.getByRole('button', { name: 'Activer', exact: true }).tap();
  await page.getByText('Notez ces codes maintenant.').waitFor();
  await seen('recovery-codes');
  const [recovery = ''] = await page.locator('.recovery code').allInnerTexts();
  await page.getByRole('link', { name: "J'ai noté les codes" }).tap();
  await page.getByText('Active depuis le').waitFor();
  await seen('account');
  await signOut();

  // The next code of the app, since the current one was used for the setup.
  await givePassword();
  await page.waitForURL('/admin/connexion/code?suite=%2Fadmin%2Fcompte');
  await page.getByLabel('Code').fill(totp.generate({ timestamp: Date.now() + 30_000 }));
  await page.getByRole('button', { name: 'Se connecter' }).tap();
  await page.waitForURL('/admin/compte');
  await signOut();

  // The phone is lost: a wrong code first, then a recovery code.
  await givePassword();
  await page.getByLabel('Code').fill('000 000');
  await page.getByRole('button', { name: 'Se connecter' }).tap();
  await page.getByText('Code incorrect ou déjà utilisé.').waitFor();
  await page.getByText("Vous n'avez plus votre téléphone ?").tap();
  await seen('code-refused');
  await page.getByLabel('Code').fill(recovery);
  await page.getByRole('button', { name: 'Se connecter' }).tap();
  await page.waitForURL('/admin/compte');
  await page.getByText('Il vous reste 9 codes de secours.').waitFor();

  // The recovery codes are lost too: the operator removes the second factor, which ends every session.
  t.match(await site.prepa('admins', 'reset', account.email, '--second-factor'), /^La validation en deux étapes de mme_ewane est retirée/);
  await page.reload();
  await page.getByText('Session expirée. Veuillez vous reconnecter.').first().waitFor();
  await givePassword();
  await page.waitForURL('/admin/compte');
  await page.getByRole('button', { name: 'Activer la validation en deux étapes' }).waitFor();
  await signOut();

  // The password is forgotten: a key from the operator replaces it.
  const { key } = JSON.parse(await site.prepa('--json', 'admins', 'reset', account.email));
  await page.goto('/admin/connexion');
  await page.getByRole('link', { name: 'Mot de passe oublié ?' }).tap();
  await page.getByLabel('Email').fill(account.email);
  await page.getByLabel('Clé').fill(key);
  await page.getByLabel('Nouveau mot de passe', { exact: true }).fill('Nouveau-2027!');
  await page.getByLabel('Confirmation du nouveau mot de passe').fill('Nouveau-2027!');
  await page.getByRole('button', { name: 'Enregistrer le mot de passe' }).tap();
  await page.getByText('Votre mot de passe est changé.').first().waitFor();
  account.password = 'Nouveau-2027!';
  await givePassword();
  await page.waitForURL('/admin/compte');
});
