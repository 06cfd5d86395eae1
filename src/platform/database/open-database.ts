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
  /** Connections of this process, at most. */
  poolSize?: number;
  /** Whether statements may be known by a name in their session, and be planned there once; they may without it. */
  namedStatements?: boolean;
  /** What a statement may take, in ms; null, as without it: for ever. */
  timeoutMs?: number | null;
  /** What a statement may wait for a lock, in ms; without it, as long as it may take. */
  lockTimeoutMs?: number;
  debug?: (message: string) => void;
}

/** The ORM's options, also used offline to compare migrations with entities. */
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
    // The default may read from a replica right after a write.
    preferReadReplicas: false,
    // A typing error in DATABASE_URL must not create a database.
    ensureDatabase: false,
    pool: { min: 0, max: poolSize },
    // The ORM reads host, role and password out of the address, and leaves sslmode and a socket's folder there; the driver reads all of it.
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
      // Each by itself: locks are held for one, and what builds indexes needs none at all.
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
 * Waits for whoever asks, then ends every connection. The pool itself does, even twice: the ORM would forget it before a connection that is being opened is
 * there, which nobody would then give back, and leaves a pool open that only named statements have used.
 */
export async function closeDatabase(orm: MikroORM): Promise<void> {
  const pool = await orm.em.getConnection().getNativeClient();
  if (!pool.ended && !pool.ending) await pool.end();
}
