import { MikroORM } from '@mikro-orm/postgresql';
import { migrationList } from '../migrations/list.ts';
import { entities } from './modules.ts';
import { ormOptions } from './platform/database/open-database.ts';

const offline = 'postgresql://offline@127.0.0.1/offline';

/**
 * Applies every missing migration, in order, in one transaction. Answers the names applied.
 * @param to the last of them; the newest without it
 */
export async function migrateDatabase(url: string, to?: string): Promise<string[]> {
  const orm = await MikroORM.init(ormOptions({ url, entities, migrations: migrationList, poolSize: 2 }));
  try {
    // The migrator would create a database that is not there: a typing error must not.
    await orm.em.getConnection().execute('select 1');
    return (await orm.migrator.up(to ? { to } : {})).map(({ name }) => name);
  } finally {
    await orm.close(true);
  }
}

/** Compares the committed snapshot with the entities, without a database. Null when they agree, otherwise what is missing. */
export async function checkMigrations(): Promise<string | null> {
  const orm = await MikroORM.init({ ...ormOptions({ url: offline, entities, migrations: migrationList }), connect: false } as never);
  try {
    const changed = await orm.migrator.checkSchema();
    return changed ? 'The entities have changed since the last migration: run `npm run migration -- <purpose>`.' : null;
  } finally {
    await orm.close(true);
  }
}
