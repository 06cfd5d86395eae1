import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { createTestDatabase } from '../test/support/database.ts';
import { sql } from '../test/support/sql.ts';
import { asRole } from '../test/support/template.ts';
import { runPrepa } from '../test/support/terminal.ts';

t.test('prepa import makes drafts, names what it refuses, and replaces earlier drafts only with --replace', async (t) => {
  const { url } = await createTestDatabase(t);
  const env = { NODE_ENV: 'test', DATA_DIR: t.testdir({}), DATABASE_URL: asRole(url, 'commands') };
  const folder = t.testdir({ '2-suites.md': '# Les suites\n\nUne suite.', '10-limites.md': 'Une limite.', 'cassé.docx': 'x' });
  const run = (...args: string[]) => runPrepa(['import', folder, '--discipline', '1', ...args], env);
  await sql(
    url,
    `insert into prepa (nom, prix, description, is_published, created_at, updated_at) values ('ENS', 15000, '', true, now(), now())`,
  );
  await sql(
    url,
    `insert into discipline (prepa_id, nom, description, created_at, updated_at) select id, 'Analyse', '', now(), now() from prepa`,
  );
  const titles = async () => (await sql<{ titre: string }>(url, 'select titre from item_draft order by id')).map(({ titre }) => titre);

  const dry = await run('--dry-run');
  t.equal(dry.code, 1, 'one file cannot be read');
  t.match(dry.out, /^2 brouillon\(s\) à enregistrer, dont 0 remplacé\(s\) ; 1 fichier\(s\) refusé\(s\)\.$/m);
  t.same(await titles(), []);

  const first = await run();
  t.equal(first.code, 1);
  t.match(
    first.out,
    /^ok {6}2-suites\.md : « Les suites »\n {8}Le premier titre, .*\nok {6}10-limites\.md : « 10-limites »\nREFUS {3}cassé\.docx : .*illisible.*\n2 brouillon\(s\) enregistré/,
  );
  t.same(await titles(), ['Les suites', '10-limites']);

  writeFileSync(join(folder, 'cassé.docx'), '');
  writeFileSync(join(folder, '2-suites.md'), '# Les suites\n\nCorrigée.');
  const second = JSON.parse((await run('--json')).out);
  t.match(
    second.refused.map(({ file }: { file: string }) => file),
    ['2-suites.md', '10-limites.md', 'cassé.docx'],
  );
  const third = JSON.parse((await run('--json', '--replace')).out);
  t.match(third, { dryRun: false, imported: [{ file: '2-suites.md', id: Number, replaced: true }, { file: '10-limites.md' }] });
  t.same(await sql(url, `select contenu, revision from item_draft where source = '2-suites.md'`), [
    { contenu: '<p>Corrigée.</p>', revision: 2 },
  ]);
  t.equal((await titles()).length, 2);

  const absent = await runPrepa(['import', folder, '--discipline', '9'], env);
  t.match(absent, { code: 1, error: "La discipline 9 n'existe pas.\n" });
  t.equal((await runPrepa(['import', folder], env)).code, 2, 'without a discipline');
});
