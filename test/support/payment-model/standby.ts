import { closeSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'tap';
import { connectionUrl, holdLifeline } from '../../../src/platform/database/embedded-postgres/cluster.ts';
import { openCluster } from '../../../src/platform/database/embedded-postgres/data.ts';
import { startServer } from '../../../src/platform/database/embedded-postgres/server.ts';
import { sql } from '../sql.ts';

/** Starts the cluster of a data folder as a standby that nobody feeds. Answers the address there for one on the server that it is a copy of. */
export async function startStandby(t: Pick<Test, 'teardown'>, dataDir: string): Promise<(url: string) => string> {
  const cluster = await openCluster(dataDir);
  writeFileSync(join(cluster.folder, 'standby.signal'), '');
  const server = await startServer(cluster, { fsync: 'off' });
  const hold = holdLifeline(cluster.folder);
  t.teardown(async () => {
    if (hold !== undefined) closeSync(hold);
    server.standBack();
    await server.exit;
  });
  const address = (await connectionUrl(cluster, server.port))('postgres');
  const { host } = new URL(address);
  for (;;) {
    if (server.ended()) throw new Error(`the standby does not start: ${await server.reason()}`);
    const [row] = await sql<{ recovering: boolean }>(address, 'select pg_is_in_recovery() as recovering').catch(() => []);
    if (row?.recovering) return (url) => Object.assign(new URL(url), { host }).href;
    await sleep(100);
  }
}
