/** A server with its own PostgreSQL, a breakable network path between them, a standby, and learners who pay. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'tap';
import { freePort } from '../../src/platform/processes/free-port.ts';
import { createAdministrator, createLearner, createPrepa, type TestAdministrator, type TestLearner } from '../../test/support/factories.ts';
import { createNetworkPath, type NetworkPath } from '../../test/support/network-path.ts';
import { type OwnPostgres, startOwnPostgres } from '../../test/support/own-postgres.ts';
import { seeded } from '../../test/support/random.ts';
import { type StreamingStandby, startStreamingStandby } from '../../test/support/replication/streaming-standby.ts';
import { sql } from '../../test/support/sql.ts';
import { asRole } from '../../test/support/template.ts';
import { onServer } from '../../test/support/topology.ts';
import { createWorld, type Server, type World } from '../../test/support/world.ts';

/** The current primary and standby; each failover changes them. */
interface Replication {
  /** Database URL of the primary with the owner's role; it bypasses the breakable network path. */
  primaryUrl: string;
  /** Data directory of the primary. */
  dataDir: string;
  /** Stops the primary as a power cut would. */
  crash(): Promise<void>;
  standby: StreamingStandby;
  /** Network path from the standby to the server it follows. */
  stream: NetworkPath;
  /** Network path from the site to the standby, for reads. */
  reading: NetworkPath;
}

export interface FaultSite {
  world: World;
  postgres: OwnPostgres;
  path: NetworkPath;
  replication: Replication;
  learners: TestLearner[];
  prepas: number[];
  operator: TestAdministrator;
  /** Returns the current server; after a restart it is a different process. */
  server(): Server;
  /** Restarts the server on the same port, after it has ended. */
  startAgain(): Promise<void>;
}

/** Largest accepted replication lag, in ms. */
const maxLagMs = 2_000;
const metricsToken = 'jeton-des-essais-de-pannes';

/** Starts a standby that follows `primary` over a network path that can be cut. */
export async function startFollowing(
  t: Pick<Test, 'teardown'>,
  primary: { url: string; dataDir: string },
  stream: NetworkPath,
): Promise<StreamingStandby> {
  const standby = await startStreamingStandby(primary, {
    dataDir: mkdtempSync(join(tmpdir(), 'prepa-standby-')),
    settings: { max_connections: '100', full_page_writes: 'off' },
    follows: stream.url,
  });
  t.teardown(() => standby.close());
  return standby;
}

/** Waits until the site reads from its replica. */
export async function untilReplicaIsRead({ server }: Pick<FaultSite, 'server'>): Promise<void> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await sleep(100)) {
    const answer = await fetch(`${server().url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } }).catch(() => null);
    if (/^prepa_database_replica_up\{.*\} 1$/m.test((await answer?.text()) ?? '')) return;
  }
  throw new Error('the replica is not read again');
}

export async function openFaultSite(t: Test, seed: number): Promise<FaultSite> {
  const postgres = await startOwnPostgres(t);
  // A failover replaces the first database server, so clean-ups that use it may fail.
  const forgiving = { teardown: (undo: () => unknown) => t.teardown(() => Promise.resolve(undo()).catch(() => {})) } as Test;
  const world = await onServer(postgres.url, () =>
    createWorld(forgiving, { env: { PAYMENT_STARTS_PER_LEARNER: '1000000', METRICS_TOKEN: metricsToken } }),
  );

  const operator = await createAdministrator(world, 'super_admin');
  const learners: TestLearner[] = [];
  for (let count = 0; count < 200; count += 1) learners.push(await createLearner(world));
  const prepas: number[] = [];
  for (let count = 0; count < 60; count += 1) prepas.push((await createPrepa(world)).id);
  // Rows for the payments export: more than the network buffers hold.
  await sql(
    world.databaseUrl,
    `insert into payment (provider, reference, user_id, prepa_id, prepa_nom, amount, status, checks, created_at, updated_at)
     select 'zitopay', 'ZPx' || g, $1, $2, 'Prépa', g, 'failed', 0, now(), now() from generate_series(1, 60000) g`,
    [(await createLearner(world)).id, prepas[0]],
  );
  await sql(world.databaseUrl, 'analyze');
  const path = await createNetworkPath(t, world.databaseUrl, seeded(seed));
  const stream = await createNetworkPath(t, postgres.url, seeded(seed));
  const standby = await startFollowing(t, { url: postgres.url, dataDir: postgres.dataDir }, stream);
  const reading = await createNetworkPath(t, standby.at(asRole(world.databaseUrl, 'web')), seeded(seed));

  const port = String(await freePort());
  const env = {
    DATABASE_URL: path.url,
    DATABASE_REPLICA_URLS: reading.url,
    DATABASE_REPLICA_MAX_LAG_MS: String(maxLagMs),
    DATABASE_TIMEOUT_MS: '2000',
    SHUTDOWN_TIMEOUT_MS: '4000',
    PORT: port,
  };
  const start = () => world.startServer(env);
  let server = await start();
  return {
    world,
    postgres,
    path,
    replication: {
      primaryUrl: world.databaseUrl,
      dataDir: postgres.dataDir,
      crash: () => postgres.end('immediate'),
      standby,
      stream,
      reading,
    },
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
