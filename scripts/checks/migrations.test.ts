import { Migration } from '@mikro-orm/migrations';
import t from 'tap';
import { OnlineMigration } from '../../src/platform/database/online-migration.ts';
import { checkMigrationSafety } from './migrations.ts';

/** A name that sorts after all migrations written before the check. */
const name = '20991231235959-planted';

const told = (...statements: string[]) =>
  checkMigrationSafety([
    {
      name,
      class: class extends Migration {
        override up() {
          for (const statement of statements) this.addSql(statement);
        }
      },
    },
  ]);
const toldOnline = (...statements: string[]) =>
  checkMigrationSafety([
    {
      name,
      class: class extends OnlineMigration {
        override up() {
          for (const statement of statements) this.addSql(statement);
        }
      },
    },
  ]);

t.test('refuses statements that would lock learners out or break the release that still runs', async (t) => {
  const planted: Record<string, RegExp> = {
    'create index a on item (titre)': /builds an index.*createIndex/,
    'create unique index a on item (titre)': /builds an index/,
    'create index concurrently if not exists a on item (titre)': /not possible in a transaction/,
    'drop index a': /drops an index/,
    'drop table item': /drops a table/,
    'alter table item drop column titre': /drops a column/,
    'alter table item rename column titre to nom': /renames a column/,
    'alter table item rename to contenu': /renames a table/,
    'alter table item alter column annee type bigint': /changes the type/,
    'alter table item alter column annee set not null': /reads every row/,
    'alter table item add column a uuid default gen_random_uuid()': /default/,
    'alter table item add column a text generated always as (lower(titre)) stored': /computes every row/,
    'alter table item add column a bigserial': /numbers every row/,
    'alter table item add column a int generated always as identity': /numbers every row/,
    'alter table item add column a int not null': /cannot be/,
    'alter table item add column a int references prepa': /reads every row/,
    'alter table item add column a int unique': /builds an index/,
    'alter table item add constraint a check (annee > 0)': /not valid/,
    'alter table item add constraint a foreign key (annee) references prepa (id)': /not valid/,
    'alter table item add constraint a unique (titre)': /using index/,
    "update item set titre = ''": /updateInBatches/,
    'with gone as (delete from item returning id) insert into other select id from gone': /updateInBatches/,
    'truncate item': /empties/,
    'lock table item': /locks/,
    'vacuum full item': /rewrites/,
    'cluster item': /rewrites/,
    'reindex table item': /builds an index/,
    'refresh materialized view item_view': /writes a view/,
  };
  for (const [statement, reason] of Object.entries(planted)) {
    const fault = (await told(statement)) ?? '';
    t.match(fault, reason, statement);
    t.match(fault, `migrations/${name}: `);
    t.match(fault, statement, 'the report contains the statement');
  }
  const [add, validate] = ['alter table item add constraint a check (annee > 0) not valid', 'alter table item validate constraint a'];
  t.match(await told(add, validate), /migration of its own/, 'validated under the lock of adding it');
  for (const statement of [
    'create index concurrently a on item (titre)',
    'drop index concurrently a',
    'alter table item add column a int',
    add,
  ]) {
    t.match(await toldOnline(statement), /cannot be run again/, statement);
  }
});

t.test('accepts statements that a site in use does not notice', async (t) => {
  const passing = [
    ['alter table item add column a text'],
    ["alter table item add column a text not null default ''"],
    ["alter table item add column a timestamptz not null default now(), add b text[] default array['x']::text[]"],
    ['alter table item add constraint a check (annee > 0) not valid'],
    ['alter table item validate constraint a'],
    ['alter table item alter column titre drop not null, alter column titre set default $$x$$'],
    [
      'create table other (id serial primary key, item_id int references item)',
      'create index a on other (item_id)',
      'update other set id = 1',
    ],
    ['create table copy as select * from item', 'alter table copy add primary key (id)'],
    ['create or replace function f() returns int language sql return 1'],
    ['insert into item (titre) select titre from item'],
    ['/* accepted: no server reads it since release 12 */ alter table item drop column titre'],
  ];
  for (const statements of passing) t.equal(await told(...statements), null, statements.join('; '));
  t.equal(
    await toldOnline(
      'alter table item drop constraint if exists b',
      'alter table item add constraint b check (annee is not null) not valid',
      'alter table item validate constraint b',
      'alter table item alter column annee set not null',
    ),
    null,
  );
});

t.test("accepts an online migration's own methods, without running its batches", async (t) => {
  const online = {
    name,
    class: class extends OnlineMigration {
      override async up() {
        await this.createIndex('a', 'item (titre)', { unique: true });
        await this.updateInBatches({ table: 'item', where: 'texte is null', set: "texte = ''" });
        await this.dropIndex('b');
      }
    },
  };
  t.equal(await checkMigrationSafety([online]), null);
});

t.test('a comment allows a statement only with a reason, and migrations older than the check are skipped', async (t) => {
  t.match(await told('/* accepted: */ alter table item drop column titre'), /drops a column/);
  t.equal(await checkMigrationSafety(), null);
});
