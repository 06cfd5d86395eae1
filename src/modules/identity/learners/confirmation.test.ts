import t from 'tap';
import { asWritten, call, submit, visit } from '../../../../test/support/app.ts';
import { ask, choose, follow, password, sharedSite } from '../../../../test/support/password-reset.ts';
import { faultsOf, production } from '../../../../test/support/settings.ts';
import { sql } from '../../../../test/support/sql.ts';

const path = '/confirmer-mon-adresse';
const open = await sharedSite(t);
const confirming = { CONFIRM_EMAIL: 'on', PASSWORD_RESETS_PER_ACCOUNT_HOUR: '2' };
const band = 'Confirmez votre adresse';

const tokenIn = (text: string) => /https:\/\/prepa\.example\/confirmer-mon-adresse\?jeton=([\w-]{43})\s/.exec(text)?.[1] ?? '';
type Site = Awaited<ReturnType<typeof open>>;

/** Returns whether the dashboard and the profile ask the learner to confirm their address. */
async function asked({ app, email }: Site, session: string): Promise<boolean[]> {
  const pages = await Promise.all(['/user/dashboard', '/user/profil'].map((url) => visit(app, url, session)));
  return pages.map(({ body }) => asWritten(body).includes(band) && body.includes(email));
}
const confirmedAt = async ({ databaseUrl, id }: Site) =>
  (await sql<{ at: Date | null }>(databaseUrl, 'select email_confirmed_at as at from app_user where id = $1', [id]))[0]?.at ?? null;

/** Follows a link and returns the browser's cookies, with the session. */
async function cookiesOf({ app }: Site, token: string, session: string): Promise<string> {
  const followed = await visit(app, `${path}?jeton=${token}`);
  t.match(followed, { statusCode: 303, headers: { location: path, 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' } });
  const name = '__Secure-confirmationToken';
  return `${session}; ${name}=${followed.cookies.find((cookie) => cookie.name === name)?.value}`;
}

t.test('an address is confirmed by its link, and no feature is withheld until then', async (t) => {
  const site = await open(t, confirming);
  const { app, post, username, email, token, databaseUrl, id, log, clock } = site;
  const session = `userToken=${token}`;
  const letter = await post.next();
  t.match(letter, { to: email, subject: 'Confirmez votre adresse sur PrépaConcours' });
  const secret = tokenIn(letter.text);
  t.match(secret, /^[\w-]{43}$/);
  for (const part of [letter.text, letter.html]) t.match(part, `Bonjour ${username},`);
  t.match(letter.html, secret);
  t.same(await asked(site, session), [true, true]);
  t.equal((await visit(app, '/user/preparations', session)).statusCode, 200);

  t.match(
    await visit(app, path),
    { statusCode: 303, headers: { location: `/?connexion=1&suite=${encodeURIComponent(path)}` } },
    'a visitor is redirected to the sign-in',
  );
  const cookies = await cookiesOf(site, secret, session);
  const page = await visit(app, path, cookies);
  t.match(page, { statusCode: 200, headers: { 'cache-control': 'no-store' } });
  t.match(page.body, email);
  t.notMatch(page.body, secret);
  t.equal(await confirmedAt(site), null, 'opening the page does not confirm the address');
  t.match(await submit(app, path, {}, cookies), { statusCode: 303, headers: { location: '/user/dashboard' } });
  t.same(await confirmedAt(site), clock.now());
  t.same(await asked(site, session), [false, false]);
  t.match((await visit(app, path, cookies)).body, 'est confirmée');
  t.equal((await submit(app, path, {}, cookies)).statusCode, 200, 'a second confirmation succeeds too');

  await submit(app, `${path}/renvoyer`, {}, session);
  t.notMatch(log(), secret);
  const [row] = await sql(databaseUrl, 'select confirmation_hash from app_user where id = $1', [id]);
  t.same(row, { confirmation_hash: null }, 'no e-mail for a confirmed address');
});

t.test('only the last link is valid, for a day, and only for its own account', async (t) => {
  const site = await open(t, confirming);
  const { app, post, email, clock } = site;
  const session = `userToken=${site.token}`;
  const first = tokenIn((await post.next()).text);
  const again = await submit(app, `${path}/renvoyer`, { suite: '/user/profil' }, session);
  t.match(again, { statusCode: 303, headers: { location: '/user/profil' } });
  const second = tokenIn((await post.next()).text);
  const refused = async (token: string, who = session) => {
    const answer = await submit(app, path, {}, await cookiesOf(site, token, who));
    return [answer.statusCode, asWritten(answer.body).includes("Ce lien n'est plus valable : il a déjà servi")];
  };
  t.same(await refused(first), [410, true], 'a link replaced by a newer link is refused');

  const payload = { username: 'voisine', email: 'voisine@gmail.com', password, confirmPassword: password };
  const other = (await call(app, { method: 'POST', url: '/api/users/register', payload })).json<{ token: string }>();
  await post.next();
  t.same(await refused(second, `userToken=${other.token}`), [410, true], 'the link of another learner is refused');
  t.equal(await confirmedAt(site), null);
  clock.advance(24 * 3_600_000 + 1);
  t.same(await refused(second), [410, true], 'an expired link is refused');
  t.same(await refused('x'), [410, true], 'a malformed token is refused');

  await submit(app, `${path}/renvoyer`, {}, session);
  await post.next();
  const many = await submit(app, `${path}/renvoyer`, { suite: 'https://ailleurs.example' }, session);
  t.match(many, { statusCode: 303, headers: { location: '/user/dashboard' } });
  const said = many.cookies.find(({ name }) => name === '__Host-flash')?.value ?? '';
  t.match(Buffer.from(said, 'base64url').toString(), 'Trop de messages demandés. Suivez le lien du dernier message reçu');
  await ask(app, email);
  const letter = await post.next();
  t.equal(letter.subject, 'Votre nouveau mot de passe sur PrépaConcours', 'no third e-mail was sent');
  await choose(app, await follow(app, letter));
  t.ok(await confirmedAt(site), 'a password reset by e-mail confirms the address');
});

t.test('without CONFIRM_EMAIL no e-mail is sent and no page asks for a confirmation', async (t) => {
  const site = await open(t);
  t.same(await asked(site, `userToken=${site.token}`), [false, false]);
  t.equal((await visit(site.app, path, `userToken=${site.token}`)).statusCode, 404);
  t.equal(site.post.arrived(), 0);
  t.same(faultsOf({ ...production, CONFIRM_EMAIL: 'on' }), ['CONFIRM_EMAIL demande SMTP_URL']);
});
