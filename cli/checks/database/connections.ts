import { findPooler } from '../../../src/platform/database/pooler.ts';
import { roleOf } from '../../../src/platform/database/roles.ts';
import { type Check, fault, good, notice } from '../check.ts';

/** The share of PostgreSQL's connections in use above which the check warns. */
const fullAt = 0.9;

/** Checks that the server can open as many database connections as its settings allow. */
export const connections: Check = {
  name: 'Connexions à la base',
  async look({ kernel: { orm, config } }) {
    const role = config.databaseUrl && roleOf(config.databaseUrl);
    const asked = config.databasePool.poolSize * config.webProcesses;
    const [row] = await orm.em.getConnection().execute<{ places: number; taken: number; database: number; role: number | null }[]>(
      `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as places,
         (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as taken,
         (select datconnlimit from pg_database where datname = current_database()) as database,
         (select rolconnlimit from pg_roles where rolname = ?) as role`,
      [role],
    );
    const { places = 0, taken = 0 } = row ?? {};
    const limits = [places, row?.database, row?.role].filter((limit) => typeof limit === 'number' && limit >= 0) as number[];
    const least = Math.min(...limits);
    // Behind a pooler, the server's connections do not count: the pooler opens fewer to PostgreSQL.
    if (least < asked && !(config.databaseUrl && (await findPooler(config.databaseUrl))))
      return fault(
        `${least} au plus, alors que le serveur en ouvre jusqu'à ${asked}`,
        least === places
          ? 'augmentez max_connections de PostgreSQL'
          : 'levez la limite (alter role … connection limit -1, ou alter database)',
      );
    if (taken >= fullAt * places)
      return notice(`${taken} prises sur ${places}`, 'augmentez max_connections de PostgreSQL, ou ayez moins de processus');
    return good(`${taken} prises sur ${places}`);
  },
};
