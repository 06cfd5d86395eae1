import { MikroORM } from '@mikro-orm/postgresql';
import t from 'tap';
import { migrationList } from '../../../../migrations/list.ts';
import { createTestDatabase } from '../../../../test/support/database.ts';
import { sql } from '../../../../test/support/sql.ts';
import { entities } from '../../../modules.ts';
import { ormOptions } from '../../../platform/database/open-database.ts';

t.test('the migration counts existing marks in several batches', async (t) => {
  const { url } = await createTestDatabase(t);
  const orm = await MikroORM.init(ormOptions({ url, entities, migrations: migrationList, poolSize: 2 }));
  t.teardown(() => orm.close(true));
  const migrations = ['20261124090000-progress-by-discipline', '20261124090100-progress-of-before'];
  for (const name of migrations.toReversed()) await orm.migrator.down({ migrations: [name] });
  for (const statement of [
    `insert into prepa (nom, description, prix, created_at, updated_at) values ('P', 'x', 1, now(), now())`,
    `insert into discipline (prepa_id, nom, description, created_at, updated_at) select id, 'D' || n, 'x', now(), now() from prepa, generate_series(1, 2) n`,
    `insert into item (discipline_id, kind, titre, numero_page, contenu, created_at, updated_at)
     select id, 'course', 'T' || n, n, 'x', now(), now() from discipline, generate_series(1, 2) n`,
    `insert into app_user (id, username, email, password_hash, created_at) select gen_random_uuid(), 'u' || n, 'u' || n, 'x', now() from generate_series(1, 2500) n`,
    // The first item of each discipline is finished, the second one was opened later.
    `insert into item_reading (user_id, item_id, read_at, finished_at)
     select u.id, i.id, now() + i.numero_page * interval '1 hour', case when i.numero_page = 1 then now() end from app_user u, item i`,
  ])
    await sql(url, statement);
  for (const name of migrations) await orm.migrator.up({ migrations: [name] });
  t.same(
    await sql(
      url,
      `select count(*)::int as rows, count(distinct p.user_id)::int as learners, bool_and(p.finished = 1 and i.numero_page = 2 and i.discipline_id = p.discipline_id) as right
       from discipline_progress p join item i on i.id = p.last_item_id`,
    ),
    [{ rows: 5000, learners: 2500, right: true }],
  );
});
