// Slow: many passwords are hashed and many codes are checked.
import { Secret, TOTP } from 'otpauth';
import t from 'tap';
import { asWritten, call, createTestApp, submit, visit } from '../../../../test/support/app.ts';
import { assertValidHtml } from '../../../../test/support/page-checks.ts';
import { ensureDemoAdministrator, issueAdministratorReset, resetSecondFactor, terminal, unlockAccounts } from '../index.ts';

const home = await createTestApp(t, { ADMIN_SECRETS_KEY: 'une-cle-de-test-tiree-au-hasard-0123456789' });
const { app, kernel, clock } = home;
const password = 'Concours-2026!';
const minute = 60_000;
const rows = <Row extends object>(text: string, values: unknown[] = []) => kernel.fork().execute<Row[]>(text, values);
const log = (username: string) =>
  rows<{ action: string; actor: string; network: string | null; after: { etape?: string } | null }>(
    'select action, actor, network, after from audit_entry where label = ? order by id',
    [username],
  );

let serial = 0;
async function createAccount(role: 'admin' | 'super_admin' = 'admin') {
  serial += 1;
  const account = { username: `responsable_${serial}`, email: `responsable${serial}@prepa.example`, password, role };
  await ensureDemoAdministrator(kernel.fork(), kernel.context, account);
  return account;
}
const cookieOf = (answer: { cookies: { name: string; value: string }[] }, name: string) => {
  const value = answer.cookies.find((cookie) => cookie.name === name)?.value;
  return value ? `${name}=${value}` : '';
};
const signIn = (payload: object) => call(app, { method: 'POST', url: '/api/admin/login', payload });
async function sessionOf({ email }: { email: string }): Promise<string> {
  return cookieOf(await signIn({ email, password }), 'adminToken');
}
const codeAt = (secret: string, ms = clock.now().getTime()) => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: ms });

/** Sets up a second factor in a session, through its pages. */
async function setUp(session: string) {
  await submit(app, '/admin/compte/deux-etapes', {}, session);
  const { body } = await visit(app, '/admin/compte/deux-etapes', session);
  const secret = /id="secret">([^<]+)</.exec(body)?.[1]?.replaceAll(' ', '') ?? '';
  const confirmed = await submit(app, '/admin/compte/deux-etapes/confirmer', { code: codeAt(secret) }, session);
  const codes = [...confirmed.body.matchAll(/<li><code>(.*?)<\/code>/g)].map(([, code = '']) => code);
  // Advance the clock, so that the next code differs.
  clock.advance(minute);
  return { secret, codes, confirmed };
}
async function createProtected(role: 'admin' | 'super_admin' = 'admin') {
  const account = await createAccount(role);
  const session = await sessionOf(account);
  return { ...account, session, ...(await setUp(session)) };
}
/** Signs in with a right password and returns the cookie of the pending sign-in. */
async function beginSignIn({ email }: { email: string }) {
  const answer = await submit(app, '/admin/login', { email, password, suite: '/admin/cles' });
  t.equal(answer.headers.location, '/admin/connexion/code?suite=%2Fadmin%2Fcles');
  t.equal(cookieOf(answer, 'adminToken'), '', 'the right password alone opens no session');
  return cookieOf(answer, 'adminSignIn');
}
const giveCode = (pending: string, code: string) => submit(app, '/admin/connexion/code', { code, suite: '/admin/cles' }, pending);

t.test('set-up: the factor is active only after its first code, which ends the other sessions', async (t) => {
  const account = await createAccount();
  const session = await sessionOf(account);
  const other = await sessionOf(account);
  await submit(app, '/admin/compte/deux-etapes', {}, session);
  const page = await visit(app, '/admin/compte/deux-etapes', session);
  t.equal(page.headers['cache-control'], 'no-store');
  t.match(page.body, '<svg class="qr-code"');
  await assertValidHtml(t, page.body, 'the page with the picture');
  const wrong = await submit(app, '/admin/compte/deux-etapes/confirmer', { code: '000000' }, session);
  t.equal(wrong.statusCode, 401);
  t.match(wrong.body, 'Code incorrect ou déjà utilisé');
  t.equal(
    (await signIn({ email: account.email, password })).statusCode,
    200,
    'an unconfirmed second factor is not required at the sign-in',
  );
  t.match(
    await rows('select secret from second_factor where administrator_id = (select id from administrator where email = ?)', [account.email]),
    [{ secret: null }],
  );

  const { codes, confirmed, secret } = await setUp(session);
  t.equal(confirmed.headers['cache-control'], 'no-store');
  t.equal(new Set(codes).size, 10);
  for (const code of codes) t.match(code, /^([2-9A-Z]{4}-){3}[2-9A-Z]{4}$/);
  await assertValidHtml(t, confirmed.body, 'the recovery codes');
  t.equal((await visit(app, '/admin/compte', other)).statusCode, 303, 'other sessions end when the second factor is set');
  const { body } = await visit(app, '/admin/compte', session);
  t.match(body, 'Active depuis le');
  t.match(body, 'Il vous reste 10 codes de secours.');
  const stored = JSON.stringify(await rows('select f.*, r.* from second_factor f, recovery_code r'));
  for (const kept of [secret, ...codes, ...codes.map((code) => code.replaceAll('-', ''))])
    t.notOk(stored.includes(kept), 'no secret is stored in clear');
  t.equal(
    (await submit(app, '/admin/compte/deux-etapes/confirmer', { code: codeAt(secret) }, session)).statusCode,
    409,
    'a second factor is confirmed once',
  );
  t.equal((await log(account.username)).filter(({ action }) => action === 'second-factor-set').length, 1);
});

t.test('the second step: a pending sign-in opens no page, and a code opens one session', async (t) => {
  const account = await createProtected();
  const pending = await beginSignIn(account);
  const page = await visit(app, '/admin/connexion/code?suite=/admin/cles', pending);
  t.equal(page.statusCode, 200);
  await assertValidHtml(t, page.body, 'the page of the code');
  const token = pending.split('=')[1] ?? '';
  for (const session of [pending, `adminToken=${token}`]) t.equal((await visit(app, '/admin/dashboard', session)).statusCode, 303);
  t.equal((await app.inject({ url: '/api/prepas', headers: { authorization: `Bearer ${token}` } })).statusCode, 401);

  for (const code of ['', '12345', '000000']) t.match((await giveCode(pending, code)).statusCode, /40[01]/, code);
  const code = codeAt(account.secret);
  const opened = await giveCode(pending, `${code.slice(0, 3)} ${code.slice(3)}`);
  t.equal(opened.statusCode, 303, opened.body);
  t.equal(opened.headers.location, '/admin/cles');
  t.equal((await visit(app, '/admin/dashboard', cookieOf(opened, 'adminToken'))).statusCode, 200);
  const again = await giveCode(pending, codeAt(account.secret, clock.now().getTime() + 30_000));
  t.equal(again.headers.location, '/admin/connexion?suite=%2Fadmin%2Fcles', 'a pending sign-in can be completed once');

  const replayed = await giveCode(await beginSignIn(account), code);
  t.equal(replayed.statusCode, 401, 'a used code is refused');
  const earlier = await giveCode(await beginSignIn(account), codeAt(account.secret, clock.now().getTime() - 30_000));
  t.equal(earlier.statusCode, 401, 'a code earlier than the last used code is refused');
  const late = codeAt(account.secret, clock.now().getTime() + 90_000);
  t.equal((await giveCode(await beginSignIn(account), late)).statusCode, 401, 'a code three steps ahead is refused');
  t.equal(
    (await giveCode(await beginSignIn(account), codeAt(account.secret, clock.now().getTime() + 30_000))).statusCode,
    303,
    'a code one step ahead is accepted',
  );

  const slow = await beginSignIn(account);
  clock.advance(5 * minute);
  const gone = await giveCode(slow, codeAt(account.secret));
  t.equal(gone.headers.location, '/admin/connexion?suite=%2Fadmin%2Fcles');
  t.equal(
    (await visit(app, '/admin/connexion/code', slow)).headers.location,
    '/admin/connexion',
    'a pending sign-in ends after five minutes',
  );
  const steps = (await log(account.username)).filter(({ action }) => action.startsWith('sign'));
  t.match(steps.at(-1), { action: 'signed-in', actor: account.username, network: '127.0.0.1', after: { etape: 'mot de passe et code' } });
  t.match(steps.at(-2), { action: 'sign-in-failed', actor: 'visiteur', network: '127.0.0.1', after: { etape: 'code' } });
});

t.test('of two concurrent uses of one code only one opens a session', async (t) => {
  const account = await createProtected();
  for (const code of [codeAt(account.secret), account.codes[0] ?? '']) {
    const pending = [await beginSignIn(account), await beginSignIn(account)];
    const answers = await Promise.all(pending.map((one) => giveCode(one, code)));
    t.same(answers.map(({ statusCode }) => statusCode).sort(), [303, 401]);
  }
});

t.test('an API sign-in can include the code, and follows the specification without a second factor', async (t) => {
  const plain = await createAccount();
  const asSpecified = await signIn({ email: plain.email, password });
  t.same(Object.keys(asSpecified.json()), ['message', 'token', 'adminId', 'role']);

  const account = await createProtected('super_admin');
  const asked = await signIn({ email: account.email, password });
  t.equal(asked.statusCode, 401);
  t.same(asked.json(), {
    message: "Un code de votre application d'authentification est demandé.",
    errors: [{ field: 'code', message: 'Le code est requis' }],
    secondFactor: true,
  });
  t.not(cookieOf(asked, 'adminSignIn'), '', 'the sign-in page continues with this cookie');
  const wrong = await signIn({ email: account.email, password, code: '000000' });
  t.equal(wrong.statusCode, 401);
  t.equal(wrong.json().message, 'Code incorrect ou déjà utilisé');
  const unknown = await signIn({ email: account.email, password: 'Faux-12345!', code: codeAt(account.secret) });
  t.same(unknown.json(), { message: 'Email ou mot de passe incorrect' }, 'the code is not mentioned before the password is right');
  const right = await signIn({ email: account.email, password, code: codeAt(account.secret) });
  t.equal(right.statusCode, 200, right.body);
  t.same(Object.keys(right.json()), ['message', 'token', 'adminId', 'role']);
});

t.test('a recovery code works once, and new codes replace all earlier codes', async (t) => {
  const account = await createProtected();
  const [first = '', second = ''] = account.codes;
  const opened = await giveCode(await beginSignIn(account), first.toLowerCase().replaceAll('-', ' '));
  t.equal(opened.statusCode, 303);
  t.equal((await giveCode(await beginSignIn(account), first)).statusCode, 401, 'a used recovery code is refused');
  const session = cookieOf(opened, 'adminToken');
  t.match((await visit(app, '/admin/compte', session)).body, 'Il vous reste 9 codes de secours.');
  const stranger = await createProtected();
  t.equal((await giveCode(await beginSignIn(stranger), second)).statusCode, 401, 'a recovery code of another account is refused');

  const renewed = await submit(app, '/admin/compte/deux-etapes/codes', {}, session);
  const [fresh = ''] = [...renewed.body.matchAll(/<li><code>(.*?)<\/code>/g)].map(([, code = '']) => code);
  t.equal((await giveCode(await beginSignIn(account), second)).statusCode, 401, 'a code of the replaced set is refused');
  t.equal((await giveCode(await beginSignIn(account), fresh)).statusCode, 303);
  const written = (await log(account.username)).map(({ action, after }) => [action, after?.etape].filter(Boolean).join(', '));
  t.same(written.slice(-4), [
    'sign-in-failed, code de secours',
    'codes-renewed',
    'sign-in-failed, code de secours',
    'signed-in, mot de passe et code de secours',
  ]);
});

t.test('guesses of codes are limited, and the command line resets the count', async (t) => {
  const account = await createProtected();
  const pending = await beginSignIn(account);
  const statuses = [];
  for (let guess = 0; guess < 11; guess += 1) statuses.push((await giveCode(pending, String(100_000 + guess))).statusCode);
  t.same(statuses, [...Array.from({ length: 10 }, () => 401), 429]);
  t.equal((await giveCode(pending, codeAt(account.secret))).statusCode, 429, 'a right code is refused too while the limit lasts');
  t.equal((await signIn({ email: account.email, password, code: codeAt(account.secret) })).statusCode, 429);
  const entries = await log(account.username);
  t.equal(entries.filter(({ action }) => action === 'sign-in-failed').length, 10);
  t.equal(entries.filter(({ action }) => action === 'attempts-limited').length, 1, 'the limit is recorded once');
  await unlockAccounts(kernel.fork(), kernel.context, terminal, account.email);
  t.equal((await giveCode(pending, codeAt(account.secret))).statusCode, 303);
});

t.test('a new application replaces the one in use with its first code', async (t) => {
  const account = await createProtected();
  await submit(app, '/admin/compte/deux-etapes', {}, account.session);
  t.equal(
    (await giveCode(await beginSignIn(account), codeAt(account.secret))).statusCode,
    303,
    'the first application is valid until the second is confirmed',
  );
  clock.advance(minute);
  const { secret } = await setUp(account.session);
  t.equal((await giveCode(await beginSignIn(account), codeAt(account.secret))).statusCode, 401);
  t.equal((await giveCode(await beginSignIn(account), codeAt(secret))).statusCode, 303);
});

t.test('the owner removes the factor after a confirmation page, and the command line removes a lost factor', async (t) => {
  const account = await createProtected();
  t.match(
    asWritten((await visit(app, '/admin/compte/deux-etapes/retirer', account.session)).body),
    'Retirer la validation en deux étapes ?',
  );
  t.equal((await submit(app, '/admin/compte/deux-etapes/retirer', {}, account.session)).headers.location, '/admin/compte');
  t.equal((await signIn({ email: account.email, password })).statusCode, 200);

  const lost = await createProtected();
  const { removed } = await resetSecondFactor(kernel.fork(), kernel.context, terminal, lost.email.toUpperCase());
  t.ok(removed);
  t.equal((await visit(app, '/admin/compte', lost.session)).statusCode, 303, 'removing a lost factor ends the sessions');
  t.equal((await signIn({ email: lost.email, password })).statusCode, 200);
  t.match((await log(lost.username)).slice(-2), [
    { action: 'second-factor-removed', actor: 'terminal', network: null },
    { action: 'signed-in', after: { etape: 'mot de passe' } },
  ]);
  t.same((await resetSecondFactor(kernel.fork(), kernel.context, terminal, lost.email)).removed, false);
  await t.rejects(resetSecondFactor(kernel.fork(), kernel.context, terminal, 'personne@prepa.example'), {
    message: "Aucun administrateur n'a cette adresse électronique.",
  });
});

t.test('an unfinished set-up is discarded with the sessions, by a new password and by the command line', async (t) => {
  const secretOf = async (session: string) =>
    /id="secret">([^<]+)</.exec((await visit(app, '/admin/compte/deux-etapes', session)).body)?.[1] ?? null;
  for (const free of [
    async ({ email }: { email: string }) => {
      const { key } = await issueAdministratorReset(kernel.fork(), kernel.context, terminal, email);
      await submit(app, '/admin/mot-de-passe', { email, key, password, confirmPassword: password });
    },
    ({ email }: { email: string }) => resetSecondFactor(kernel.fork(), kernel.context, terminal, email),
  ]) {
    const account = await createAccount('super_admin');
    const session = await sessionOf(account);
    await submit(app, '/admin/compte/deux-etapes', {}, session);
    t.ok(await secretOf(session));
    await free(account);
    const anew = await sessionOf(account);
    t.equal(await secretOf(anew), null, 'a set-up begun before the reset is dropped, since its secret is known');
  }
});

t.test('a sealed secret can be opened only for its owner and with its key', async (t) => {
  const [one, other] = [await createProtected(), await createProtected()];
  await rows(
    `update second_factor set secret = (select f.secret from second_factor f join administrator a on a.id = f.administrator_id where a.email = ?)
     where administrator_id = (select id from administrator where email = ?)`,
    [one.email, other.email],
  );
  t.equal((await giveCode(await beginSignIn(other), codeAt(one.secret))).statusCode, 503);
  t.equal((await giveCode(await beginSignIn(other), other.codes[0] ?? '')).statusCode, 303, 'recovery codes need no key');
});

t.test('a key from the command line allows one new password within an hour and keeps the second factor', async (t) => {
  const account = await createProtected();
  const { key } = await issueAdministratorReset(kernel.fork(), kernel.context, terminal, account.email);
  const newPassword = 'Nouveau-2027!';
  const use = (key: string, email = account.email) =>
    submit(app, '/admin/mot-de-passe', { email, key, password: newPassword, confirmPassword: newPassword });
  const refused = 'Cette clé ne correspond pas à cette adresse, a déjà servi, ou a plus d&#39;une heure.';
  const other = await createAccount();
  for (const [wrong, email] of [
    ['AAAA-BBBB-CCCC-DDDD-EEEE-FFFF', account.email],
    [key, other.email],
    [key, 'personne@prepa.example'],
  ] as const) {
    const answer = await use(wrong, email);
    t.equal(answer.statusCode, 403);
    t.match(answer.body, refused);
    t.notMatch(answer.body, wrong, 'the typed key is not sent back');
  }
  const short = await submit(app, '/admin/mot-de-passe', { email: account.email, key, password: 'court', confirmPassword: 'court' });
  t.equal(short.statusCode, 400);
  await assertValidHtml(t, short.body, 'the refused form');
  const pending = await beginSignIn(account);
  const answer = await use(key.toLowerCase().replaceAll('-', ' '));
  t.equal(answer.headers.location, '/admin/connexion', answer.body);
  t.equal((await use(key)).statusCode, 403, 'a key works once');
  t.equal((await visit(app, '/admin/compte', account.session)).statusCode, 303, 'a new password ends the sessions');
  t.equal(
    (await giveCode(pending, codeAt(account.secret))).headers.location,
    '/admin/connexion?suite=%2Fadmin%2Fcles',
    'a new password ends pending sign-ins',
  );
  t.equal((await signIn({ email: account.email, password })).statusCode, 401);
  t.equal((await signIn({ email: account.email, password: newPassword })).json().secondFactor, true);

  const { key: replaced } = await issueAdministratorReset(kernel.fork(), kernel.context, terminal, account.email);
  const { key: late } = await issueAdministratorReset(kernel.fork(), kernel.context, terminal, account.email);
  t.equal((await use(replaced)).statusCode, 403, 'a key replaced by a newer key is refused');
  clock.advance(60 * minute);
  t.equal((await use(late)).statusCode, 403, 'a key is refused after an hour');
  const stored = JSON.stringify(await rows('select * from administrator_reset r, audit_entry e'));
  for (const one of [key, replaced, late]) t.notOk(stored.includes(one));
  t.match(
    (await log(account.username)).filter(({ action }) => /reset/.test(action)).map(({ action, actor }) => `${action} ${actor}`),
    ['reset-issued terminal', `password-reset ${account.username}`, 'reset-issued terminal', 'reset-issued terminal'],
  );
});
