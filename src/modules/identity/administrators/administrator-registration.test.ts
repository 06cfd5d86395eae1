import t from 'tap';
import { call, createTestApp } from '../../../../test/support/app.ts';
import { sql } from '../../../../test/support/sql.ts';
import { dayMs } from '../../../shared/dates.ts';
import type { AdministratorRole } from '../../../shared/forms/administrator.ts';
import { terminal } from '../accounts/actor.ts';
import { issueKeys, revokeKeys } from './administration-keys.service.ts';

const home = await createTestApp(t, { ADMIN_KEY_FAILURES_PER_ADDRESS: '1000' });
const { app, kernel, clock, databaseUrl } = home;

const keys = (role: AdministratorRole = 'admin', days?: number) =>
  issueKeys(kernel.fork(), kernel.context, terminal, { role, ...(days ? { days } : {}) });
let people = 0;
/** Returns a complete registration form of a new person. */
function form({ adminKey1, adminKey2, role }: { adminKey1: string; adminKey2: string; role: AdministratorRole }) {
  people += 1;
  const password = 'Concours-2026';
  return {
    adminKey1,
    adminKey2,
    role,
    username: `editeur_${people}`,
    email: `editeur${people}@prepa.example`,
    password,
    confirmPassword: password,
  };
}
const register = (payload: object, url = '/api/admin/register') => call(app, { method: 'POST', url, payload });
const byField = (errors: { field: string; message: string }[]) => Object.fromEntries(errors.map(({ field, message }) => [field, message]));

t.test('a pair of keys allows one registration, which does not sign in', async (t) => {
  for (const [role, url] of [
    ['admin', '/api/admin/register'],
    ['super_admin', '/admin/register'],
  ] as const) {
    const pair = await keys(role);
    const payload = form(pair);
    // The first key has white space around it, as if copied from a message.
    const answer = await register({ ...payload, adminKey1: ` ${pair.adminKey1}\n` }, url);
    t.equal(answer.statusCode, 201);
    const [stored] = await sql(databaseUrl, 'select * from administration_keys where id = $1', [pair.id]);
    for (const key of [pair.adminKey1, pair.adminKey2])
      t.notMatch(JSON.stringify(stored), key.slice(0, 9), 'a key is stored only as its hash');
    const [made] = await sql<{ id: string; role: string; password_hash: string }>(
      databaseUrl,
      'select id, role, password_hash from administrator where email = $1',
      [payload.email],
    );
    t.same(answer.json(), { message: 'Inscription réussie ! Vous pouvez maintenant vous connecter.', adminId: made?.id });
    t.equal(made?.role, role);
    t.match(made?.password_hash, /^\$argon2id\$/);
    t.notOk(answer.cookies.some(({ name }) => name === 'adminToken'));
    const log = await sql(databaseUrl, "select action, actor, after from audit_entry where subject = 'administrator' and subject_id = $1", [
      made?.id,
    ]);
    const after = { username: payload.username, email: payload.email, role, keys: pair.id };
    t.same(log, [{ action: 'registered', actor: payload.username, after }], 'the audit log has an entry without the keys');
    const session = await call(app, {
      method: 'POST',
      url: '/api/admin/login',
      payload: { email: payload.email, password: payload.password },
    });
    t.match(session.json(), { adminId: made?.id, role });
  }
});

t.test("all faults of a registration are reported at once, in the specification's words", async (t) => {
  const faults = async (payload: object) => {
    const answer = await register(payload);
    t.equal(answer.statusCode, 400);
    return byField(answer.json().errors);
  };
  t.same(await faults({}), {
    adminKey1: "La clé d'administration 1 est requise",
    adminKey2: "La clé d'administration 2 est requise",
    username: "Le nom d'utilisateur est requis",
    email: "L'email est requis",
    password: 'Le mot de passe est requis',
    confirmPassword: 'La confirmation du mot de passe est requise',
    role: 'Le rôle est requis',
  });
  t.same(
    await faults({
      adminKey1: 'courte',
      adminKey2: '  1234567 ',
      username: 'ab',
      email: 'sans-arobase',
      password: 'court',
      confirmPassword: 'autre',
      role: 'root',
    }),
    {
      adminKey1: "La clé d'administration 1 doit contenir au moins 8 caractères",
      adminKey2: "La clé d'administration 2 doit contenir au moins 8 caractères",
      username: "Le nom d'utilisateur doit contenir au moins 3 caractères",
      email: "Format d'email invalide",
      password: 'Le mot de passe doit contenir au moins 8 caractères',
      confirmPassword: 'Les mots de passe doivent correspondre',
      role: 'Rôle invalide',
    },
  );
  t.same(
    await faults({
      adminKey1: 'K'.repeat(51),
      adminKey2: 'K'.repeat(51),
      username: 'a'.repeat(31),
      email: `${'e'.repeat(250)}@prepa.example`,
      password: 'sansmajuscule1!',
      confirmPassword: 'sansmajuscule1!',
      role: 'admin',
    }),
    {
      adminKey1: "La clé d'administration 1 ne doit pas dépasser 50 caractères",
      adminKey2: "La clé d'administration 2 ne doit pas dépasser 50 caractères",
      username: "Le nom d'utilisateur ne doit pas dépasser 30 caractères",
      email: "L'email ne doit pas dépasser 255 caractères",
      password: 'Le mot de passe doit contenir au moins une majuscule, une minuscule, un chiffre et un caractère spécial',
    },
  );
  t.same(await faults({ ...form(await keys()), username: 'éditeur !' }), {
    username: "Le nom d'utilisateur ne peut contenir que des lettres, des chiffres et des underscores",
  });
});

t.test('invalid keys: the same response in every case, and no account', async (t) => {
  const [used, revoked, one, other, superior, common] = [
    await keys(),
    await keys(),
    await keys(),
    await keys(),
    await keys('super_admin'),
    await keys(),
  ];
  t.equal((await register(form(used))).statusCode, 201);
  await revokeKeys(kernel.fork(), kernel.context, terminal, revoked.id);
  const expired = await keys('admin', 1);
  clock.advance(dayMs);
  const wrong = { adminKey1: 'AAAA-BBBB-CCCC', adminKey2: 'DDDD-EEEE-FFFF', role: 'admin' as const };
  const cases = {
    wrong,
    used,
    revoked,
    expired,
    'keys of two pairs': { ...one, adminKey2: other.adminKey2 },
    'the same key twice': { ...one, adminKey2: one.adminKey1 },
    'in the wrong order': { ...one, adminKey1: one.adminKey2, adminKey2: one.adminKey1 },
    'in lower case': { ...one, adminKey1: one.adminKey1.toLowerCase() },
    "an administrator's for a super administrator": { ...common, role: 'super_admin' as const },
    "a super administrator's for an administrator": { ...superior, role: 'admin' as const },
  };
  const before = await sql(databaseUrl, 'select count(*) from administrator');
  for (const [name, pair] of Object.entries(cases)) {
    const answer = await register(form(pair));
    t.equal(answer.statusCode, 403, name);
    t.equal(
      answer.body,
      `{"message":"Ces clés d'administration ne permettent pas cette inscription. Vérifiez les deux clés et le rôle, ou demandez une nouvelle paire à l'administrateur principal."}`,
      name,
    );
  }
  t.same(await sql(databaseUrl, 'select count(*) from administrator'), before);
  t.equal((await register(form(one))).statusCode, 201, 'refused attempts do not use up a valid pair');
});

t.test('a taken name is reported only with valid keys, and does not use them up', async (t) => {
  const first = form(await keys());
  await register(first);
  const pair = await keys();
  const again = { ...form(pair), username: first.username.toUpperCase(), email: first.email.toUpperCase() };
  t.equal((await register({ ...again, adminKey1: 'AAAA-BBBB-CCCC' })).statusCode, 403);
  const answer = await register(again);
  t.equal(answer.statusCode, 409);
  t.same(byField(answer.json().errors), { username: "Ce nom d'utilisateur est déjà utilisé", email: 'Cet email est déjà utilisé' });
  t.equal((await register(form(pair))).statusCode, 201);
});

t.test('of concurrent registrations with one pair, only one succeeds', async (t) => {
  const pair = await keys();
  const answers = await Promise.all(Array.from({ length: 5 }, () => register(form(pair))));
  t.same(answers.map(({ statusCode }) => statusCode).sort(), [201, 403, 403, 403, 403]);
  const rows = await sql(
    databaseUrl,
    'select id from administrator where id in (select used_by_id from administration_keys where id = $1)',
    [pair.id],
  );
  t.equal(rows.length, 1, 'the pair records its user');

  const [one, other] = [await keys(), await keys()];
  const twins = await Promise.all(
    [one, other].map((mine) => register({ ...form(mine), username: 'jumeau', email: 'jumeau@prepa.example' })),
  );
  t.same(twins.map(({ statusCode }) => statusCode).sort(), [201, 409], 'of two concurrent registrations with one name one succeeds');
});

t.test('more concurrent registrations than database connections: each gets a response', async (t) => {
  const pairs = await Promise.all(Array.from({ length: 24 }, () => keys()));
  const answers = await Promise.all(pairs.map((pair) => register(form(pair))));
  t.same(new Set(answers.map(({ statusCode }) => statusCode)), new Set([201]));
  t.equal((await call(app, { url: '/readyz' })).statusCode, 200);
});

t.test('ten refused keys block registrations from a network for a while, and valid keys do not count', async (t) => {
  const strict = await createTestApp(t);
  const attempt = (payload: object) => call(strict.app, { method: 'POST', url: '/api/admin/register', payload });
  const issue = () => issueKeys(strict.kernel.fork(), strict.kernel.context, terminal, { role: 'admin' });
  const wrong = { adminKey1: 'AAAA-BBBB-CCCC', adminKey2: 'DDDD-EEEE-FFFF', role: 'admin' as const };
  t.equal((await attempt(form(await issue()))).statusCode, 201);
  t.equal((await attempt({ ...form(wrong), email: '' })).statusCode, 400, 'an incomplete form does not count');
  // Concurrent guesses are counted too.
  const guesses = await Promise.all(Array.from({ length: 10 }, () => attempt(form(wrong))));
  t.ok(guesses.every(({ statusCode }) => statusCode === 403));
  const refused = await attempt(form(await issue()));
  t.equal(refused.statusCode, 429);
  t.ok(Number(refused.headers['retry-after']) > 0);
  t.match(refused.json().message, /^Trop de tentatives\. Réessayez dans \d+ min\.$/);
});
