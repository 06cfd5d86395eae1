/** A candidate with a browser, outside the root: registers, pays and studies at the site's public address, through nginx with TLS. */
import { createHash, X509Certificate } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { connect } from 'node:tls';
import { chromium } from 'playwright-core';
import { unpackBrowser } from '../testing/browser.ts';
import { addresses, folder, providerName, sharedFolder, siteName } from './names.ts';

const prepa = 'ENS Yaoundé - Sciences';
const discipline = 'Mathématiques';

/**
 * Verifies a host's certificate and returns the hash of its public key. The browser has its own authorities and must be told to accept
 * these two keys.
 */
function keyOf(name: string, authority: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: addresses[name], port: 443, servername: name, ca: readFileSync(authority) }, () => {
      const { raw } = socket.getPeerCertificate();
      const spki = new X509Certificate(raw).publicKey.export({ type: 'spki', format: 'der' });
      console.log(`${name}: ${socket.getProtocol()}, verified`);
      socket.end();
      resolve(createHash('sha256').update(spki).digest('base64'));
    });
    socket.once('error', reject);
  });
}

const keys = [
  await keyOf(siteName, join(sharedFolder, 'site-authority.pem')),
  await keyOf(providerName, join(sharedFolder, 'authority.pem')),
];
const executablePath = unpackBrowser();
const browser = await chromium.launch({
  executablePath,
  args: ['--disable-gpu', `--ignore-certificate-errors-spki-list=${keys.join(',')}`],
  env: { ...process.env, FONTCONFIG_FILE: join(dirname(executablePath), 'fonts.conf') } as Record<string, string>,
});
try {
  const context = await browser.newContext({
    baseURL: `https://${siteName}`,
    viewport: { width: 360, height: 740 },
    isMobile: true,
    hasTouch: true,
    locale: 'fr-FR',
  });
  context.setDefaultTimeout(30_000);
  const page = await context.newPage();
  const failures: string[] = [];
  page.on('pageerror', (error) => failures.push(error.message));
  page.on('console', (message) => void (message.type() === 'error' && failures.push(message.text())));
  await page.goto('/');
  await page.getByRole('link', { name: `Consulter gratuitement ${prepa}` }).click();
  await page.getByRole('link', { name: discipline, exact: true }).click();
  await page.getByRole('link', { name: `S'inscrire maintenant ${prepa}` }).click();
  const form = page.getByRole('dialog', { name: 'Inscription' });
  await page.locator('[data-island="auth"][data-state="ready"]').waitFor({ state: 'attached' });
  await form.getByLabel("Nom d'utilisateur").fill(`eleve_${process.pid}`);
  await form.getByLabel('Email').fill(`eleve.${process.pid}@gmail.com`);
  await form.getByLabel('Mot de passe', { exact: true }).fill('Yaounde-Kribi-2026');
  await form.getByLabel('Confirmation du mot de passe', { exact: true }).fill('Yaounde-Kribi-2026');
  await form.getByRole('button', { name: "S'inscrire" }).click();
  const dialog = page.getByRole('dialog', { name: "Confirmer l'inscription" });
  await page.locator('[data-island="payment"][data-state="ready"]').waitFor({ state: 'attached' });
  await dialog.getByRole('button', { name: 'Payer 15 000 XAF' }).click();
  await page.frameLocator('#zitopayPaymentIframe').getByRole('button', { name: 'Approuver le paiement' }).click();
  await dialog.getByText('Paiement réussi !', { exact: true }).waitFor();
  console.log('paid');
  await page.waitForURL('/user/dashboard');
  await page
    .getByRole('link', { name: `Continuer ${prepa}` })
    .first()
    .click();
  await page.getByRole('link', { name: discipline, exact: true }).click();
  await page.getByText('Suivant', { exact: true }).click();
  await page.waitForURL(/item=\d+/);
  if ((await page.getByText('Accès limité').count()) > 0) throw new Error('the access is still limited');
  const pictures = join(folder, 'pictures');
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, 'study.png') });
  console.log(`studies: ${await page.title()}`);
  const secured = await page.evaluate(async () => (await fetch('/favicon.svg')).headers.get('strict-transport-security'));
  if (secured === null) throw new Error('no HSTS');
  if (failures.length > 0) throw new Error(failures.join('\n'));
} finally {
  await browser.close();
}
