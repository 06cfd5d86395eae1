/** The faults that are injected while the site serves requests. Each fault restores the state that the next fault needs. */
import { chownSync, mkdirSync, statSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Test } from 'tap';
import { createSmallDisk } from '../../test/support/small-disk.ts';
import { holding, sql } from '../../test/support/sql.ts';
import type { Fault } from './fault.ts';
import { replicaFaults } from './replicas.ts';
import type { FaultSite } from './site.ts';

/** Duration of a fault, in ms: several times the statement timeout. */
const lastsMs = 5_000;

export const faults: Fault[] = [
  { name: 'none', inflict: () => sleep(lastsMs) },
  {
    name: 'database frozen (half-open)',
    async inflict({ path }) {
      path.cut();
      await sleep(lastsMs);
      path.restore();
    },
  },
  {
    name: 'database slow (50–150 ms, 40 KB/s)',
    async inflict({ path }) {
      path.setConditions({ delayMs: [50, 150], bytesPerSecond: 40_000 });
      await sleep(lastsMs);
      path.setConditions({});
    },
  },
  {
    name: 'pieces lost and connections reset (1 % each)',
    async inflict({ path }) {
      path.setConditions({ silent: 0.01, reset: 0.01 });
      await sleep(lastsMs);
      path.setConditions({});
    },
  },
  { name: 'database restarted', inflict: ({ postgres }) => postgres.restart('fast') },
  { name: 'database crashed', inflict: ({ postgres }) => postgres.restart('immediate') },
  { name: 'database killed (kill -9)', inflict: ({ postgres }) => postgres.restart('kill') },
  {
    name: 'led to the standby, and back',
    async inflict({ path, replication: { standby }, world, server }) {
      path.leadTo(standby.at(world.databaseUrl));
      path.close('reset');
      await sleep(lastsMs);
      const { status } = await fetch(`${server().url}/readyz`);
      if (status !== 503) throw new Error(`/readyz says ${status} on a standby`);
      // The connections to the standby stay open: only the server itself can close them.
      path.leadTo(world.databaseUrl);
    },
  },
  { name: 'connections at their limit', inflict: withoutConnections },
  {
    name: 'a table locked for long',
    inflict: ({ world }) => holding(world.databaseUrl, 'lock table payment', () => sleep(lastsMs)),
  },
  { name: "database's disk full", inflict: fullDisk },
  {
    name: 'server killed (kill -9) in writes',
    breaksServer: true,
    async inflict(site) {
      await site.server().kill9();
      await site.startAgain();
    },
  },
  { name: 'SIGTERM, an export read at 1 byte/s', breaksServer: true, inflict: slowReader },
  ...replicaFaults,
];

/** Opens all free connections of the database, terminates those of the server, and opens them as well. */
async function withoutConnections({ world: { databaseUrl } }: FaultSite): Promise<void> {
  const held: pg.Client[] = [];
  const take = async () => {
    for (;;) {
      const client = new pg.Client({ connectionString: databaseUrl });
      client.on('error', () => {});
      try {
        await client.connect();
      } catch (error) {
        if ((error as { code?: string }).code === '53300') return;
        throw error;
      }
      held.push(client);
    }
  };
  await take();
  const own = held.map((client) => (client as pg.Client & { processID: number }).processID);
  await held[0]?.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> all($1::int[])',
    [own],
  );
  await take();
  await sleep(lastsMs);
  await Promise.all(held.map((client) => client.end()));
}

/** Moves the payment events to a disk of 96 MB and fills this disk for twice `lastsMs`. */
async function fullDisk({ world: { databaseUrl } }: FaultSite, t: Test): Promise<void> {
  const disk = createSmallDisk(t, 96);
  if (!disk) return;
  const [home] = await sql<{ folder: string }>(databaseUrl, "select current_setting('data_directory') as folder");
  const { uid, gid } = statSync(home?.folder ?? '');
  const place = join(disk.folder, 'tablespace');
  mkdirSync(place);
  for (const path of [disk.folder, place]) chownSync(path, uid, gid);
  await sql(databaseUrl, `create tablespace small location '${place}'`);
  await sql(databaseUrl, 'alter table payment_event set tablespace small');
  disk.fill();
  await sleep(2 * lastsMs);
  disk.free();
  await sql(databaseUrl, 'alter table payment_event set tablespace pg_default');
  await sql(databaseUrl, 'drop tablespace small');
}

/** Checks that the server shuts down within its time limit although a client reads a file very slowly. */
async function slowReader(site: FaultSite): Promise<void> {
  const { url, ...server } = site.server();
  const address = `${url}/admin/paiements.csv`;
  const reading = await new Promise<NodeJS.ReadableStream>((resolve, reject) => {
    get(address, { headers: { cookie: site.operator.session, accept: 'text/html' }, agent: false }, resolve).on('error', reject);
  });
  reading.on('error', () => {}).pause();
  const bytes = setInterval(() => reading.read(1), 1_000);
  const began = performance.now();
  const code = await server.stop();
  clearInterval(bytes);
  console.log(`  SIGTERM with a slow reader: ended with ${code} after ${((performance.now() - began) / 1000).toFixed(1)} s`);
  if (code !== 0) throw new Error(`the server ended with ${code}`);
  await site.startAgain();
}
