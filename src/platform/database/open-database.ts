import { join } from 'node:path';
import { Migrator } from '@mikro-orm/migrations';
import { type Dictionary, type EntitySchema, type MigrationObject, MikroORM, type Options } from '@mikro-orm/postgresql';
import { projectRoot } from '../settings/project-root.ts';
import { dropLostConnections } from './connections/lost-connections.ts';
import { driverLimits } from './connections/statement-limits.ts';
import { UnnamedStatements } from './connections/unnamed-statements.ts';

interface DatabaseOptions {
  url: string;
  entities: readonly unknown[];
  migrations?: MigrationObject[];
  /** Maximum number of connections of this process. */
  poolSize?: number;
  /** Whether prepared statements may have names, so that each session plans them once. Default: true. */
  namedStatements?: boolean;
  /** Statement timeout, in ms; null (default): none. */
  timeoutMs?: number | null;
  /** Lock timeout of a statement, in ms; default: limited only by `timeoutMs`. */
  lockTimeoutMs?: number;
  debug?: (message: string) => void;
}

/** Returns the ORM's options; also used without a database, to compare migrations with entities. */
export function ormOptions({
  url,
  entities,
  migrations = [],
  poolSize = 10,
  namedStatements = true,
  timeoutMs = null,
  lockTimeoutMs,
  debug,
}: DatabaseOptions): Options {
  return {
    clientUrl: url,
    entities: entities as EntitySchema<Dictionary>[],
    extensions: [Migrator],
    forceUtcTimezone: true,
    timezone: 'UTC',
    // The default would send a read right after a write to a replica.
    preferReadReplicas: false,
    // A typing error in DATABASE_URL must not create a database.
    ensureDatabase: false,
    pool: { min: 0, max: poolSize },
    // The ORM parses host, role and password only; the driver also understands sslmode and socket folders in the address.
    driverOptions: {
      connectionString: url,
      ...driverLimits(timeoutMs),
      ...(!namedStatements && { Client: UnnamedStatements }),
      ...(lockTimeoutMs !== undefined && { lock_timeout: lockTimeoutMs }),
    },
    migrations: {
      tableName: 'migration',
      path: join(projectRoot, 'migrations'),
      migrationsList: migrations,
      snapshotName: '.snapshot',
      // `up` must not rewrite the committed snapshot.
      snapshotOnMigrate: false,
      silent: true,
      transactional: true,
      // One transaction per migration: locks are held briefly, and migrations that build indexes can run without a transaction.
      allOrNothing: false,
      disableForeignKeys: false,
    },
    ...(debug ? { debug: ['query'], logger: debug } : {}),
  };
}

export async function openDatabase(options: DatabaseOptions): Promise<MikroORM> {
  const orm = await MikroORM.init(ormOptions(options));
  await dropLostConnections(orm, options.timeoutMs ?? null);
  return orm;
}

/**
 * Waits for running statements, then closes all connections. May be called twice. Ends the pool itself, since the ORM's own close forgets a
 * connection that is still being opened, which then stays open, and does not close a pool that only named statements have used.
 */
export async function closeDatabase(orm: MikroORM): Promise<void> {
  const pool = await orm.em.getConnection().getNativeClient();
  if (!pool.ended && !pool.ending) await pool.end();
}
