/**
 * Faults of the standby that the site reads from, and failovers that promote it. They run last, because a failover replaces the database
 * servers.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'tap';
import { sql } from '../../test/support/sql.ts';
import { onServer } from '../../test/support/template.ts';
import type { Fault } from './fault.ts';
import { type FaultSite, startFollowing, untilReplicaIsRead } from './site.ts';

/** Duration of a fault, in ms. */
const lastsMs = 5_000;
/** Time before the crash during which writes do not reach the standby, in ms. */
const unshippedMs = 2_000;

export const replicaFaults: Fault[] = [
  {
    name: 'replica 5 s late',
    async inflict(site) {
      const { url } = site.replication.standby;
      await setting(url, 'recovery_min_apply_delay', '5s');
      await sleep(2 * lastsMs);
      await setting(url, 'recovery_min_apply_delay', '0');
      await untilReplicaIsRead(site);
    },
  },
  {
    name: 'replica killed, and back',
    async inflict(site) {
      await site.replication.standby.kill();
      await sleep(lastsMs);
      await site.replication.standby.start();
      await untilReplicaIsRead(site);
    },
  },
  {
    name: 'replica frozen (half-open)',
    async inflict(site) {
      site.replication.reading.cut();
      await sleep(lastsMs);
      site.replication.reading.restore();
      await untilReplicaIsRead(site);
    },
  },
  { name: 'failed over, synchronous', inflict: (site, t) => failOver(site, t, { synchronous: true, unshipped: false }) },
  { name: 'failed over, synchronous, 2 s not shipped', inflict: (site, t) => failOver(site, t, { synchronous: true, unshipped: true }) },
  { name: 'failed over, asynchronous', mayLose: true, inflict: (site, t) => failOver(site, t, { synchronous: false, unshipped: false }) },
  {
    name: 'failed over, asynchronous, 2 s not shipped',
    mayLose: true,
    inflict: (site, t) => failOver(site, t, { synchronous: false, unshipped: true }),
  },
];

async function setting(url: string, name: string, value: string): Promise<void> {
  await sql(url, `alter system set ${name} = '${value}'`);
  await sql(url, 'select pg_reload_conf()');
}

/**
 * Crashes the primary, promotes the standby and starts a new standby that follows it (in place of an old primary rejoined with pg_rewind).
 */
async function failOver(
  site: FaultSite,
  t: Test,
  { synchronous, unshipped }: { synchronous: boolean; unshipped: boolean },
): Promise<() => Promise<void>> {
  const { replication, path } = site;
  const { standby, stream, reading } = replication;
  await setting(replication.primaryUrl, 'synchronous_standby_names', synchronous ? '*' : '');
  await sleep(lastsMs / 2);
  if (unshipped) {
    stream.cut();
    await sleep(unshippedMs);
  }
  await replication.crash();
  await standby.promote();
  // No standby follows the new primary yet.
  await setting(standby.url, 'synchronous_standby_names', '');
  const primaryUrl = standby.at(replication.primaryUrl);
  path.leadTo(primaryUrl);
  path.close('reset');
  Object.assign(replication, { primaryUrl, dataDir: standby.dataDir, crash: () => standby.kill() });
  return async () => {
    stream.restore();
    stream.leadTo(primaryUrl);
    replication.standby = await startFollowing(t, { url: onServer(primaryUrl, 'postgres'), dataDir: standby.dataDir }, stream);
    reading.leadTo(replication.standby.at(primaryUrl));
    reading.close('reset');
    await untilReplicaIsRead(site);
  };
}
