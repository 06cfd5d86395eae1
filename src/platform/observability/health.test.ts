import t from 'tap';
import { createTestApp } from '../../../test/support/app.ts';
import { sql } from '../../../test/support/sql.ts';

// A pooler is bypassed: its connections would stay open when those of the site are ended.
const { app, kernel, databaseUrl } = await createTestApp(t, {}, null, { databaseHost: null });

/** Ends the application's connections and waits until the pool has noticed: a statement on a lost connection would fail. */
async function endConnections(admin: string, name: string): Promise<void> {
  const pool = await kernel.orm.em.getConnection().getNativeClient();
  const ended = sql(admin, 'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
  while (pool.totalCount > 0) await new Promise((resolve) => pool.once('remove', resolve));
  await ended;
}

t.test('healthy and ready', async (t) => {
  for (const url of ['/healthz', '/readyz']) {
    const answer = await app.inject(url);
    t.equal(answer.statusCode, 200);
    t.same(answer.json(), { status: 'ok' });
    t.equal(answer.headers['cache-control'], 'no-store');
  }
});

t.test('a migration is missing: alive, not ready', async (t) => {
  const [taken] = await sql<{ name: string; executed_at: Date }>(
    databaseUrl,
    'delete from migration where id = (select max(id) from migration) returning name, executed_at',
  );
  const answer = await app.inject('/readyz');
  t.equal(answer.statusCode, 503);
  t.same(answer.json(), { status: 'unavailable', message: '1 migration(s) à appliquer' });
  t.equal((await app.inject('/healthz')).statusCode, 200);
  await sql(databaseUrl, 'insert into migration (name, executed_at) values ($1, $2)', [taken?.name, taken?.executed_at]);
  t.equal((await app.inject('/readyz')).statusCode, 200);
});

t.test('the database is unreachable: alive, not ready, no internal details', async (t) => {
  const server = new URL(databaseUrl);
  const name = server.pathname.slice(1);
  const admin = Object.assign(new URL(databaseUrl), { pathname: '/postgres' }).href;
  await sql(admin, `alter database ${name} with allow_connections false`);
  await sql(admin, 'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
  const answer = await app.inject('/readyz');
  t.equal(answer.statusCode, 503);
  t.same(answer.json(), { status: 'unavailable', message: 'Base de données injoignable' });
  t.equal((await app.inject('/healthz')).statusCode, 200);
  const page = await app.inject({ url: '/', headers: { accept: 'text/html' } });
  t.equal(page.statusCode, 503);
  t.match(page.body, 'Service momentanément indisponible');
  t.notMatch(page.body, name);
  await sql(admin, `alter database ${name} with allow_connections true`);
  t.equal((await app.inject('/readyz')).statusCode, 200, 'the site is ready again');
});

t.test('a read-only database: alive, not ready, and ready again once it is writable', async (t) => {
  const name = new URL(databaseUrl).pathname.slice(1);
  const admin = Object.assign(new URL(databaseUrl), { pathname: '/postgres' }).href;
  await sql(admin, `alter database ${name} set default_transaction_read_only = on`);
  await endConnections(admin, name);
  const answer = await app.inject('/readyz');
  t.equal(answer.statusCode, 503);
  t.same(answer.json(), { status: 'unavailable', message: 'Base de données en lecture seule' });
  t.equal((await app.inject('/healthz')).statusCode, 200);
  // The existing sessions would stay read-only, so the pool must replace them itself.
  await sql(admin, `alter database ${name} reset default_transaction_read_only`);
  t.equal((await app.inject('/readyz')).statusCode, 200, 'the pool opens new connections, which can write');
});
