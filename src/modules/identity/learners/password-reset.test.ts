import t from 'tap';
import { asWritten, call, createTestApp, submit, visit } from '../../../../test/support/app.ts';
import { ask, choose, follow, linkOf, next, password, sharedSite, signIn } from '../../../../test/support/password-reset.ts';
import { holding, sql, untilBlocked } from '../../../../test/support/sql.ts';
import { withoutReplicas } from '../../../../test/support/topology.ts';

const said = "Si un compte existe avec cette adresse, un message vient d'y être envoyé.";
const gone = "Ce lien n'est plus valable : il a déjà servi, un autre l'a remplacé, ou il a plus d'une heure.";

const open = await sharedSite(t);

t.test('from the e-mail to the sign-in, no address, log or table holds the token', async (t) => {
  const { app, post, id, username, email, token: session, databaseUrl, log } = await open(t);
  t.match(asWritten((await visit(app, '/login')).body), '<a href="/mot-de-passe-oublie">Mot de passe oublié ?</a>');
  const answer = await ask(app, ` ${email.toUpperCase()} `);
  t.match(answer, { statusCode: 303, headers: { location: '/mot-de-passe-oublie?envoye=1' } });
  t.match((await visit(app, '/mot-de-passe-oublie?envoye=1')).body, said);

  const letter = await post.next();
  t.match(letter, { to: email, subject: 'Votre nouveau mot de passe sur PrépaConcours' });
  for (const part of [letter.text, letter.html]) {
    t.match(part, `Bonjour ${username},`);
    t.match(part, /Ce lien est valable 1 heure et ne sert qu(&#39;|')une fois\./);
    t.match(part, /Vous n(&#39;|')avez rien demandé \? Ne faites rien : votre mot de passe reste le même\./);
  }
  const [, path = '', token = ''] = linkOf(letter);
  t.match(letter.html, `href="https://prepa.example${path}"`);
  const [row] = await sql<{ id: string }>(databaseUrl, 'select id from password_reset where user_id = $1', [id]);
  t.match(row?.id, /^[0-9a-f]{64}$/);

  const followed = await visit(app, path);
  t.match(followed, {
    statusCode: 303,
    headers: { location: '/nouveau-mot-de-passe', 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' },
  });
  t.match(
    followed.cookies.find(({ name }) => name === '__Secure-resetToken'),
    { value: token, httpOnly: true, secure: true, sameSite: 'Lax', path: '/nouveau-mot-de-passe', maxAge: 3600 },
  );
  const cookie = `__Secure-resetToken=${token}`;
  const page = await visit(app, '/nouveau-mot-de-passe', cookie);
  t.match(page, { statusCode: 200, headers: { 'cache-control': 'no-store' } });
  t.match(page.body, email);
  t.match(page.body, '<meta name="robots" content="noindex">');
  t.notMatch(page.body, token);

  const refused = await choose(app, cookie, { password: 'court', confirmPassword: 'autre' });
  t.equal(refused.statusCode, 400);
  t.match(refused.body, 'Le mot de passe doit contenir au moins 8 caractères');
  t.match(refused.body, 'Les mots de passe doivent correspondre');
  t.notMatch(refused.body, /court|autre"/);

  const changed = await choose(app, `${cookie}; __Host-userToken=${session}`);
  t.match(changed, { statusCode: 303, headers: { location: '/login' } });
  t.same(
    changed.cookies.map(({ name, value }) => [name, value]).filter(([name]) => name !== '__Host-flash' && name !== '__Host-deviceToken'),
    [
      ['__Secure-resetToken', ''],
      ['__Host-userToken', ''],
    ],
    'the link itself does not sign in',
  );
  const flash = changed.cookies.find(({ name }) => name === '__Host-flash')?.value;
  t.match((await visit(app, '/login', `__Host-flash=${flash}`)).body, 'Votre mot de passe est changé. Connectez-vous avec le nouveau.');
  const before = await app.inject({ url: '/api/users/verify', headers: { authorization: `Bearer ${session}` } });
  t.equal(before.statusCode, 401, 'every session has ended');
  t.same([await signIn(app, email, password), await signIn(app, email, next.password)], [401, 200]);
  for (const secret of [token, row?.id, email, email.toLowerCase(), next.password]) t.notMatch(log(), secret);
});

t.test("the learner's original destination is kept through the e-mail and the sign-in", async (t) => {
  const { app, post, email } = await open(t);
  const suite = '/user/dashboard?paiement=7&q=ens';
  const kept = 'suite=%2Fuser%2Fdashboard%3Fpaiement%3D7%26q%3Dens';
  const hidden = '<input type="hidden" name="suite" value="/user/dashboard?paiement=7&amp;q=ens">';
  t.match((await visit(app, `/login?${kept}`)).body, `href="/mot-de-passe-oublie?${kept}"`);

  const page = await visit(app, `/mot-de-passe-oublie?${kept}`);
  t.match(page.body, hidden);
  t.match(page.body, `href="/login?${kept}"`);
  t.match((await submit(app, '/mot-de-passe-oublie', { email: 'faux', suite })).body, hidden, 'a refused form keeps the destination');
  const asked = await submit(app, '/mot-de-passe-oublie', { email, suite });
  t.equal(asked.headers.location, `/mot-de-passe-oublie?envoye=1&${kept}`);
  const sent = await visit(app, String(asked.headers.location));
  t.match(sent.body, `href="/mot-de-passe-oublie?${kept}">recommencez`);
  t.match(sent.body, `href="/login?${kept}"`);

  const letter = await post.next();
  const [, path = '', token = ''] =
    /https:\/\/prepa\.example(\/nouveau-mot-de-passe\?jeton=([\w-]{43})&suite=\S+)\s/.exec(letter.text) ?? [];
  t.match(letter.html, `href="https://prepa.example${path.replace('&', '&amp;')}"`);
  const followed = await visit(app, path);
  t.equal(followed.headers.location, `/nouveau-mot-de-passe?${kept}`);
  const cookie = `__Secure-resetToken=${token}`;
  t.match((await visit(app, String(followed.headers.location), cookie)).body, hidden);
  t.match((await choose(app, cookie, { password: 'court', confirmPassword: 'court', suite })).body, hidden);
  const changed = await choose(app, cookie, { ...next, suite });
  t.equal(changed.headers.location, `/login?${kept}`);
  t.match((await visit(app, `/nouveau-mot-de-passe?${kept}`)).body, `href="/mot-de-passe-oublie?${kept}">Demander un nouveau lien`);
  const signedIn = await submit(app, '/api/users/login', { email, password: next.password, suite });
  t.match(signedIn, { statusCode: 303, headers: { location: suite } });
});

t.test('a destination on another site is refused', async (t) => {
  const { app, post, email } = await open(t);
  for (const suite of [
    'https://ailleurs.example/',
    '//ailleurs.example',
    '/\\ailleurs.example',
    '/.//ailleurs.example',
    'javascript:alert(1)',
  ]) {
    const query = `suite=${encodeURIComponent(suite)}`;
    t.notMatch((await visit(app, `/mot-de-passe-oublie?${query}`)).body, /name="suite"|ailleurs|alert/, suite);
    t.equal((await submit(app, '/mot-de-passe-oublie', { email, suite })).headers.location, '/mot-de-passe-oublie?envoye=1', suite);
    const letter = await post.next();
    t.notMatch(letter.text + letter.html, /suite|ailleurs/, suite);
    const [, path = ''] = linkOf(letter);
    t.equal((await visit(app, `${path}&${query}`)).headers.location, '/nouveau-mot-de-passe', suite);
    t.equal((await choose(app, await follow(app, letter), { ...next, suite })).headers.location, '/login', suite);
  }
  t.notMatch((await visit(app, '/mot-de-passe-oublie?suite=/a&suite=/b')).body, 'name="suite"');
});

t.test('a signed-in learner gets a link back to the profile, not to the sign-in', async (t) => {
  const { app, post, email, token } = await open(t);
  await ask(app, email);
  const letter = await follow(app, await post.next());
  for (const [path, cookie] of [
    ['/mot-de-passe-oublie', ''],
    ['/mot-de-passe-oublie?envoye=1&suite=/user/notifications', ''],
    ['/nouveau-mot-de-passe', letter],
    ['/nouveau-mot-de-passe?suite=/user/notifications', ''],
  ] as const) {
    const { body } = await visit(app, path, `${cookie}; __Host-userToken=${token}`);
    t.match(body, '<a href="/user/profil">Retour à mon profil</a>', path);
    t.notMatch(body, /Retour à la connexion|connectez-vous/, path);
    t.match((await visit(app, path, cookie)).body, /<a href="\/login[^"]*">Retour à la connexion<\/a>/, path);
  }
});

t.test('a link works once, only the newest, for exactly one hour', async (t) => {
  const { app, post, clock, id, email, databaseUrl } = await open(t);
  const isGone = async (cookie: string, why: string) => {
    const page = await visit(app, '/nouveau-mot-de-passe', cookie);
    t.equal(page.statusCode, 410, why);
    t.match(asWritten(page.body), /plus valable/);
    t.match(page.body, '<a class="button" href="/mot-de-passe-oublie">Demander un nouveau lien</a>');
    t.match(await choose(app, cookie), { statusCode: 410 }, why);
  };
  await ask(app, email);
  const first = await follow(app, await post.next());
  await ask(app, email);
  const second = await follow(app, await post.next());
  await isGone(first, 'a link replaced by a newer link');
  clock.advance(3_599_000);
  t.equal((await visit(app, '/nouveau-mot-de-passe', second)).statusCode, 200, 'a link is valid a second before its hour ends');
  clock.advance(1000);
  await isGone(second, 'an expired link');
  await ask(app, email);
  const third = await follow(app, await post.next());
  t.equal((await choose(app, third)).statusCode, 303);
  await isGone(third, 'a used link');
  await isGone(`__Secure-resetToken=${'x'.repeat(43)}`, 'an unknown token');
  await isGone('', 'no cookie');
  const answer = await call(app, { url: '/nouveau-mot-de-passe', session: third });
  t.match(answer, { statusCode: 410 });
  t.equal(answer.json().message, gone);
  t.equal((await sql(databaseUrl, 'select id from password_reset where user_id = $1', [id])).length, 1, 'a learner has one row');
});

t.test("two links in one browser: the first account's form does not change the second account", async (t) => {
  const { app, post, email } = await open(t);
  await ask(app, email);
  await follow(app, await post.next());
  const other = await open(t);
  await ask(app, other.email);
  const cookie = await follow(app, await post.next());
  const refused = await choose(app, cookie, { ...next, username: email });
  t.equal(refused.statusCode, 409);
  t.match(refused.body, `Pour le compte <strong>${other.email}</strong>`);
  t.match(refused.body, `name="username" autocomplete="username" value="${other.email}"`);
  t.match(asWritten(refused.body), 'Un autre lien a été ouvert dans ce navigateur');
  t.equal(await signIn(app, other.email, password), 200, 'the password of the second account is unchanged');
  t.equal((await choose(app, cookie, { ...next, username: other.email })).statusCode, 303);
});

t.test('of two concurrent uses only one succeeds', async (t) => {
  const { app, post, email, databaseUrl } = await open(t);
  await ask(app, email);
  const cookie = await follow(app, await post.next());
  const passwords = ['Premier-2027!', 'Second-2027!'];
  // Both requests have found the token valid before either may use it up.
  const uses = await holding(databaseUrl, 'lock table password_reset in exclusive mode', async () => {
    const started = passwords.map((chosen) => choose(app, cookie, { password: chosen, confirmPassword: chosen }));
    await untilBlocked(databaseUrl, 2);
    return started;
  });
  const answers = await Promise.all(uses);
  t.same(answers.map(({ statusCode }) => statusCode).sort(), [303, 410]);
  const signedIn = await Promise.all(passwords.map((chosen) => signIn(app, email, chosen)));
  t.same(
    signedIn,
    answers.map(({ statusCode }) => (statusCode === 303 ? 200 : 401)),
  );
});

t.test('of two links requested concurrently only one is valid', async (t) => {
  const { app, post, email, databaseUrl } = await open(t);
  await holding(databaseUrl, 'lock table password_reset in exclusive mode', async () => {
    await Promise.all([ask(app, email), ask(app, email)]);
    await untilBlocked(databaseUrl, 2);
  });
  const cookies = [await follow(app, await post.next()), await follow(app, await post.next())];
  const pages = await Promise.all(cookies.map((cookie) => visit(app, '/nouveau-mot-de-passe', cookie)));
  t.same(pages.map(({ statusCode }) => statusCode).sort(), [200, 410]);
});

t.test('the account is not looked up before the response', async (t) => {
  const { app, post, email, databaseUrl } = await open(t);
  const before = post.arrived();
  const answers = await holding(databaseUrl, 'lock table app_user, password_reset in access exclusive mode', async () => {
    const known = await ask(app, email);
    const unknown = await ask(app, 'personne@gmail.com');
    const elsewhere = await ask(app, 'personne@ailleurs.example');
    t.equal(post.arrived(), before);
    return [known, unknown, elsewhere];
  });
  const [known, ...others] = answers.map(({ statusCode, body, headers }) => {
    const { 'x-request-id': _id, date: _date, ...same } = headers;
    return { statusCode, body, same };
  });
  t.equal(known?.statusCode, 303);
  for (const other of others) t.same(other, known);
  t.equal((await post.next()).to, email);
  const json = (typed: string) => call(app, { method: 'POST', url: '/mot-de-passe-oublie', payload: { email: typed } });
  const [one, two] = [await json(email), await json('personne@gmail.com')];
  t.equal(one.json().message, said);
  t.equal(two.body, one.body);
  await post.next();
  t.equal(post.arrived(), before + 2, 'no e-mail to anybody else');
});

t.test('the response time does not reveal the account', async (t) => {
  const { app, email: address } = await open(t);
  const times: Record<string, number[]> = { [address]: [], 'personne@gmail.com': [] };
  for (let round = 0; round < 30; round += 1) {
    for (const [email, taken] of Object.entries(times)) {
      const start = performance.now();
      await ask(app, email);
      taken.push(performance.now() - start);
    }
  }
  const [known = 0, unknown = 0] = Object.values(times).map((taken) => taken.sort((a, b) => a - b)[15] ?? 0);
  t.ok(known / unknown < 2 && unknown / known < 2, `${known.toFixed(2)} ms and ${unknown.toFixed(2)} ms`);
});

t.test('an e-mail refused by the server is logged, and the site shuts down only after all e-mails are sent', async (t) => {
  const { app, post, log, email, databaseUrl } = await open(t, {});
  const closed = await holding(databaseUrl, 'lock table app_user in access exclusive mode', async () => {
    await ask(app, email);
    return { closing: app.close() };
  });
  await closed.closing;
  t.equal(post.arrived(), 1);

  const away = await open(t, { SMTP_URL: 'smtp://facteur:s3cret@127.0.0.1:9' });
  t.equal((await ask(away.app, away.email)).statusCode, 303);
  await away.app.close();
  t.match(away.log(), '"msg":"work after an answer failed"');
  t.notMatch(away.log() + log(), /s3cret|jeton=/);
});

t.test('production without a mail server: the page refers to the support', async (t) => {
  const { app } = await createTestApp(t, {
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://prepa.example',
    ZITOPAY_RECEIVER: 'prepa',
    DATABASE_URL: 'postgresql://x@localhost/x',
    ...withoutReplicas,
  });
  const page = await visit(app, '/mot-de-passe-oublie');
  t.match(page.body, 'href="mailto:support@prepaconcours.cm"');
  t.notMatch(page.body, '<form class="form"');
  t.match(await ask(app, 'awa@gmail.com'), { statusCode: 503, body: /L&#39;envoi de messages n|L'envoi de messages n/ });
  t.equal((await call(app, { method: 'POST', url: '/mot-de-passe-oublie', payload: {} })).statusCode, 503);
});
