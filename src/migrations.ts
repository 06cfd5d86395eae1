import { type MigrationObject, MikroORM } from '@mikro-orm/postgresql';
import { migrationList } from '../migrations/list.ts';
import { entities } from './modules.ts';
import { connected } from './platform/database/connections/connected.ts';
import { type MigrateOptions, migrate, migrateConnections, migrateDefaults } from './platform/database/migrate.ts';
import { ormOptions } from './platform/database/open-database.ts';
import { requireOwnSession } from './platform/database/pooler.ts';

const offline = 'postgresql://offline@127.0.0.1/offline';

interface MigrateDatabaseOptions extends MigrateOptions {
  migrations?: MigrationObject[];
  /** Last migration to apply; default: the newest. */
  to?: string;
}

/** Applies all pending migrations, see `migrate`. Returns their names. */
export async function migrateDatabase(url: string, options: MigrateDatabaseOptions = {}): Promise<string[]> {
  const { migrations: all = migrationList, to, ...limits } = options;
  const migrations = to === undefined ? all : all.slice(0, all.findIndex(({ name }) => name === to) + 1);
  const { lockTimeoutMs, ...tries } = { ...migrateDefaults, ...limits };
  await connected(url, (client) => requireOwnSession(client, url));
  const orm = await MikroORM.init(ormOptions({ url, entities, migrations, poolSize: migrateConnections, lockTimeoutMs }));
  try {
    // Fails if the database does not exist. The migrator would create it, even for a typing error in the address.
    await orm.em.getConnection().execute('select 1');
    return await migrate(orm, tries);
  } finally {
    await orm.close(true);
  }
}

/** Compares the committed snapshot with the entities, without a database. Returns null if they agree, else a message. */
export async function checkMigrations(): Promise<string | null> {
  const orm = await MikroORM.init({ ...ormOptions({ url: offline, entities, migrations: migrationList }), connect: false } as never);
  try {
    const changed = await orm.migrator.checkSchema();
    return changed ? 'The entities have changed since the last migration: run `npm run migration -- <purpose>`.' : null;
  } finally {
    await orm.close(true);
  }
}
