import { join } from 'node:path';
import { Migrator } from '@mikro-orm/migrations';
import { type Dictionary, type EntitySchema, type MigrationObject, MikroORM, type Options } from '@mikro-orm/postgresql';
import { takeBackLostConnections } from './lost-connections.ts';
import { projectRoot } from './paths.ts';

interface DatabaseOptions {
  url: string;
  entities: readonly unknown[];
  migrations?: MigrationObject[];
  /** Connections of this process, at most. */
  poolSize?: number;
  debug?: (message: string) => void;
}

/** The ORM's options, also used offline to compare migrations with entities. */
export function ormOptions({ url, entities, migrations = [], poolSize = 10, debug }: DatabaseOptions): Options {
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
    // A request that finds no connection within this time, in ms, fails instead of waiting for ever.
    driverOptions: { connectionTimeoutMillis: 5_000 },
    migrations: {
      tableName: 'migration',
      path: join(projectRoot, 'migrations'),
      migrationsList: migrations,
      snapshotName: '.snapshot',
      // `up` must not rewrite the committed snapshot.
      snapshotOnMigrate: false,
      silent: true,
      transactional: true,
      allOrNothing: true,
      disableForeignKeys: false,
    },
    ...(debug ? { debug: ['query'], logger: debug } : {}),
  };
}

export async function openDatabase(options: DatabaseOptions): Promise<MikroORM> {
  const orm = await MikroORM.init(ormOptions(options));
  await takeBackLostConnections(orm);
  return orm;
}
