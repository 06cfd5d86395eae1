import t from 'tap';
import { createTestDatabase } from '../../../test/support/database.ts';
import { entities } from '../../modules.ts';
import { namedStatement } from './named-statement.ts';
import { openDatabase } from './open-database.ts';
import { fieldOf, readRows } from './rows.ts';

t.test('converts column names to field names', async (t) => {
  const fields = { id: 'id', prepa_id: 'prepaId', payer_phone_last: 'payerPhoneLast', announced_days_7: 'announcedDays7', endMs: 'endMs' };
  for (const [column, field] of Object.entries(fields)) t.equal(fieldOf(column), field);
});

t.test('rows are objects with these fields', async (t) => {
  const { url } = await createTestDatabase(t);
  const orm = await openDatabase({ url, entities, poolSize: 2 });
  t.teardown(() => orm.close(true));
  const columns = `n as item_id, nullif(n, 2) as numero_page, 'Suites' as titre, json_build_object('saved_by', 'Awa') as last_save`;
  const expected = [
    { itemId: 1, numeroPage: 1, titre: 'Suites', lastSave: { saved_by: 'Awa' } },
    { itemId: 2, numeroPage: null, titre: 'Suites', lastSave: { saved_by: 'Awa' } },
  ];

  await t.test('rows of a named statement, on every connection and at every call', async (t) => {
    const read = namedStatement<{ itemId: number }>({ name: 'test.rows', text: `select ${columns} from generate_series(1, $1) n` });
    const em = orm.em.fork();
    t.same(await read(em, [0]), [], 'no rows are returned');
    for (const answer of await Promise.all([read(em, [2]), read(em, [2]), read(em, [2])])) t.strictSame(answer, expected);
    t.strictSame(await read(em, [1]), expected.slice(0, 1));
  });

  await t.test('rows read inside a transaction', async (t) => {
    await orm.em.fork().transactional(async (tx) => {
      await tx.execute('create temporary table page (n int) on commit drop');
      t.same(await readRows(tx, `select ${columns} from page`, []), [], 'no rows are returned');
      await tx.execute('insert into page values (1), (2)');
      t.strictSame(await readRows(tx, `select ${columns} from page where n <= ? order by n`, [2]), expected);
    });
  });

  await t.test('dates are Date objects from the driver, and text through the ORM', async (t) => {
    const text = `select timestamptz '2026-11-22T10:00:00Z' as saved_at`;
    const at = new Date('2026-11-22T10:00:00Z');
    t.strictSame(await namedStatement({ name: 'test.dates', text })(orm.em.fork(), []), [{ savedAt: at }]);
    const [row] = await readRows<{ savedAt: string }>(orm.em.fork(), text, []);
    t.equal(typeof row?.savedAt, 'string');
    t.same(new Date(row?.savedAt ?? ''), at);
  });
});
