import t from 'tap';
import { call, submit } from '../../../../test/support/app.ts';
import { ask, choose, follow, next, password, sharedSite, signIn } from '../../../../test/support/password-reset.ts';

const open = await sharedSite(t);

t.test('reset e-mails are limited per address typed, with or without an account, and per network', async (t) => {
  const { app, email } = await open(t, { PASSWORD_RESETS_PER_ACCOUNT_HOUR: '2', PASSWORD_RESETS_PER_ADDRESS_HOUR: '5' });
  const statuses = async (...emails: string[]) => {
    const found: number[] = [];
    for (const email of emails) found.push((await ask(app, email)).statusCode);
    return found;
  };
  t.same(await statuses(email, email.toLowerCase(), email), [303, 303, 429]);
  t.same(await statuses('personne@gmail.com', 'autre@gmail.com', 'tiers@gmail.com'), [303, 303, 429]);
  const refused = await ask(app, email);
  t.match(refused.body, /role="alert".+Trop de tentatives\. Réessayez dans \d+ min\./);
  t.match(refused.body, `value="${email}"`, 'the form shows the typed address');
  t.match((await ask(app, 'pas-un-email')).body, 'Email invalide');
});

t.test('after too many failed sign-ins, the new password works at once', async (t) => {
  const { app, post, email } = await open(t, { SIGN_IN_FAILURES_PER_ACCOUNT: '2' });
  t.same([await signIn(app, email, 'Faux-1'), await signIn(app, email, 'Faux-2'), await signIn(app, email, password)], [401, 401, 429]);
  await ask(app, email);
  await choose(app, await follow(app, await post.next()));
  t.equal(await signIn(app, email, next.password), 200);
});

t.test('during a distributed attack, an owner on an unknown device can sign in after a reset by e-mail', async (t) => {
  const { app, post, email } = await open(t, { SIGN_IN_FAILURES_PER_ACCOUNT: '1', SIGN_IN_FAILURES_PER_ACCOUNT_HOUR: '3' });
  const attempt = (remoteAddress: string, password: string, session = '') =>
    call(app, { method: 'POST', url: '/api/users/login', payload: { email, password }, remoteAddress, session });
  const guessed = async () => {
    const found: number[] = [];
    for (const last of [1, 2, 3, 4]) found.push((await attempt(`192.0.2.${last}`, 'Faux-1')).statusCode);
    return found;
  };
  t.same(await guessed(), [401, 401, 401, 429]);
  t.equal((await attempt('203.0.113.9', password)).statusCode, 429);
  await ask(app, email);
  const changed = await choose(app, await follow(app, await post.next()));
  t.same(await guessed(), [401, 401, 401, 429], 'guesses continue after the reset and reach the limit');
  const device = changed.cookies.find(({ name }) => name === '__Host-deviceToken')?.value;
  t.equal((await attempt('203.0.113.9', next.password, `__Host-deviceToken=${device}`)).statusCode, 200);
});

t.test('reset e-mails requested by a stranger do not count against a known device', async (t) => {
  const { app, email } = await open(t, { PASSWORD_RESETS_PER_ACCOUNT_HOUR: '1', PASSWORD_RESETS_PER_ADDRESS_HOUR: '2' });
  const signedIn = await call(app, { method: 'POST', url: '/api/users/login', payload: { email, password } });
  const device = `__Host-deviceToken=${signedIn.cookies.find(({ name }) => name === '__Host-deviceToken')?.value}`;
  t.same([(await ask(app, email)).statusCode, (await ask(app, email)).statusCode], [303, 429]);
  const refused = await ask(app, 'personne@gmail.com');
  t.match(refused, { statusCode: 429, body: /role="alert".+Trop de tentatives\. Réessayez dans \d+ min\./ });
  const asked = () => submit(app, '/mot-de-passe-oublie', { email }, device);
  t.equal((await asked()).statusCode, 303);
  const enough = await asked();
  t.equal(enough.statusCode, 429);
  t.match(
    enough.body,
    /role="alert".+Trop de messages demandés pour cette adresse\. Suivez le lien du dernier message reçu, ou réessayez dans \d+ min\./,
  );
});
