// Slow: many passwords are hashed and many codes are checked.
import { Secret, TOTP } from 'otpauth';
import t from 'tap';
import { asWritten, call, createTestApp, submit, visit } from '../../../../test/support/app.ts';
import { createLearner, createPayment, createPrepa } from '../../../../test/support/factories.ts';
import { assertValidHtml } from '../../../../test/support/page-checks.ts';
import { ensureDemoAdministrator } from '../index.ts';

const home = await createTestApp(t, { SUPER_ADMIN_SECOND_FACTOR: 'required' });
const { app, kernel, clock } = home;
const password = 'Concours-2026!';
const minute = 60_000;
const rows = <Row extends object>(text: string, values: unknown[] = []) => kernel.fork().execute<Row[]>(text, values);
const actions = async (username: string) =>
  (await rows<{ action: string }>('select action from audit_entry where label = ? order by id', [username])).map(({ action }) => action);

let serial = 0;
async function createAccount(role: 'admin' | 'super_admin' = 'admin') {
  serial += 1;
  const account = { username: `responsable_${serial}`, email: `responsable${serial}@prepa.example`, password, role };
  await ensureDemoAdministrator(kernel.fork(), kernel.context, account);
  return account;
}
const cookieOf = (answer: { cookies: { name: string; value: string }[] }, name = 'adminToken') =>
  `${name}=${answer.cookies.find((cookie) => cookie.name === name)?.value}`;
const signIn = (payload: object, userAgent = 'Firefox/132.0 (X11; Linux x86_64)') =>
  call(app, { method: 'POST', url: '/api/admin/login', payload, headers: { 'user-agent': userAgent } });
const sessionOf = async ({ email }: { email: string }) => cookieOf(await signIn({ email, password }));

/** Creates a super administrator with the required second factor, in a fresh session. */
async function createBoss() {
  const account = await createAccount('super_admin');
  const session = await sessionOf(account);
  await submit(app, '/admin/compte/deux-etapes', {}, session);
  const { body } = await visit(app, '/admin/compte/deux-etapes', session);
  const totp = new TOTP({ secret: Secret.fromBase32(/id="secret">([^<]+)</.exec(body)?.[1]?.replaceAll(' ', '') ?? '') });
  const code = () => totp.generate({ timestamp: clock.now().getTime() });
  await submit(app, '/admin/compte/deux-etapes/confirmer', { code: code() }, session);
  return { ...account, session, code };
}

t.test('a super administrator without a second factor is redirected to set one up first', async (t) => {
  const account = await createAccount('super_admin');
  const answer = await signIn({ email: account.email, password });
  t.same(Object.keys(answer.json()), ['message', 'token', 'adminId', 'role'], 'the response of the sign-in is as specified');
  const session = cookieOf(answer);
  for (const url of ['/admin/dashboard', '/admin/cles', '/admin/compte', '/api/docs']) {
    const led = await visit(app, url, session);
    t.equal(led.statusCode, 303, url);
    t.equal(led.headers.location, '/admin/compte/deux-etapes', url);
  }
  for (const url of ['/api/prepas', '/api/openapi.json']) {
    const refused = await call(app, { url, session });
    t.equal(refused.statusCode, 403, url);
    t.match(refused.json().message, 'validation en deux étapes');
  }
  const draft = await createPrepa(home, { isPublished: false });
  t.equal(
    (await call(app, { url: `/api/prepas/${draft.id}`, session })).statusCode,
    404,
    'the administrator is a visitor on shared routes',
  );
  const page = await visit(app, '/admin/compte/deux-etapes', session);
  t.match(asWritten(page.body), 'Elle est obligatoire pour les super administrateurs.');
  await assertValidHtml(t, page.body, 'the page that begins it');

  const boss = await createBoss();
  t.equal((await visit(app, '/admin/cles', boss.session)).statusCode, 200);
  t.notMatch((await visit(app, '/admin/compte', boss.session)).body, 'deux-etapes/retirer');
  t.equal(
    (await submit(app, '/admin/compte/deux-etapes/retirer', {}, boss.session)).statusCode,
    409,
    'the required factor can only be replaced',
  );
  const admin = await sessionOf(await createAccount());
  t.equal((await visit(app, '/admin/dashboard', admin)).statusCode, 200, 'other administrators need no second factor');
});

t.test('a refund form sent without recent confirmation is kept, and booked once confirmed', async (t) => {
  const boss = await createBoss();
  const payment = await createPayment(home, await createLearner(home), await createPrepa(home), 'succeeded');
  const refund = { raison: 'Payé deux fois\r\npar « erreur » <b>', confirmation: payment.reference.slice(-4), montant: '', vu: '0' };
  const url = `/admin/paiements/${payment.id}/rembourser`;
  const state = async () => (await rows<{ status: string }>('select status from payment where id = ?', [payment.id]))[0]?.status;
  clock.advance(15 * minute);
  const held = await submit(app, url, refund, boss.session);
  t.equal(held.statusCode, 403);
  t.match(held.body, `action="${url}"`);
  t.match(held.body, 'Ce que vous avez saisi est conservé');
  await assertValidHtml(t, held.body, 'the page that asks');
  t.equal(await state(), 'succeeded');
  const refused = await app.inject({
    method: 'POST',
    url,
    headers: { 'sec-fetch-site': 'same-origin', accept: 'application/json', cookie: boss.session },
    payload: refund,
  });
  t.equal(refused.statusCode, 403);
  t.match(refused.json(), { message: /Cette action demande votre mot de passe ou un code/, confirmation: true });

  const wrong = await submit(app, url, { ...refund, 'confirmation-identite': 'Faux-12345!' }, boss.session);
  t.equal(wrong.statusCode, 400);
  t.match(wrong.body, 'Mot de passe ou code incorrect');
  t.notMatch(wrong.body, 'Faux-12345!');
  t.match(wrong.body, 'name="raison" value="Payé deux fois');
  t.equal(await state(), 'succeeded');
  const done = await submit(app, url, { ...refund, 'confirmation-identite': boss.code() }, boss.session);
  t.equal(done.statusCode, 303);
  t.equal(await state(), 'refunded');
  t.equal((await visit(app, '/admin/paiements.csv', boss.session)).statusCode, 200, 'the confirmation also covers later actions');
  t.same((await actions(boss.username)).slice(-1), ['confirmation-failed']);
});

t.test('other actions that need a confirmation: export, keys, disabling, second factor', async (t) => {
  const boss = await createBoss();
  const colleague = await createAccount();
  const [{ id } = { id: '' }] = await rows<{ id: string }>('select id from administrator where email = ?', [colleague.email]);
  clock.advance(14 * minute);
  t.equal(
    (await visit(app, '/admin/paiements.csv', boss.session)).statusCode,
    200,
    'no confirmation is required within 15 minutes of the sign-in',
  );
  clock.advance(minute);
  for (const url of [
    '/admin/cles',
    `/admin/administrateurs/${id}/desactiver`,
    '/admin/compte/deux-etapes/codes',
    '/admin/compte/deux-etapes',
  ]) {
    const held = await submit(app, url, { role: 'admin', jours: '7' }, boss.session);
    t.equal(held.statusCode, 403, url);
    t.match(held.body, `action="${url}"`);
  }
  t.equal((await rows('select id from administration_keys')).length, 0);

  const download = await app.inject({
    url: '/admin/paiements.csv?etat=succeeded',
    headers: { accept: 'text/html', cookie: boss.session, host: 'localhost', referer: 'http://localhost/admin/paiements?etat=succeeded' },
  });
  t.equal(
    download.headers.location,
    '/admin/confirmation?suite=%2Fadmin%2Fpaiements%3Fetat%3Dsucceeded',
    'the confirmation leads to the page with the download link',
  );
  const page = await visit(app, '/admin/compte/deux-etapes', boss.session);
  t.equal(page.headers.location, '/admin/confirmation?suite=%2Fadmin%2Fcompte%2Fdeux-etapes');
  const asked = await visit(app, '/admin/confirmation?suite=https://ailleurs.example/', boss.session);
  t.match(asked.body, 'name="suite" value="/admin/dashboard"', 'an address of another site is replaced by the dashboard');
  await assertValidHtml(t, asked.body, 'the page that asks');
  t.equal((await submit(app, '/admin/confirmation', { suite: '/admin/cles', 'confirmation-identite': '' }, boss.session)).statusCode, 400);
  const confirmed = await submit(app, '/admin/confirmation', { suite: '/admin/cles', 'confirmation-identite': password }, boss.session);
  t.equal(confirmed.headers.location, '/admin/cles');
  t.equal((await submit(app, '/admin/cles', { role: 'admin', jours: '7' }, boss.session)).statusCode, 200);

  clock.advance(15 * minute);
  const used = boss.code();
  t.equal((await submit(app, '/admin/confirmation', { 'confirmation-identite': used }, boss.session)).statusCode, 303);
  t.equal(
    (await submit(app, '/admin/confirmation', { 'confirmation-identite': used }, boss.session)).statusCode,
    400,
    'a code can be used once',
  );
  const statuses = [];
  for (let guess = 0; guess < 10; guess += 1)
    statuses.push((await submit(app, '/admin/confirmation', { 'confirmation-identite': 'Faux-12345!' }, boss.session)).statusCode);
  t.same(statuses, [...Array.from({ length: 9 }, () => 400), 429], 'guesses are limited, used codes included');
  t.equal((await submit(app, '/admin/confirmation', { 'confirmation-identite': password }, boss.session)).statusCode, 429);
});

t.test('a password change needs the current password and ends all other sessions', async (t) => {
  const account = await createAccount();
  const [session, other] = [await sessionOf(account), await sessionOf(account)];
  const change = (fields: object) =>
    submit(app, '/admin/compte/mot-de-passe', { confirmPassword: 'Nouveau-2027!', password: 'Nouveau-2027!', ...fields }, session);
  const wrong = await change({ currentPassword: 'Faux-12345!' });
  t.equal(wrong.statusCode, 400);
  t.match(wrong.body, 'Le mot de passe actuel est incorrect');
  for (const typed of ['Faux-12345!', 'Nouveau-2027!']) t.notMatch(wrong.body, typed);
  await assertValidHtml(t, wrong.body, 'the refused form');
  const weak = await change({ currentPassword: password, password: 'court', confirmPassword: 'court' });
  t.match(weak.body, 'Le mot de passe doit contenir au moins 8 caractères');
  const changed = await change({ currentPassword: password });
  t.equal(changed.headers.location, '/admin/compte');
  t.equal((await visit(app, '/admin/compte', cookieOf(changed))).statusCode, 200, 'this browser gets a new session');
  for (const ended of [session, other]) t.equal((await visit(app, '/admin/compte', ended)).statusCode, 303);
  t.equal((await signIn({ email: account.email, password })).statusCode, 401);
  t.equal((await signIn({ email: account.email, password: 'Nouveau-2027!' })).statusCode, 200);
  t.same(await actions(account.username), [
    ...['signed-in', 'signed-in', 'confirmation-failed', 'password-changed', 'sign-in-failed', 'signed-in'],
  ]);
});

t.test('sessions are listed with device and network, and ended one by one or all but this one', async (t) => {
  const account = await createAccount();
  const session = await sessionOf(account);
  const phone = cookieOf(await signIn({ email: account.email, password }, 'Chrome/130.0 (Linux; Android 10; K)'));
  const third = await sessionOf(account);
  const stranger = await sessionOf(await createAccount());
  const { body } = await visit(app, '/admin/compte', session);
  await assertValidHtml(t, body, 'the account');
  t.equal(body.split('depuis le réseau 127.0.0.1').length - 1, 3);
  t.equal(body.split('Cet appareil').length - 1, 1);
  const shown = /sessions\/(\w+)\/terminer"><button[^>]*>Déconnecter<span[^>]*> Chrome, Android/.exec(body)?.[1] ?? '';
  t.equal(
    (await submit(app, `/admin/compte/sessions/${shown}/terminer`, {}, stranger)).statusCode,
    303,
    'another account cannot end the session',
  );
  t.equal((await visit(app, '/admin/compte', phone)).statusCode, 200);
  await submit(app, `/admin/compte/sessions/${shown}/terminer`, {}, session);
  t.equal((await visit(app, '/admin/compte', phone)).statusCode, 303);
  t.equal((await visit(app, '/admin/compte', third)).statusCode, 200);
  await submit(app, '/admin/compte/sessions/terminer-les-autres', {}, session);
  t.equal((await visit(app, '/admin/compte', third)).statusCode, 303);
  t.equal((await visit(app, '/admin/compte', session)).statusCode, 200);
  t.same((await actions(account.username)).slice(3), ['sessions-ended', 'sessions-ended']);
});

t.test('the log records failures with account and network, and strangers cannot flood it', async (t) => {
  const account = await createAccount();
  const failures = () =>
    rows<{ action: string; actor: string; label: string; network: string }>(
      "select action, actor, label, network from audit_entry where action in ('sign-in-failed', 'attempts-limited') and label in (?, 'Compte inconnu') order by id",
      [account.username],
    );
  const before = (await failures()).length;
  for (let n = 0; n < 12; n += 1) await signIn({ email: account.email, password: `Secret-${n}-tape!` });
  for (let n = 0; n < 40; n += 1) await signIn({ email: `personne${n}@prepa.example`, password: 'Secret-tape!' });
  const written = (await failures()).slice(before);
  const of = (label: string, action: string) => written.filter((entry) => entry.label === label && entry.action === action).length;
  t.equal(of(account.username, 'sign-in-failed'), 10);
  t.equal(of(account.username, 'attempts-limited'), 1);
  t.equal(of('Compte inconnu', 'sign-in-failed'), 20, '20 failures per hour are recorded for all unknown accounts together');
  for (const { actor, network } of written) t.same({ actor, network }, { actor: 'visiteur', network: '127.0.0.1' });
  const stored = JSON.stringify(await rows('select * from audit_entry'));
  t.notMatch(stored, 'tape!');
  t.notMatch(stored, 'personne1@', 'an address without an account is not stored');

  const boss = await createBoss();
  const { body } = await visit(app, '/admin/journal?administrateur=visiteur&action=sign-in-failed', boss.session);
  t.match(asWritten(body), 'Connexion refusée : Administrateur');
  t.match(body, /par <strong>un visiteur<\/strong>, depuis 127\.0\.0\.1/);
  t.notMatch((await visit(app, '/admin/journal?administrateur=terminal', boss.session)).body, 'un visiteur');
});
