/** A server of its own with its own PostgreSQL, a way between them that can be broken, a standby, and learners who pay. */
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'tap';
import { createAdministrator, createLearner, createPrepa, type TestAdministrator, type TestLearner } from '../../test/support/factories.ts';
import { createNetworkPath, type NetworkPath } from '../../test/support/network-path.ts';
import { type OwnPostgres, startOwnPostgres } from '../../test/support/payment-model/own-postgres.ts';
import { seeded } from '../../test/support/random.ts';
import { sql } from '../../test/support/sql.ts';
import { createWorld, type Server, type World } from '../../test/support/world.ts';

export interface FaultSite {
  world: World;
  postgres: OwnPostgres;
  path: NetworkPath;
  /** The database's own address on the standby. */
  standbyUrl: string;
  learners: TestLearner[];
  prepas: number[];
  operator: TestAdministrator;
  /** The server, which is another one after each restart. */
  server(): Server;
  /** Starts it again on the same port, once it has ended. */
  startAgain(): Promise<void>;
}

export async function openFaultSite(t: Test, seed: number): Promise<FaultSite> {
  const postgres = await startOwnPostgres(t);
  const others = process.env.TEST_DATABASE_URL;
  process.env.TEST_DATABASE_URL = postgres.url;
  const world = await createWorld(t, { env: { PAYMENT_STARTS_PER_LEARNER: '1000000' } });
  if (others === undefined) delete process.env.TEST_DATABASE_URL;
  else process.env.TEST_DATABASE_URL = others;

  const operator = await createAdministrator(world, 'super_admin');
  const learners: TestLearner[] = [];
  for (let count = 0; count < 200; count += 1) learners.push(await createLearner(world));
  const prepas: number[] = [];
  for (let count = 0; count < 60; count += 1) prepas.push((await createPrepa(world)).id);
  // What the export has to tell: more than the buffers on its way hold.
  await sql(
    world.databaseUrl,
    `insert into payment (provider, reference, user_id, prepa_id, prepa_nom, amount, status, checks, created_at, updated_at)
     select 'zitopay', 'ZPx' || g, $1, $2, 'Prépa', g, 'failed', 0, now(), now() from generate_series(1, 60000) g`,
    [(await createLearner(world)).id, prepas[0]],
  );
  await sql(world.databaseUrl, 'analyze');
  const thereOf = await postgres.startStandby();
  const path = await createNetworkPath(t, world.databaseUrl, seeded(seed));

  const port = String(await freePort());
  const start = () => world.startServer({ DATABASE_URL: path.url, DATABASE_TIMEOUT_MS: '2000', SHUTDOWN_TIMEOUT_MS: '4000', PORT: port });
  let server = await start();
  return {
    world,
    postgres,
    path,
    standbyUrl: thereOf(world.databaseUrl),
    learners,
    prepas,
    operator,
    server: () => server,
    async startAgain() {
      for (let tries = 1; ; tries += 1) {
        const next = await start().catch((error: Error) => error);
        if (!(next instanceof Error)) {
          server = next;
          return;
        }
        if (tries === 20) throw next;
        await sleep(200);
      }
    },
  };
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => probe.once('error', reject).listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}
