import { connect } from 'node:net';
import pg from 'pg';
import t from 'tap';
import { createTestDatabase } from '../../../test/support/database.ts';
import { createNetworkPath } from '../../../test/support/network-path.ts';
import { isDatabaseAway } from './database-away.ts';

/** Runs a statement on a new pool and returns the error. */
async function thrownBy(t: { teardown(work: () => unknown): void }, options: pg.PoolConfig): Promise<Error> {
  const pool = new pg.Pool(options).on('error', () => {});
  t.teardown(() => pool.end());
  return pool.query('select pg_sleep(10)').then(
    () => new Error('answered'),
    (error: Error) => error,
  );
}

t.test("recognises the driver's errors for an unreachable database", async (t) => {
  const { url } = await createTestDatabase(t);
  const other = (change: Partial<URL>) => ({ connectionString: Object.assign(new URL(url), change).href });
  const path = await createNetworkPath(t, url);
  path.cut();
  const said = {
    'a path that takes connections and says nothing': { connectionString: path.url, connectionTimeoutMillis: 50 },
    'nobody listens': other({ port: '1' }),
    'a name that nobody knows': other({ hostname: 'nowhere.invalid' }),
    'no such database': other({ pathname: '/nothing' }),
    'a statement that takes too long': { connectionString: url, statement_timeout: 20 },
    'the driver does not wait either': { connectionString: url, query_timeout: 20 },
  };
  for (const [name, options] of Object.entries(said)) {
    const error = await thrownBy(t, options);
    t.ok(isDatabaseAway(error), `${name}: ${(error as { code?: string }).code} ${error.message}`);
  }
  const full = new pg.Pool({ connectionString: url, max: 1 });
  const client = await full.connect();
  // The timeout is set after the first connection, which may take longer to open on a busy machine.
  full.options.connectionTimeoutMillis = 20;
  t.ok(isDatabaseAway(await full.query('select 1').catch((error) => error)), 'no free connection in the pool');
  client.release();
  await full.end();
});

t.test('recognises codes of PostgreSQL and of the network', async (t) => {
  const away = ['08000', '08006', '57P01', '57P02', '57P03', '53300', '53100', '25006', '25P03', '57014'];
  for (const code of [...away, 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN']) {
    t.ok(isDatabaseAway(Object.assign(new Error('x'), { code })), code);
  }
  for (const code of ['23505', '40P01', '42P01', '42501', '22P02', 'ENOENT', 'ENOSPC']) {
    t.notOk(isDatabaseAway(Object.assign(new Error('x'), { code })), code);
  }
  // A host name with several addresses gives an AggregateError.
  const several = await new Promise<Error>((resolve) => connect({ host: 'localhost', port: 1 }).on('error', resolve));
  t.ok(isDatabaseAway(several), `${several.name} ${(several as { code?: string }).code}`);
});
