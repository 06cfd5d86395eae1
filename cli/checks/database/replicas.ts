import { setTimeout as sleep } from 'node:timers/promises';
import { connected } from '../../../src/platform/database/connections/connected.ts';
import { askPrimary, askReplica } from '../../../src/platform/database/replicas/replica.ts';
import { explain } from '../../failure.ts';
import { type Check, fault, good, notice, type Verdict } from '../check.ts';

interface Primary {
  bytes: number;
  cluster: string;
}

interface Told {
  recovering: boolean;
  replayed: number | null;
  cluster: string;
}

const askEveryMs = 50;
const without = "le site s'en passe jusque-là : regardez ce qui l'arrête";

/** Checks that a configured replica is reachable, is a standby of this database and lags no more than allowed. */
export const replica = (url: string): Check => ({
  name: `Réplique ${new URL(url).host}`,
  async look({ kernel: { config, orm } }) {
    const [primary] = await orm.em.getConnection().execute<Primary[]>(askPrimary);
    if (!primary) return fault('la base de données ne dit pas où elle en est');
    try {
      return await judge(url, primary, config.databaseReplicas.maxLagMs);
    } catch (error) {
      // This is a notice, not a fault: the site works without the replica, as its remedy tells the operator.
      return notice(explain(error, { database: 'La réplique', address: 'DATABASE_REPLICA_URLS' }).replace(/\.$/, ''), without);
    }
  },
});

/** @param primary the primary's position, read before the replica's */
const judge = (url: string, primary: Primary, maxLagMs: number): Promise<Verdict> =>
  connected(url, async (client) => {
    const began = performance.now();
    for (;;) {
      const { rows } = await client.query<Told>(askReplica);
      const [told] = rows;
      if (!told?.recovering) return fault("n'est pas une réplique mais une base où l'on écrit", 'retirez-la de DATABASE_REPLICA_URLS');
      if (told.cluster !== primary.cluster) return fault("est la réplique d'une autre base", 'corrigez DATABASE_REPLICA_URLS');
      const behind = Number(primary.bytes) - (told.replayed ?? 0);
      const ms = Math.round(performance.now() - began);
      if (behind <= 0) return good(`en lecture seule, à jour à ${ms} ms près`);
      if (ms > maxLagMs)
        return notice(`en retard de plus de ${maxLagMs} ms (${Math.ceil(behind / 1024)} Ko de journal à rejouer)`, without);
      await sleep(Math.min(askEveryMs, maxLagMs));
    }
  });
