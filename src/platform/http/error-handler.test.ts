import type { EntityManager } from '@mikro-orm/postgresql';
import t from 'tap';
import { call, createTestApp, submit, TestClock, visit } from '../../../test/support/app.ts';
import { createLearner } from '../../../test/support/factories.ts';
import { createNetworkPath } from '../../../test/support/network-path.ts';
import { holding, sql } from '../../../test/support/sql.ts';
import { entities } from '../../modules.ts';
import { isDatabaseAway } from '../database/database-away.ts';
import { openDatabase } from '../database/open-database.ts';

const home = await createTestApp(t);
const { app, databaseUrl } = home;
const { session } = await createLearner(home);
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Runs `work` while a table is missing, which causes a 500. */
async function broken<Answer>(work: () => Promise<Answer>, table = 'prepa'): Promise<Answer> {
  await sql(databaseUrl, `alter table ${table} rename to away`);
  try {
    return await work();
  } finally {
    await sql(databaseUrl, `alter table away rename to ${table}`);
  }
}

t.test('a program gets JSON with the message, without internal details', async (t) => {
  const answer = await broken(() => app.inject({ url: '/api/prepas/published' }));
  t.equal(answer.statusCode, 500);
  t.same(answer.json(), { message: "Une erreur est survenue de notre côté. Rien n'a été perdu. Réessayez dans un instant." });
  t.match(answer.headers['x-request-id'], uuid);
  t.equal(answer.headers['cache-control'], 'no-store');
});

t.test('a person gets a French page with the reference for support, without internal details', async (t) => {
  const answer = await broken(() => visit(app, '/', session));
  t.equal(answer.statusCode, 500);
  t.match(answer.headers['content-type'], 'text/html');
  t.match(answer.body, 'Une erreur est survenue');
  t.match(answer.body, `<code>${answer.headers['x-request-id']}</code>`);
  t.match(answer.body, 'mailto:');
  t.notMatch(answer.body, /relation|select |\.ts:|node_modules|42P01/);
  t.match(answer.headers['content-security-policy'], "default-src 'none'", 'the error page has a content security policy');
  t.equal(answer.headers['cache-control'], 'no-store');
  t.match(answer.body, '<meta name="robots" content="noindex">');
});

t.test('shows the error page even if the session or the header cannot be read', async (t) => {
  for (const table of ['session', 'notification']) {
    const answer = await broken(() => visit(app, '/absente', session), table);
    t.match(answer.headers['content-type'], 'text/html', table);
    t.notMatch(answer.body, /relation|does not exist/);
  }
  const answer = await broken(() => app.inject({ url: '/api/users/verify', headers: { cookie: session } }), 'session');
  t.equal(answer.statusCode, 500);
  t.same(Object.keys(answer.json()), ['message']);
});

t.test('not found: a page for a person, JSON for a program and below /api', async (t) => {
  const page = await visit(app, '/absente');
  t.equal(page.statusCode, 404);
  t.match(page.body, /<h1>Page introuvable<\/h1>/);
  t.notMatch(page.body, String(page.headers['x-request-id']), 'a page without server error shows no reference');
  const gone = { message: "Cette page ou cet élément n'existe pas ou n'existe plus." };
  t.same((await app.inject({ url: '/absente', headers: { accept: '*/*' } })).json(), gone);
  t.same((await visit(app, '/api/absente')).json(), gone);
  t.same((await app.inject({ method: 'DELETE', url: '/login', headers: { 'sec-fetch-site': 'same-origin' } })).statusCode, 404);
});

t.test("a visitor's faults: 400, 413, 415, with French messages", async (t) => {
  const post = (payload: string, type: string) =>
    app.inject({ method: 'POST', url: '/api/users/login', headers: { 'sec-fetch-site': 'same-origin', 'content-type': type }, payload });
  const invalid = 'Requête invalide. Vérifiez les informations envoyées.';
  t.match(await answerOf(post('{"tronqué": ', 'application/json')), [400, { message: invalid }]);
  t.match(await answerOf(post('<xml/>', 'application/xml')), [415, { message: "Ce format d'envoi n'est pas pris en charge." }]);
  t.match(await answerOf(post(`"${'x'.repeat(70_000)}"`, 'application/json')), [413, { message: "L'envoi est trop volumineux." }]);
  t.match(await answerOf(app.inject('/api/prepas/abc')), [
    400,
    { message: invalid, errors: [{ field: 'id', message: 'Identifiant invalide' }] },
  ]);
});

async function answerOf(sent: Promise<{ statusCode: number; json(): unknown }>): Promise<[number, unknown]> {
  const answer = await sent;
  return [answer.statusCode, answer.json()];
}

t.test('too many requests: 429 with Retry-After, as JSON, as a page and in the form', async (t) => {
  const strict = await createTestApp(t, { SIGN_IN_ATTEMPTS_PER_ADDRESS: '1' });
  const fields = { email: 'a@gmail.com', password: 'Faux-12345' };
  t.equal((await submit(strict.app, '/api/users/login', fields)).statusCode, 401);
  const form = await submit(strict.app, '/api/users/login', fields);
  t.equal(form.statusCode, 429);
  t.ok(Number(form.headers['retry-after']) > 0);
  t.match(form.body, /Trop de tentatives\. Réessayez dans \d+ min, /);
  t.match(form.body, 'value="a@gmail.com"', 'the form still has the typed value');
});

t.test('a form that meets an unavailable service: its page does not say that nothing is lost', async (t) => {
  const { app, databaseUrl } = await createTestApp(t, { DATABASE_TIMEOUT_MS: '300' });
  const fields = { username: 'amina', email: 'amina@gmail.com', password: 'Amina-2026!', confirmPassword: 'Amina-2026!' };
  const sent = await holding(databaseUrl, 'lock table app_user', () => submit(app, '/api/users/register', fields));
  t.equal(sent.statusCode, 503);
  t.match(sent.body, /Ce que vous venez d\S+envoyer n\S+est peut-être pas/);
  t.notMatch(sent.body, /Rien n\S+est perdu/);
  const read = await holding(databaseUrl, 'lock table prepa', () => visit(app, '/'));
  t.equal(read.statusCode, 503);
  t.match(read.body, /Rien n\S+est perdu/);
});

t.test('every response has its own id', async (t) => {
  const ids = await Promise.all(['/', '/healthz', '/absente'].map(async (url) => (await app.inject(url)).headers['x-request-id']));
  for (const id of ids) t.match(id, uuid);
  t.equal(new Set(ids).size, 3);
});

const unavailable = [503, { message: 'Le service est momentanément indisponible. Réessayez dans un instant.' }];

t.test('a locked table: 503 once the database timeout has passed, and 200 again afterwards', async (t) => {
  const { app, databaseUrl } = await createTestApp(t, { DATABASE_TIMEOUT_MS: '300' });
  const read = () => answerOf(app.inject('/api/prepas/published'));
  t.match(await read(), [200]);
  t.same(await holding(databaseUrl, 'lock table prepa', read), unavailable);
  t.match(await read(), [200]);
});

t.test('a read-only database: 503 with Retry-After for writes, 200 for reads, and 201 once it can write again', async (t) => {
  // A pooler is bypassed, since its sessions would stay read-only. The default timeout allows for twenty new connections.
  const { app, databaseUrl } = await createTestApp(t, {}, null, { databaseHost: null });
  const read = () => answerOf(app.inject('/api/prepas/published'));
  const account = { username: 'amina', email: 'amina@gmail.com', password: 'Amina-2026!', confirmPassword: 'Amina-2026!' };
  const register = (payload: object) => call(app, { method: 'POST', url: '/api/users/register', payload });
  const database = new URL(databaseUrl).pathname.slice(1);
  await sql(databaseUrl, `alter database ${database} set default_transaction_read_only = on`);
  await sql(
    databaseUrl,
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  const refused = await register(account);
  t.same([refused.statusCode, refused.json()], unavailable, 'a write to a read-only database gets 503');
  t.equal(refused.headers['retry-after'], '5');
  for (const answer of await Promise.all(Array.from({ length: 20 }, read)))
    t.match(answer, [200], 'a read from a read-only database gets 200');
  await sql(databaseUrl, `begin; set transaction read write; alter database ${database} reset default_transaction_read_only; commit`);
  // The first refusal makes the pool replace all its connections.
  const codes = [await register(account), await register(account)].map(({ statusCode }) => statusCode);
  t.ok(codes.includes(201), codes.join(', then '));
});

t.test('releases the locks of a transaction whose client is lost', async (t) => {
  const { kernel, databaseUrl } = await createTestApp(t);
  const path = await createNetworkPath(t, databaseUrl);
  // `timeoutMs` also limits opening a connection, which may take long on a busy machine.
  const away = await openDatabase({ url: path.url, entities, timeoutMs: 600 });
  const change = (em: EntityManager) => em.execute(`update app_user set username = 'changed'`);
  await createLearner({ kernel, clock: new TestClock() });
  await t.rejects(
    away.em.fork().transactional(async (tx) => {
      await change(tx);
      path.cut();
      await change(tx);
    }),
    { code: 'ETIMEDOUT' },
  );
  // PostgreSQL has not noticed the lost client yet.
  let tries = 0;
  while (await change(kernel.fork()).then(() => false, isDatabaseAway)) tries += 1;
  t.match(await sql(databaseUrl, 'select username from app_user'), [{ username: 'changed' }], `after ${tries} tries`);
  await away.close(true);
});
