import t from 'tap';
import { createTestApp, visit } from '../../../../test/support/app.ts';
import { createAdministrator } from '../../../../test/support/factories.ts';
import { sql } from '../../../../test/support/sql.ts';
import { pagesRead, planOf, rowsRead, statementsDuring } from '../../../../test/support/statements.ts';

// Cost of the log's queries in a database with 20,000 entries.

const home = await createTestApp(t);
const { app, databaseUrl } = home;
const boss = await createAdministrator(home, 'super_admin');
await sql(
  databaseUrl,
  `insert into audit_entry (at, actor, action, subject, label)
   select now() - n * interval '1 hour', 'terminal', case when n % 1000 = 0 then 'withdrawn' when n % 10 = 0 then 'created' else 'updated' end,
          case when n % 500 = 0 then 'enrolment' else 'course' end, 'Leçon ' || n || case when n = 19000 then ' sur les éclipses' else ' de français' end
   from generate_series(1, 20000) n`,
);
await sql(databaseUrl, 'vacuum analyze audit_entry');

t.test('a page of the log reads only its own entries, with any filter', async (t) => {
  const day = new Date(Date.now() - 700 * 86_400_000).toISOString().slice(0, 10);
  for (const [query, expected] of [
    ['', 50],
    ['avant=900', 50],
    ['texte=éclipse', 1],
    ['texte=introuvable', 0],
    ['texte=FRANÇAIS', 50],
    ['texte=zz', 0],
    ['action=withdrawn', 20],
    ['action=refunded', 0],
    ['objet=enrolment', 40],
    ['objet=enrolment&action=updated', 0],
    ['administrateur=terminal&action=withdrawn', 20],
    [`du=${day}&au=${day}`, 24],
  ] as const) {
    const url = `/admin/journal?${new URLSearchParams(query)}`;
    let shown = 0;
    const sent = await statementsDuring(async () => {
      shown = (await visit(app, url, boss.session)).body.split('class="entry__label"').length - 1;
    });
    t.equal(shown, expected, query);
    const list = sent.find(({ text }) => text.includes('from audit_entry'));
    const read = rowsRead(await planOf(databaseUrl, list, { run: true }), 'audit_entry');
    t.ok(read <= 130, `${query}: ${read} entries`);
  }
});

t.test('one rare word makes the search fast, even if the other words are common', async (t) => {
  for (const [texte, expected] of [
    ['Leçon 1700 de', 1],
    ['leçon 1700 DE FRANÇAIS', 1],
    ['çon 1700 de fran', 1],
    ['Leçon 170 d', 1],
    ['Leçon 20001 de', 0],
    ['Leçon 17 00', 0],
  ] as const) {
    let shown = 0;
    const sent = await statementsDuring(async () => {
      shown =
        (await visit(app, `/admin/journal?${new URLSearchParams({ texte })}`, boss.session)).body.split('class="entry__label"').length - 1;
    });
    t.equal(shown, expected, texte);
    const list = sent.find(({ text }) => text.includes('from audit_entry'));
    const pages = pagesRead(await planOf(databaseUrl, list, { run: true }));
    // Each trigram is looked up in an index of three levels.
    t.ok(pages <= 5 * texte.length, `${texte}: ${pages} pages`);
  }
});

t.test('one or two letters match only at the beginning of words', async (t) => {
  const labels = async (texte: string) =>
    (await visit(app, `/admin/journal?${new URLSearchParams({ texte, du: '2020-01-01', au: '2020-01-01' })}`, boss.session)).body.split(
      'class="entry__label"',
    ).length - 1;
  await sql(
    databaseUrl,
    `insert into audit_entry (at, actor, action, subject, label) values ('2020-01-01T12:00:00Z', 'x', 'created', 'prepa', 'Les Bases 100 %')`,
  );
  for (const [texte, found] of [
    ['le', 1],
    ['BA', 1],
    ['1', 1],
    ['%', 1],
    ['es', 0],
    ['_', 0],
    ['ase', 1],
  ] as const)
    t.equal(await labels(texte), found, texte);
});
