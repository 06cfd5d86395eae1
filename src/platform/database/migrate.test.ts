import { Migration } from '@mikro-orm/migrations';
import type { MigrationObject } from '@mikro-orm/postgresql';
import t from 'tap';
import { migrationList } from '../../../migrations/list.ts';
import { createTestDatabase } from '../../../test/support/database.ts';
import { holding, sql, untilBlocked } from '../../../test/support/sql.ts';
import { migrateDatabase } from '../../migrations.ts';
import { OnlineMigration } from './online-migration.ts';

type Up = (migration: Pick<Planted, 'addSql' | 'createIndex' | 'updateInBatches' | 'execute'>) => void | Promise<void>;
class Planted extends OnlineMigration {
  override createIndex = super.createIndex;
  override updateInBatches = super.updateInBatches;
  override up(): void | Promise<void> {}
}

/** Returns the existing migrations followed by these. */
const withMore = (more: Record<string, Up>, Base: typeof Migration | typeof Planted = Planted): { migrations: MigrationObject[] } => ({
  migrations: [
    ...migrationList,
    ...Object.entries(more).map(([name, up]) => ({
      name,
      class: class extends (Base as typeof Planted) {
        override up() {
          return up(this);
        }
      } as never,
    })),
  ],
});
const applied = async (url: string) =>
  (await sql<{ name: string }>(url, "select name from migration where name like '2099%' order by id")).map(({ name }) => name);

t.test('a migration that waits for a lock lets others pass and gets the lock in the end', async (t) => {
  const { url } = await createTestDatabase(t);
  const more = withMore({ '2099-column': (migration) => migration.addSql('alter table prepa add column a int') }, Migration);
  // The migration waits for the lock of a long read. Without a lock timeout, all later readers would wait for the migration.
  const { migrated } = await holding(url, 'lock table prepa in access share mode', async () => {
    const migrated = migrateDatabase(url, { ...more, lockTimeoutMs: 200, pauseMs: 10 });
    await untilBlocked(url, 1);
    t.same(await sql(url, 'select count(*)::int as n from prepa'), [{ n: 0 }]);
    return { migrated };
  });
  t.same(await migrated, ['2099-column']);
});

t.test('reports in French a lock that never becomes free, and continues in the next run', async (t) => {
  const { url } = await createTestDatabase(t);
  const more = withMore(
    {
      '2099-a': (migration) => migration.addSql('alter table discipline add column a int'),
      '2099-b': (migration) => migration.addSql('alter table prepa add column a int'),
    },
    Migration,
  );
  await holding(url, 'lock table prepa', () =>
    t.rejects(migrateDatabase(url, { ...more, lockTimeoutMs: 20, tries: 2, pauseMs: 1 }), {
      message: 'La migration 2099-b attend un verrou qui ne se libère pas : réessayez plus tard.',
    }),
  );
  t.same(await applied(url), ['2099-a']);
  t.same(await migrateDatabase(url, more), ['2099-b']);
});

t.test('of two concurrent runs one migrates, and the other finds nothing to do', async (t) => {
  const { url } = await createTestDatabase(t);
  const more = withMore({ '2099-a': (migration) => migration.addSql('create table other ()') }, Migration);
  const both = await Promise.all([migrateDatabase(url, more), migrateDatabase(url, more)]);
  t.same(both.flat(), ['2099-a']);
});

t.test('a stopped batch update continues where it ended and updates each row once', async (t) => {
  const { url } = await createTestDatabase(t);
  await sql(url, 'create table thing (id serial primary key, changes int not null default 0, filled int)');
  await sql(url, 'insert into thing select from generate_series(1, 2000)');
  // The update of this row in the second batch fails.
  await sql(url, 'alter table thing add constraint none check (id <> 200 or filled is null)');
  let changed = 0;
  const more = withMore({
    '2099-fill': async (migration) => {
      changed = await migration.updateInBatches({
        table: 'thing',
        where: 'filled is null',
        set: 'filled = thing.id, changes = changes + 1',
      });
    },
  });
  await t.rejects(migrateDatabase(url, more), { code: '23514' });
  t.same(await sql(url, 'select count(*)::int as n from thing where filled is not null'), [{ n: 100 }], 'completed batches stay');
  await sql(url, 'alter table thing drop constraint none');
  t.same(await migrateDatabase(url, more), ['2099-fill']);
  t.equal(changed, 1_900);
  t.same(await sql(url, 'select count(*)::int as n from thing where filled = id and changes = 1'), [{ n: 2_000 }]);
});

t.test('rebuilds an index whose creation was interrupted', async (t) => {
  const { url } = await createTestDatabase(t);
  await sql(url, 'create table thing (id int)');
  await sql(url, 'insert into thing values (1), (1)');
  const more = withMore({ '2099-index': (migration) => migration.createIndex('thing_id', 'thing (id)', { unique: true }) });
  await t.rejects(migrateDatabase(url, more), { code: '23505' });
  const valid = () => sql(url, `select indisvalid as valid from pg_index where indexrelid = 'thing_id'::regclass`);
  t.same(await valid(), [{ valid: false }], 'invalid index left by the first run');
  await sql(url, 'delete from thing');
  t.same(await migrateDatabase(url, more), ['2099-index']);
  t.same(await valid(), [{ valid: true }]);
});
