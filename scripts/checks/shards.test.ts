import { parse } from 'libpg-query';
import pg from 'pg';
import t from 'tap';
import { createTestDatabase } from '../../test/support/database.ts';
import { crossingConstraints } from './shards/constraints.ts';
import { comparePage } from './shards/page.ts';
import { judgeStatement } from './shards/statements.ts';

const columns = new Map(
  Object.entries({
    app_user: ['id', 'email'],
    session: ['id', 'user_id'],
    payment: ['id', 'user_id', 'prepa_id', 'reference'],
    payment_event: ['id', 'payment_id'],
    enrolment: ['id', 'user_id', 'prepa_id'],
    notification: ['id', 'user_id'],
    prepa: ['id', 'nom'],
    audit_entry: ['id', 'subject_id'],
  }).map(([table, names]) => [table, new Set(names)]),
);

async function judged(text: string): Promise<string[]> {
  const { stmts = [] } = await parse(text);
  return stmts.flatMap(({ stmt }) => judgeStatement(stmt, columns));
}

t.test('statements that one shard can answer', async (t) => {
  for (const text of [
    'select * from prepa where id = $1',
    'select * from payment where user_id = $1 and id = $2',
    'select * from payment p join enrolment e on e.user_id = p.user_id and e.prepa_id = p.prepa_id where p.user_id = $1',
    'select * from payment join enrolment using (user_id) where user_id = $1',
    'select u.email, (select count(*) from notification n where n.user_id = u.id) from app_user u where u.id = $1::uuid',
    'with mine as (select id, user_id from payment where user_id = $1) update notification n set id = 1 from mine where n.user_id = mine.user_id',
    'select * from (select user_id as whose from payment) p where p.whose = any($1)',
    'insert into payment (user_id, reference) values ($1, $2)',
    'insert into notification (id, user_id) select $1, e.user_id from enrolment e where e.user_id = $2',
    'delete from session s using jsonb_to_recordset($1) as given(token text, whose uuid) where s.id = given.token and s.user_id = given.whose',
    'select p.nom from prepa p where exists (select from enrolment e where e.prepa_id = p.id and e.user_id = $1)',
  ])
    t.same(await judged(text), [], text);
});

t.test('statements that one shard cannot answer, with the reason', async (t) => {
  const crossing: [string, string[]][] = [
    ['select * from payment where reference = $1', ['every shard: payment']],
    ['select * from session s join app_user u on u.id = s.user_id where s.id = $1', ['every shard: session']],
    ['select * from payment p, enrolment e where p.user_id = $1 and e.prepa_id = p.prepa_id', ['join: enrolment']],
    ['select * from payment where user_id = $1 or id = $2', ['every shard: payment']],
    ['delete from notification where id in (select id from notification where user_id = $1)', ['join: notification']],
    ['select * from payment_event where payment_id = $1', ['no column: payment_event']],
    ['select * from payment p join audit_entry a on a.subject_id = p.id where p.user_id = $1', ['in one place: audit_entry']],
    ['update payment set reference = $1 where id = $2', ['every shard: payment']],
    [
      'insert into notification (user_id) select e.user_id from enrolment e where e.prepa_id = $1',
      ['every shard: enrolment', 'every shard: notification'],
    ],
  ];
  for (const [text, why] of crossing) t.same(await judged(text), why, text);
});

t.test('finds the constraints and triggers that read rows of other learners, and no others', async (t) => {
  const { url } = await createTestDatabase(t);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  t.teardown(() => client.end());
  const names = async () => (await crossingConstraints(client)).map(({ name }) => name);
  const before = await names();
  t.ok(before.includes('app_user_email_unique'));
  t.ok(before.includes('payment_event_payment_id_foreign'));
  t.ok(before.includes('item_reading_insert_tallied'));
  for (const own of [
    'enrolment_user_prepa_unique',
    'payment_user_id_foreign',
    'payment_event_append_only',
    'item_discipline_kind_page_unique',
  ])
    t.notOk(before.includes(own), own);
  await client.query('alter table enrolment add constraint one_at_a_time unique (prepa_id)');
  t.same(
    (await names()).filter((name) => !before.includes(name)),
    ['one_at_a_time'],
  );
});

t.test('compares the page with the findings', async (t) => {
  const page = '# Growth\n\n## Statements\n\n| What | Why |\n|---|---|\n| `join: a`, `join: b` | `c` |\n\n## Others\n\n| `join: d` | |\n';
  const found = (...names: string[]) => names.map((name) => ({ name, why: 'because' }));
  t.same(comparePage(page, 'Statements', found('join: a', 'join: b')), []);
  t.match(comparePage(page, 'Statements', found('join: a', 'join: b', 'join: c')), [/`join: c` is not explained \(because\)/]);
  t.match(comparePage(page, 'Statements', found('join: a')), [/`join: b` crosses nothing any more/]);
});
