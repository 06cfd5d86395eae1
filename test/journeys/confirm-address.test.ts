// Slow: a server with settings of its own, in a browser.
import t from 'tap';
import { openSite, registerAccount } from '../support/journey.ts';
import { lookAt } from '../support/look.ts';
import { sql } from '../support/sql.ts';

// With CONFIRM_EMAIL a learner is asked to confirm their address (decision 070); without a mail server the e-mails are written to the
// server's log.

const site = await openSite(t, { CONFIRM_EMAIL: 'on' });
const account = await registerAccount(site);
const look = lookAt(t, site);

for (const [name, url] of Object.entries({ 'the dashboard': '/user/dashboard', 'the profile': '/user/profil' }))
  look(`${name} asks for the address`, { as: account }, async (page, t) => {
    const response = await page.goto(url);
    t.ok(await page.getByRole('heading', { name: 'Confirmez votre adresse' }).isVisible());
    return response;
  });

look('an expired link', { as: account, allow: [/410/] }, (page) => page.goto('/confirmer-mon-adresse'));

look('a link from an e-mail', { as: account }, async (page) => {
  const token = 'a'.repeat(43);
  await sql(
    site.databaseUrl,
    `update app_user set confirmation_hash = encode(sha256($1::bytea), 'hex'), confirmation_expires_at = now() + interval '1 day'`,
    [token],
  );
  return page.goto(`/confirmer-mon-adresse?jeton=${token}`);
});
