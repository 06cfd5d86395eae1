import { MikroORM } from '@mikro-orm/postgresql';
import t from 'tap';
import { migrationList } from '../../../../migrations/list.ts';
import { createTestDatabase } from '../../../../test/support/database.ts';
import { sql } from '../../../../test/support/sql.ts';
import { entities } from '../../../modules.ts';
import { ormOptions } from '../../../platform/database/open-database.ts';
import { tsqueryOf } from '../../../shared/search/index-terms.ts';
import { readQuery } from '../../../shared/search/query.ts';

t.test('the migration indexes existing texts in several batches', async (t) => {
  const { url } = await createTestDatabase(t);
  const orm = await MikroORM.init(ormOptions({ url, entities, migrations: migrationList, poolSize: 2 }));
  t.teardown(() => orm.close(true));
  const migrations = ['20261127080000-words-of-items', '20261127080010-words-of-before'];
  for (const name of migrations.toReversed()) await orm.migrator.down({ migrations: [name] });
  for (const statement of [
    `insert into prepa (nom, description, prix, created_at, updated_at) values ('P', 'x', 1, now(), now())`,
    `insert into discipline (prepa_id, nom, description, created_at, updated_at) select id, 'D', 'x', now(), now() from prepa`,
    `insert into item (discipline_id, kind, titre, numero_page, contenu, created_at, updated_at)
     select id, 'course', 'L''article ' || n, n, '<p>Loi n° 96-06 ; aujourd’hui \\ ? :x</p>', now(), now() from discipline, generate_series(1, 50) n`,
  ])
    await sql(url, statement);
  for (const name of migrations) await orm.migrator.up({ migrations: [name] });
  for (const q of ['96/06', "aujourd'hui", 'article'])
    t.same(
      await sql(url, 'select count(*)::int as found from item_words where words @@ $1::tsquery', [tsqueryOf(readQuery(q))]),
      [{ found: 50 }],
      q,
    );
});

t.test('the migration takes questions with a fault out of existing texts', async (t) => {
  const { url } = await createTestDatabase(t);
  const orm = await MikroORM.init(ormOptions({ url, entities, migrations: migrationList, poolSize: 2 }));
  t.teardown(() => orm.close(true));
  const name = '20261128160000-faulty-questions-in-searches';
  await orm.migrator.down({ migrations: [name] });
  const asked = (word: string, attribute = '') =>
    `<section class="question" data-id="x" data-kind="text"${attribute}><header><p>${word}</p></header></section>`;
  for (const statement of [
    `insert into prepa (nom, description, prix, created_at, updated_at) values ('P', 'x', 1, now(), now())`,
    `insert into discipline (prepa_id, nom, description, created_at, updated_at) select id, 'D', 'x', now(), now() from prepa`,
    `insert into item (discipline_id, kind, titre, numero_page, contenu, created_at, updated_at)
     select id, 'course', 'T', 1, '<p>Avant</p>${asked('bon')}${asked('faux', ' data-unusable=""')}<p>Après</p>', now(), now() from discipline`,
    `insert into question (id, item_id, position, kind, points, key, judged, usable) select 'x', id, 1, 'text', 1, '{}', '{}', false from item`,
    `update item_words set words = ''`,
  ])
    await sql(url, statement);
  const texts = () => sql(url, 'select trim(texte) as texte, words is null as waits from item join item_words on item_id = id');
  t.same(await texts(), [{ texte: 'Avant bon faux Après', waits: false }]);
  await orm.migrator.up({ migrations: [name] });
  t.same(await texts(), [{ texte: 'Avant bon Après', waits: true }]);
});
