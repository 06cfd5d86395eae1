import t from 'tap';
import { createTestDatabase } from '../../../test/support/database.ts';
import { sql } from '../../../test/support/sql.ts';
import { entities } from '../../modules.ts';
import { batchedStatement } from './batched-statement.ts';
import { openDatabase } from './open-database.ts';

t.test('stores concurrent entries together and returns a result for each', async (t) => {
  const { url } = await createTestDatabase(t);
  await sql(
    url,
    'create table letter (id serial primary key, word text not null unique check (length(word) < 20), transaction text not null)',
  );
  const orm = await openDatabase({ url, entities, poolSize: 4 });
  t.teardown(() => orm.close(true));
  const em = orm.em.fork();
  const store = batchedStatement<{ id: number; word: string }>({
    name: 'test.letters',
    maxEntries: 50,
    text: `with arrival as materialized (
             select nextval('letter_id_seq')::int as id, word, position
             from rows from (jsonb_to_recordset($1::jsonb) as (word text)) with ordinality as n (word, position)
           ), stored as (insert into letter (id, word, transaction) select id, word, pg_current_xact_id()::text from arrival order by position desc returning id, word)
           select position, id, s.word from stored s join arrival using (id)`,
  });
  const transactions = async () => (await sql<{ n: number }>(url, 'select count(distinct transaction)::int as n from letter'))[0]?.n ?? 0;
  const words = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix} ${n}`);

  await t.test('stores hundreds of entries in a few transactions', async (t) => {
    const asked = words('mot', 200);
    const rows = await Promise.all(asked.map((word) => store(em, { word })));
    t.strictSame(
      rows.map(({ word }) => word),
      asked,
    );
    t.equal(new Set(rows.map(({ id }) => id)).size, asked.length);
    t.ok((await transactions()) <= 5, '200 entries need at most five transactions');
  });

  await t.test('refuses only the invalid entry of a batch', async (t) => {
    const asked = ['avant', 'mot 7', 'nul \0', 'beaucoup trop long pour cette table', 'après'];
    const outcomes = await Promise.allSettled([store(em, { word: 'premier' }), ...asked.map((word) => store(em, { word }))]);
    t.strictSame(
      outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value.word : outcome.reason.code)),
      ['premier', 'avant', '23505', '22P05', '23514', 'après'],
    );
    t.match(await store(em, { word: 'encore' }), { word: 'encore' }, 'later entries are stored');
  });

  await t.test('repeats a statement once that met a deadlock', async (t) => {
    // The sequence counts the runs: it is not rolled back.
    await sql(
      url,
      `create sequence run;
       create function deadlock() returns trigger language plpgsql as
         $$begin if nextval('run') in (1, 3, 4) then raise 'deadlock detected' using errcode = '40P01'; end if; return null; end$$;
       create trigger deadlock after insert on letter execute function deadlock()`,
    );
    t.match(await store(em, { word: 'répété' }), { word: 'répété' });
    await t.rejects(store(em, { word: 'abandonné' }), { code: '40P01' });
    await sql(url, 'drop trigger deadlock on letter');
  });

  await t.test('refuses all entries while the table is missing', async (t) => {
    await sql(url, 'alter table letter rename to elsewhere');
    const outcomes = await Promise.allSettled(words('perdu', 20).map((word) => store(em, { word })));
    t.ok(outcomes.every((outcome) => outcome.status === 'rejected' && outcome.reason.code === '42P01'));
    await sql(url, 'alter table elsewhere rename to letter');
    t.match(await store(em, { word: 'retrouvé' }), { word: 'retrouvé' });
  });
});
