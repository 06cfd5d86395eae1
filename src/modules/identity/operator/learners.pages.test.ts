import t from 'tap';
import { asWritten, call, createTestApp, submit, visit } from '../../../../test/support/app.ts';
import { createAdministrator, createEnrolment, createLearner, createPrepa } from '../../../../test/support/factories.ts';
import { sql } from '../../../../test/support/sql.ts';
import { hashToken, newToken } from '../accounts/token.ts';

// Actions of super administrators on a learner: find, sign out, block, unblock.

const home = await createTestApp(t);
const { app, databaseUrl, clock } = home;
const boss = await createAdministrator(home, 'super_admin');
const password = 'Concours-2026';
let accounts = 0;

async function register(name = 'carine') {
  accounts += 1;
  const account = { username: `${name}_${accounts}`, email: `${name}.${accounts}@gmail.com` };
  const answer = await call(app, {
    method: 'POST',
    url: '/api/users/register',
    payload: { ...account, password, confirmPassword: password },
  });
  return { ...account, id: answer.json().user.id as string, token: answer.json().token as string };
}
const signIn = (email: string, typed = password) =>
  call(app, { method: 'POST', url: '/api/users/login', payload: { email, password: typed } });
const verify = (token: string) => app.inject({ url: '/api/users/verify', headers: { authorization: `Bearer ${token}` } });
const page = async (address: string) => asWritten((await visit(app, address, boss.session)).body).replaceAll('&#39;', "'");
const act = (id: string, name: string, fields: Record<string, string> = {}) =>
  submit(app, `/admin/candidats/${id}/${name}`, fields, boss.session);
const journal = (id: string) =>
  sql(databaseUrl, 'select action, actor, label, after from audit_entry where subject = $1 and subject_id = $2 order by id', [
    'learner',
    id,
  ]);
const blockedMessage = 'Votre compte est bloqué. Pour savoir pourquoi, écrivez à support@prepaconcours.cm ou appelez le +237 222 00 00 00.';

t.test('learners are found by the start of their e-mail or username, ignoring case, in a list of limited length', async (t) => {
  const { username, email } = await register('zacharie');
  for (const text of [email.toUpperCase(), email.slice(0, 9), username.slice(0, 5).toUpperCase()])
    t.match(await page(`/admin/candidats?recherche=${encodeURIComponent(text)}`), email, text);
  for (const text of ['acharie', '%', '_', 'zacharie.99', "z'\\"])
    t.notMatch(await page(`/admin/candidats?recherche=${encodeURIComponent(text)}`), email, text);
  t.match(await page('/admin/candidats?recherche=personne'), "Aucun candidat dont l'adresse ou le nom commence par « personne ».");
  for (let more = 0; more < 22; more += 1) await createLearner(home);
  const listed = await page('/admin/candidats?recherche=candidat');
  t.equal(listed.split('record__title').length - 1, 20);
  t.match(listed, 'Les 20 premiers sont affichés');
  t.notMatch(await page('/admin/candidats'), 'record__title', 'no learner is listed without a search');
});

t.test('sessions are ended one by one or all at once, the devices show the reason, and the audit log records it', async (t) => {
  const { id, username, email, token } = await register();
  const second = (await signIn(email)).json().token;
  const third = (await signIn(email)).json().token;
  const shown = await page(`/admin/candidats/${id}`);
  const ids = [...shown.matchAll(/sessions\/([0-9a-f]{16})\/terminer/g)].map(([, one]) => one);
  t.equal(ids.length, 3);
  t.notMatch(shown, token);
  t.equal((await act(id, `sessions/${ids[0]}/terminer`)).statusCode, 303);
  const statuses = async () => (await Promise.all([token, second, third].map(verify))).map(({ statusCode }) => statusCode);
  t.same((await statuses()).sort(), [200, 200, 401]);
  t.equal((await act(id, `sessions/${ids[0]}/terminer`)).statusCode, 303, 'a second tap redirects to the page too');
  t.equal((await act(id, 'sessions/terminer')).statusCode, 303);
  t.same(await statuses(), [401, 401, 401]);
  t.match((await verify(token)).json(), {
    expired: true,
    message: "Votre session a été fermée par l'équipe de PrépaConcours. Vous pouvez vous reconnecter.",
  });
  t.match(await page(`/admin/candidats/${id}`), "Aucun appareil n'est connecté.");
  t.same(await journal(id), [
    { action: 'sessions-ended', actor: boss.username, label: username, after: { sessions: 1 } },
    { action: 'sessions-ended', actor: boss.username, label: username, after: { sessions: 2 } },
  ]);
  t.equal((await signIn(email)).statusCode, 200, 'signing in is still possible');
});

t.test('blocking a learner ends sessions and sign-ins and keeps enrolments and payments, and unblocking restores access', async (t) => {
  const { id, username, email, token } = await register();
  const prepa = await createPrepa(home);
  await createEnrolment(home, { id }, prepa);
  const kept = () => sql(databaseUrl, 'select statut, date_inscription, date_expiration from enrolment where user_id = $1', [id]);
  const before = await kept();
  t.equal(before.length, 1);

  const refused = await act(id, 'bloquer', { raison: '  ' });
  t.equal(refused.statusCode, 400);
  t.match(refused.body, 'Donnez une raison, de 1 à 300 caractères.');
  t.equal((await verify(token)).statusCode, 200, 'a refused form ends no session');
  t.equal((await act(id, 'bloquer', { raison: 'Compte <b>partagé</b> à trois' })).statusCode, 303);
  t.match((await verify(token)).json(), { expired: true, message: blockedMessage });
  t.match(await page(`/admin/candidats/${id}`), 'Compte &lt;b>partagé&lt;/b> à trois'.replaceAll('>', '&gt;'));
  t.match(await page(`/admin/candidats?recherche=${encodeURIComponent(email)}`), 'Bloqué');

  t.match(await signIn(email), { statusCode: 403 });
  t.equal((await signIn(email)).json().message, blockedMessage);
  t.match(
    (await signIn(email, 'Faux-12345')).json(),
    { message: 'Email ou mot de passe incorrect' },
    'a wrong password does not reveal the block',
  );
  const form = await submit(app, '/api/users/login', { email, password });
  t.equal(form.statusCode, 403);
  t.match(asWritten(form.body), 'Votre compte est bloqué.');

  const letter = newToken();
  await sql(
    databaseUrl,
    `insert into password_reset (id, user_id, created_at, expires_at) values ($1, $2, now(), now() + interval '1 hour')`,
    [hashToken(letter), id],
  );
  const next = 'Nouveau-2027!';
  const reset = await call(app, {
    method: 'POST',
    url: '/nouveau-mot-de-passe',
    payload: { password: next, confirmPassword: next },
    session: `resetToken=${letter}`,
  });
  t.equal(reset.statusCode, 200);
  t.equal((await signIn(email, next)).statusCode, 403, 'a new password does not sign in either');
  t.equal((await sql(databaseUrl, 'select id from session where user_id = $1 and expires_at > $2', [id, clock.now()])).length, 0);
  t.same(await kept(), before);

  t.equal((await act(id, 'bloquer', { raison: 'encore' })).statusCode, 303);
  t.equal((await act(id, 'debloquer', { raison: 'Il a expliqué' })).statusCode, 303);
  t.notMatch((await verify(token)).json().message, 'bloqué', 'a device does not show a block that has been lifted');
  t.equal((await signIn(email, next)).statusCode, 200);
  t.same(await journal(id), [
    { action: 'blocked', actor: boss.username, label: username, after: { reason: 'Compte <b>partagé</b> à trois' } },
    { action: 'unblocked', actor: boss.username, label: username, after: { reason: 'Il a expliqué' } },
  ]);
  t.match(await page('/admin/journal'), 'Blocage du compte');
});

t.test('a sign-in concurrent with the blocking leaves no session', async (t) => {
  const { id, email } = await register();
  const [, ...answers] = await Promise.all([act(id, 'bloquer', { raison: 'Course' }), ...[1, 2, 3, 4].map(() => signIn(email))]);
  t.ok(answers.every(({ statusCode }) => statusCode === 200 || statusCode === 403));
  t.equal((await sql(databaseUrl, 'select id from session where user_id = $1 and expires_at > $2', [id, clock.now()])).length, 0);
});

t.test('unknown learners are not found', async (t) => {
  t.equal((await visit(app, `/admin/candidats/${boss.id}`, boss.session)).statusCode, 404);
  t.equal((await act(boss.id, 'bloquer', { raison: 'x' })).statusCode, 404);
  t.equal((await act(boss.id, 'sessions/terminer')).statusCode, 404);
});
