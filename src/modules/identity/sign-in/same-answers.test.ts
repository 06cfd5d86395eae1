import t from 'tap';
import { call, createTestApp } from '../../../../test/support/app.ts';
import { createAdministrator } from '../../../../test/support/factories.ts';
import { sql } from '../../../../test/support/sql.ts';
import { statementsDuring } from '../../../../test/support/statements.ts';
import { terminal } from '../accounts/actor.ts';
import { comparisons } from '../accounts/password.ts';
import { issueKeys } from '../administrators/administration-keys.service.ts';

// Neither a response nor the work for it may reveal whether an account exists. `ONLY=timing make soak` measures the time.

const home = await createTestApp(t, { SIGN_IN_FAILURES_PER_ACCOUNT: '100' });
const { app, kernel, databaseUrl } = home;
const password = 'Concours-2026!';
const learner = 'aicha@gmail.com';
await call(app, {
  method: 'POST',
  url: '/api/users/register',
  payload: { username: 'aicha', email: learner, password, confirmPassword: password },
});
const administrator = await createAdministrator(home);
await sql(databaseUrl, 'update administrator set password_hash = (select password_hash from app_user)');

/** Returns the response of a call, and the statements sent before it. Values that the ORM writes into statements are left out. */
async function done(url: string, payload: object) {
  const before = comparisons();
  let answer: unknown;
  const statements = await statementsDuring(async () => {
    const { statusCode, body, headers } = await call(app, { method: 'POST', url, payload });
    const { date: _, 'x-request-id': __, ...same } = headers;
    answer = { statusCode, body, headers: same };
  });
  return {
    answer,
    comparisons: comparisons() - before,
    statements: statements.map(({ text }) => text.replaceAll(/'[^']*'|\bnull\b/g, "'…'")),
  };
}

const questions = {
  '/api/users/login': [learner, 'personne@gmail.com'].map((email) => ({ email, password: 'Autre-2026!' })),
  '/api/admin/login': [administrator.email, 'personne@prepa.example'].map((email) => ({ email, password: 'Autre-2026!' })),
};
for (const [url, [known, unknown]] of Object.entries(questions)) {
  t.test(`${url}: an unknown e-mail and a wrong password cause the same work`, async (t) => {
    // The first call does work that is needed only once.
    await done(url, unknown ?? {});
    const [one, other] = [await done(url, known ?? {}), await done(url, unknown ?? {})];
    t.equal(one.comparisons, 1);
    t.same(one, other);
  });
}

t.test('a request for a reset e-mail causes the same work before the response, with or without an account', async (t) => {
  const asked = async (email: string) => {
    const { answer, statements } = await done('/mot-de-passe-oublie', { email });
    return { answer, statements: statements.filter((text) => !/password_reset|for update|^(begin|commit)/i.test(text)) };
  };
  await asked('autre@gmail.com');
  t.same(await asked(learner), await asked('personne@gmail.com'));
});

t.test('invalid keys cause the same work, whatever their fault', async (t) => {
  const pair = () => issueKeys(kernel.fork(), kernel.context, terminal, { role: 'admin' });
  const [expired, revoked, half] = [await pair(), await pair(), await pair()];
  await sql(databaseUrl, "update administration_keys set expires_at = now() - interval '1 day' where id = $1", [expired.id]);
  await sql(databaseUrl, 'update administration_keys set revoked_at = now() where id = $1', [revoked.id]);
  const register = ({ adminKey1, adminKey2 }: { adminKey1: string; adminKey2: string }) =>
    done('/api/admin/register', {
      username: 'nouvelle',
      // This e-mail is taken; without valid keys this must not be revealed.
      email: administrator.email,
      password,
      confirmPassword: password,
      role: 'admin',
      adminKey1,
      adminKey2,
    });
  const unknown = await register({ adminKey1: expired.adminKey2, adminKey2: expired.adminKey1 });
  t.match(unknown.answer, { statusCode: 403 });
  t.equal(unknown.comparisons, 0);
  for (const keys of [expired, revoked, { ...half, adminKey2: revoked.adminKey2 }]) t.same(await register(keys), unknown);
});
