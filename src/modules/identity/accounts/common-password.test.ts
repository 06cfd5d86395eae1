import t from 'tap';
import { call, createTestApp } from '../../../../test/support/app.ts';
import { sql } from '../../../../test/support/sql.ts';
import { issueKeys } from '../administrators/administration-keys.service.ts';
import { terminal } from './actor.ts';
import { commonPasswordRule } from './common-password.ts';
import { commonPasswords } from './common-passwords.ts';
import { hashToken, newToken } from './token.ts';

const account = { username: 'aicha_ngono', email: 'a.mballa.2004@gmail.com' };
const refuse = commonPasswordRule(true);

/** Returns the fault of a password as the form shows it; null when it has none. */
function faultOf(password: string): string | null {
  try {
    refuse(password, account);
    return null;
  } catch (error) {
    return (error as { errors: { field: string; message: string }[] }).errors.map(({ field, message }) => `${field}: ${message}`).join();
  }
}

const common = 'password: Ce mot de passe est trop courant : il serait vite deviné';
const name = "password: Le mot de passe ne doit pas contenir votre nom d'utilisateur";
const email = 'password: Le mot de passe ne doit pas contenir votre adresse email';

t.test('common words are refused, with characters around them or in place of letters', async (t) => {
  t.equal(new Set(commonPasswords).size, 3000);
  for (const password of [
    'Password1!',
    'P@$$w0rd2026!',
    '!!Azerty2026',
    'Abc123!!!',
    '1Qaz2wsx!',
    'Doudou-2026',
    'Yaoundé-237',
    'Prépa#2026',
  ])
    t.equal(faultOf(password), common, password);
  for (const password of ['Trois-mangues-7', 'Kx7!mbolo', 'Password-de-mes-vaches-9', 'Tom-8395-rue'])
    t.equal(faultOf(password), null, password);
});

t.test("the account's own names are refused", async (t) => {
  for (const password of ['Aicha-237!', 'xx.NGONO.9x', 'Aïcha_9!x']) t.equal(faultOf(password), name, password);
  for (const password of ['Mballa#99', 'Tres-mballa-1']) t.equal(faultOf(password), email, password);
  t.equal(faultOf('Gmail.com-9x'), null, "the mail provider's domain is not a name");
});

t.test('the rule applies wherever a password is chosen, if the settings enable it', async (t) => {
  const { app, kernel, databaseUrl } = await createTestApp(t, { REFUSE_COMMON_PASSWORDS: 'on' });
  const good = 'Trois-mangues-7';
  const chosen = (password: string) => ({ password, confirmPassword: password });
  const send = (method: 'POST' | 'PUT', url: string, payload: object, session = '') => call(app, { method, url, payload, session });
  const refused = { statusCode: 400 };
  const body = (answer: { json(): { errors: object[] } }) => answer.json().errors;
  const fault = (message: string) => [{ field: 'password', message: message.replace('password: ', '') }];

  const register = (password: string) => send('POST', '/api/users/register', { ...account, ...chosen(password) });
  const badRegistration = await register('Password1!');
  t.match(badRegistration, refused);
  t.same(body(badRegistration), fault(common));
  const { token, user } = (await register(good)).json();

  const change = (password: string) =>
    send('PUT', '/api/users/password', { currentPassword: good, ...chosen(password) }, `userToken=${token}`);
  t.same(body(await change('Ngono-2026!')), fault(name));
  t.equal((await change('Quatre-mangues-7')).statusCode, 200);

  const letter = newToken();
  await sql(
    databaseUrl,
    `insert into password_reset (id, user_id, created_at, expires_at) values ($1, $2, now(), now() + interval '1 hour')`,
    [hashToken(letter), user.id],
  );
  const reset = (password: string) => send('POST', '/nouveau-mot-de-passe', chosen(password), `resetToken=${letter}`);
  t.same(body(await reset('Mballa-2026!')), fault(email));
  t.equal((await reset('Cinq-mangues-7')).statusCode, 200, 'a refusal does not use up the link');

  const keys = await issueKeys(kernel.fork(), kernel.context, terminal, { role: 'admin' });
  const enlist = (password: string) => send('POST', '/api/admin/register', { ...account, ...keys, role: 'admin', ...chosen(password) });
  t.same(body(await enlist('P@$$w0rd2026')), fault(common));
  t.equal((await enlist(good)).statusCode, 201, 'a refusal does not use up the keys');
});
