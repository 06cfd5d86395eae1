import t from 'tap';
import { createTestApp } from '../../../../test/support/app.ts';
import { createDiscipline, createItem, createLearner } from '../../../../test/support/factories.ts';
import { sql } from '../../../../test/support/sql.ts';

// Triggers maintain each learner's progress per discipline. It must always equal a recount of the learner's marks.

const home = await createTestApp(t);
const { databaseUrl } = home;

/** Returns progress rows that are missing, superfluous or wrong. */
const wrong = () =>
  sql(
    databaseUrl,
    `select * from (
       select distinct on (r.user_id, i.discipline_id) r.user_id, i.discipline_id, r.item_id as last_item_id, r.read_at as last_read_at,
              (count(r.finished_at) over (partition by r.user_id, i.discipline_id))::int as finished
       from item_reading r join item i on i.id = r.item_id order by r.user_id, i.discipline_id, r.read_at desc, r.item_id desc) e
     full join discipline_progress p using (user_id, discipline_id)
     where (e.finished, e.last_item_id, e.last_read_at) is distinct from (p.finished, p.last_item_id, p.last_read_at)`,
  );

async function place() {
  const one = await createDiscipline(home);
  const disciplines = [one, await createDiscipline(home, one.prepaId)];
  const items = await Promise.all(
    disciplines.flatMap(({ id }) => [1, 2, 3].map((numeroPage) => createItem(home, id, { kind: 'course', numeroPage }))),
  );
  const learners = await Promise.all(Array.from({ length: 5 }, () => createLearner(home)));
  return {
    prepa: one.prepaId,
    disciplines: disciplines.map(({ id }) => id),
    ids: items.map(({ id }) => id),
    people: learners.map(({ id }) => id),
  };
}

t.test('progress is right after each change of marks, items, disciplines and learners', async (t) => {
  const { prepa, disciplines, ids, people } = await place();
  const [first, second, third, ...others] = ids;
  const open = `insert into item_reading as kept (user_id, item_id, read_at, finished_at)
    select u, i, $3::timestamptz + u.n * interval '1 minute' + i.n * interval '1 second', case when $4 then $3::timestamptz end
    from unnest($1::uuid[]) with ordinality u (u, n), unnest($2::int[]) with ordinality i (i, n)
    on conflict (user_id, item_id) do update
    set read_at = greatest(kept.read_at, excluded.read_at), finished_at = coalesce(kept.finished_at, excluded.finished_at)`;
  const changes: [what: string, statement: string, values: unknown[]][] = [
    ['opened', open, [people.slice(0, 4), ids, '2026-11-01', false]],
    ['opened again, and earlier than that', open, [people.slice(0, 2), [first], '2026-10-01', false]],
    ['some finished, some opened for the first time', open, [people.slice(1), [first, second], '2026-11-02', true]],
    ['finished before', open, [people, [first, second], '2026-11-03', true]],
    ['at the same instant', `update item_reading set read_at = '2026-11-04' where user_id = $1`, [people[0]]],
    ['not finished any more', 'update item_reading set finished_at = null where user_id = $1', [people[1]]],
    ['the mark of the last one removed', 'delete from item_reading where user_id = $1 and item_id = $2', [people[1], others.at(-1)]],
    ['another removed', 'delete from item_reading where user_id = $1 and item_id = $2', [people[2], third]],
    ['all marks of a discipline', 'delete from item_reading where user_id = $1 and item_id = any($2)', [people[3], [first, second, third]]],
    ['an item deleted', 'delete from item where id = $1', [second]],
    ['the item that most learners opened last', 'delete from item where id = $1', [others.at(-1)]],
    ['a learner', 'delete from app_user where id = $1', [people[0]]],
    ['a discipline', 'delete from discipline where id = $1', [disciplines[0]]],
    ['the prepa', 'delete from prepa where id = $1', [prepa]],
  ];
  for (const [what, statement, values] of changes) {
    await sql(databaseUrl, statement, values);
    t.same(await wrong(), [], what);
  }
  t.same(await sql(databaseUrl, 'select from discipline_progress where user_id = any($1)', [people]), [], 'no progress row remains');
});

t.test('a recount gives the same progress and corrects wrong rows', async (t) => {
  const { ids, people } = await place();
  await sql(
    databaseUrl,
    `insert into item_reading (user_id, item_id, read_at, finished_at)
     select u, i, now() - i * interval '1 minute', case when i % 2 = 0 then now() end from unnest($1::uuid[]) u, unnest($2::int[]) i`,
    [people.slice(0, 4), ids],
  );
  await sql(databaseUrl, 'delete from discipline_progress where user_id = $1', [people[0]]);
  await sql(databaseUrl, 'update discipline_progress set finished = 7, last_item_id = $2 where user_id = $1', [people[1], ids[0]]);
  await sql(
    databaseUrl,
    `insert into discipline_progress (user_id, discipline_id, finished, last_item_id, last_read_at)
     select $1, id, 1, $2, now() from discipline limit 1`,
    [people[4], ids[0]],
  );
  t.ok((await wrong()).length >= 4);
  await sql(databaseUrl, 'select recount_progress(array(select id from app_user))');
  t.same(await wrong(), []);
});

t.test('concurrent openings, endings and deletions: no deadlock, and progress equals the marks', async (t) => {
  const { disciplines, ids, people } = await place();
  const marking = people.flatMap((person) =>
    ids.flatMap((id) =>
      [false, true].map((finished) =>
        sql(
          databaseUrl,
          `insert into item_reading as kept (user_id, item_id, read_at, finished_at) select $1, id, now(), case when $3 then now() end from item where id = $2 for key share
           on conflict (user_id, item_id) do update set read_at = greatest(kept.read_at, excluded.read_at), finished_at = coalesce(kept.finished_at, excluded.finished_at)`,
          [person, id, finished],
        ),
      ),
    ),
  );
  const deleting = [ids[1], ids[4]].map((id) => sql(databaseUrl, 'delete from item where id = $1', [id]));
  await Promise.all([...marking, ...deleting]);
  t.same(await wrong(), []);
  const [row] = await sql(
    databaseUrl,
    'select count(*)::int as rows, sum(finished)::int as finished from discipline_progress where discipline_id = any($1)',
    [disciplines],
  );
  t.same(row, { rows: 2 * people.length, finished: 4 * people.length });
});
