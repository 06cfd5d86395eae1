import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import sharp from 'sharp';
import t, { type Test } from 'tap';
import { TestClock } from '../../../../test/support/app.ts';
import { createTestDatabase } from '../../../../test/support/database.ts';
import { createEnrolment, createLearner } from '../../../../test/support/factories.ts';
import { holding, sql, untilBlocked } from '../../../../test/support/sql.ts';
import { loadConfig } from '../../../config.ts';
import { createKernel } from '../../../kernel.ts';
import { localFileStore } from '../../../platform/files/storage.ts';
import { formatFault, loadSeed, readContentFolder } from './index.ts';

const picture = await sharp({ create: { width: 320, height: 200, channels: 3, background: '#be0050' } })
  .png()
  .toBuffer();
const lesson = (titre: string, text = 'Texte.') => `---\ntitre: ${titre}\n---\n${text}\n`;

const base: Record<string, string | Buffer> = {
  'ens/prepa.md': '---\nnom: ENS\nprix: 15000\npublie: oui\nimage: couverture.png\n---\nPour les sciences.\n',
  'ens/couverture.png': picture,
  'ens/maths/discipline.md': '---\nnom: Mathématiques\n---\nSuites et fonctions.\n',
  'ens/maths/lecons/01-suites.md': lesson('Les suites', 'Soit $u_n$.\n\n![Une courbe](courbe.png)'),
  'ens/maths/lecons/02-limites.md': lesson('Les limites', 'Texte.\n\n![La même courbe](courbe.png)'),
  'ens/maths/lecons/courbe.png': picture,
  'ens/maths/lecons/03-derivees.md': lesson('Les dérivées'),
  'ens/maths/exercices/01-etude.md': '---\ntitre: Une étude\n---\nÉnoncé.\n\n<!-- corrigé -->\n\nCorrigé.\n',
  'ens/maths/sujets/01-ens-2023.md': '---\ntitre: ENS 2023\nannee: 2023\nduree: 180\n---\nSujet.\n',
};

/** Creates a content folder and an empty database, and returns the functions that load the folder into the database. */
async function openFolder(t: Test) {
  const { url: databaseUrl } = await createTestDatabase(t);
  const clock = new TestClock();
  const kernel = await createKernel(loadConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent' }), { databaseUrl, clock });
  t.teardown(() => kernel.close());
  const root = t.testdir({ content: {}, media: {} });
  const file = (name: string) => join(root, 'content', name);
  const write = async (name: string, content: string | Buffer) => {
    await mkdir(dirname(file(name)), { recursive: true });
    await writeFile(file(name), content);
  };
  for (const [name, content] of Object.entries(base)) await write(name, content);
  return {
    kernel,
    clock,
    databaseUrl,
    write,
    media: join(root, 'media'),
    remove: (name: string) => rm(file(name)),
    move: (from: string, to: string) => rename(file(from), file(to)),
    async load() {
      const read = await readContentFolder(join(root, 'content'), 2025);
      if ('faults' in read) throw new Error(read.faults.map((fault) => formatFault(fault).replace(`${root}/content/`, '')).join('\n'));
      return loadSeed(kernel.fork(), kernel.context, read.plan, { store: localFileStore(join(root, 'media')) });
    },
    lessons: async () =>
      (
        await sql<{ key: string; numero_page: number; version: number }>(
          databaseUrl,
          `select key, numero_page, version from item where kind = 'course' order by numero_page`,
        )
      ).map(({ key, numero_page, version }) => [key, numero_page, version]),
  };
}

t.test('a folder is loaded with prepas, disciplines and items', async (t) => {
  const { load, databaseUrl, lessons } = await openFolder(t);
  t.same(await load(), { prepas: 1, disciplines: 1, items: 5, changed: 7 });
  t.match(await sql(databaseUrl, 'select key, nom, prix, description, is_published, version from prepa'), [
    { key: 'ens', nom: 'ENS', prix: 15_000, description: 'Pour les sciences.', is_published: true, version: 1 },
  ]);
  t.same(await lessons(), [
    ['suites', 1, 1],
    ['limites', 2, 1],
    ['derivees', 3, 1],
  ]);
  const [exercise] = await sql(databaseUrl, `select titre, contenu, corrige from item where kind = 'exercise'`);
  t.same(exercise, { titre: 'Une étude', contenu: '<p>Énoncé.</p>', corrige: '<p>Corrigé.</p>' });
  t.match(await sql(databaseUrl, `select annee, duree, corrige from item where kind = 'pastExam'`), [
    { annee: 2023, duree: 180, corrige: null },
  ]);
  const [{ contenu } = { contenu: '' }] = await sql<{ contenu: string }>(databaseUrl, `select contenu from item where key = 'suites'`);
  t.match(contenu, /data-latex="u_n"[^>]*><math/, 'the stored formula has its LaTeX and its MathML');
});

t.test('series are in the folder questions, with a duration and a marking rule', async (t) => {
  const { load, write, databaseUrl } = await openFolder(t);
  await write('ens/maths/questions/01-revisions.md', '---\ntitre: Révisions\nduree: 20\nbareme: 1 ; -0,25 ; 0\n---\nAvant de commencer.\n');
  await write('ens/maths/questions/02-encore.md', lesson('Encore'));
  const stored = () => sql(databaseUrl, `select titre, duree, bareme, version from item where kind = 'quiz' order by numero_page`);
  await load();
  const [first, second] = [
    { titre: 'Révisions', duree: 20, bareme: { juste: 1, faux: -0.25, sans: 0 }, version: 1 },
    { titre: 'Encore', duree: null, bareme: { juste: 1, faux: 0, sans: 0 }, version: 1 },
  ];
  t.same(await stored(), [first, second]);
  await write('ens/maths/questions/02-encore.md', '---\ntitre: Encore\nbareme: 2 ; 0 ; 0\n---\nTexte.\n');
  t.equal((await load()).changed, 1);
  t.same(await stored(), [first, { ...second, bareme: { juste: 2, faux: 0, sans: 0 }, version: 2 }]);
  await write('ens/maths/questions/02-encore.md', '---\ntitre: Encore\nbareme: 2 points\n---\nTexte.\n');
  await t.rejects(load(), /questions\/02-encore\.md:3: Le barème a trois nombres/);
});

t.test('a second run changes nothing', async (t) => {
  const { load, lessons, clock, databaseUrl } = await openFolder(t);
  await load();
  const rows = () => sql(databaseUrl, 'select id, version, updated_at from item order by id');
  const before = [await rows(), await sql(databaseUrl, 'select version, outline_version from discipline')];
  clock.advance(60_000);
  t.equal((await load()).changed, 0);
  t.same([await rows(), await sql(databaseUrl, 'select version, outline_version from discipline')], before);
  t.equal((await lessons()).length, 3);
});

t.test('a changed file changes only its own row and increments its version', async (t) => {
  const { load, lessons, write, databaseUrl } = await openFolder(t);
  await load();
  await write('ens/maths/lecons/03-derivees.md', lesson('Les dérivées', 'Un texte nouveau.'));
  t.equal((await load()).changed, 1);
  t.same(await lessons(), [
    ['suites', 1, 1],
    ['limites', 2, 1],
    ['derivees', 3, 2],
  ]);
  t.match(await sql(databaseUrl, `select contenu from item where key = 'derivees'`), [{ contenu: '<p>Un texte nouveau.</p>' }]);
  await write('ens/prepa.md', String(base['ens/prepa.md']).replace('15000', '20000'));
  t.equal((await load()).changed, 1);
  t.same(await sql(databaseUrl, 'select prix, version from prepa'), [{ prix: 20_000, version: 2 }]);
  await write('ens/maths/discipline.md', '---\nnom: Maths\n---\nSuites et fonctions.\n');
  t.equal((await load()).changed, 1);
  t.same(await sql(databaseUrl, 'select nom, version from discipline'), [{ nom: 'Maths', version: 2 }]);
});

t.test('inserted or reordered files: position numbers stay unique', async (t) => {
  const { load, lessons, write, move } = await openFolder(t);
  await load();
  await move('ens/maths/lecons/03-derivees.md', 'ens/maths/lecons/00-derivees.md');
  t.equal((await load()).changed, 3);
  t.same(await lessons(), [
    ['derivees', 1, 2],
    ['suites', 2, 2],
    ['limites', 3, 2],
  ]);
  await write('ens/maths/lecons/05-integrales.md', lesson('Les intégrales'));
  t.equal((await load()).changed, 1);
  t.same((await lessons()).at(-1), ['integrales', 4, 1]);
});

t.test('a removed file leaves its item, placed after the items of the folder', async (t) => {
  const { load, lessons, remove } = await openFolder(t);
  await load();
  await remove('ens/maths/lecons/01-suites.md');
  await load();
  t.same(await lessons(), [
    ['limites', 1, 2],
    ['derivees', 2, 2],
    ['suites', 3, 2],
  ]);
  t.equal((await load()).changed, 0);
  t.same((await lessons()).at(-1), ['suites', 3, 2]);
});

t.test('an item created on the screen stays after the items of the folder', async (t) => {
  const { load, lessons, databaseUrl, write } = await openFolder(t);
  await load();
  await sql(
    databaseUrl,
    `insert into item (discipline_id, kind, titre, numero_page, contenu, created_at, updated_at)
     select id, 'course', 'À la main', 4, '<p>a</p>', now(), now() from discipline`,
  );
  await write('ens/maths/lecons/04-integrales.md', lesson('Les intégrales'));
  await load();
  t.same(
    (await lessons()).map(([key]) => key),
    ['suites', 'limites', 'derivees', 'integrales', null],
  );
});

t.test('images are stored once, with their size in the text', async (t) => {
  const { load, databaseUrl, media } = await openFolder(t);
  await load();
  const rows = await sql<{ contenu: string }>(databaseUrl, `select contenu from item where contenu like '%<img%' order by id`);
  const tags = rows.flatMap(({ contenu }) => [
    ...contenu.matchAll(/<img src="(\/media\/content\/[0-9a-f]+\.webp)"[^>]*width="320" height="200"/g),
  ]);
  t.equal(tags.length, 2);
  t.equal(tags[0]?.[1], tags[1]?.[1], 'two uses of one picture have the same address');
  t.equal((await readdir(join(media, 'content'))).length, 1);
  t.equal((await readdir(join(media, 'covers'))).length, 3, 'a cover has three files: two widths and the preview');
});

t.test('one fault anywhere prevents the load', async (t) => {
  const { load, write, databaseUrl } = await openFolder(t);
  await write('ens/maths/exercices/02-fautif.md', '---\ntitre: Fautif\n---\nBien.\n\nEt $\\foo$.\n');
  await t.rejects(load(), /^ens\/maths\/exercices\/02-fautif\.md:6: Formule incorrecte/);
  t.same(await sql(databaseUrl, 'select (select count(*) from prepa)::int as p, (select count(*) from item)::int as i'), [{ p: 0, i: 0 }]);
});

t.test('a truncated picture is reported with its file, and nothing is loaded', async (t) => {
  for (const [name, reported] of [
    ['ens/maths/lecons/courbe.png', /ens\/maths\/lecons\/01-\S+:\d+: Image illisible : courbe\.png/],
    ['ens/couverture.png', /ens\/prepa\.md:\d+: Image illisible : couverture\.png/],
  ] as const) {
    const { load, write, databaseUrl } = await openFolder(t);
    await write(name, picture.subarray(0, picture.length / 2));
    await t.rejects(load(), reported, name);
    t.same(await sql(databaseUrl, 'select count(*)::int as n from prepa'), [{ n: 0 }]);
  }
});

t.test('a failure during the load rolls everything back', async (t) => {
  const { load, databaseUrl } = await openFolder(t);
  await sql(databaseUrl, `alter table item add constraint nothing_of_2023 check (annee is distinct from 2023)`);
  await t.rejects(load(), /nothing_of_2023/);
  t.same(await sql(databaseUrl, 'select count(*)::int as n from prepa'), [{ n: 0 }]);
});

t.test('enrolled learners are notified of items that a later run adds, as of items written on the screen', async (t) => {
  const home = await openFolder(t);
  const { load, write, databaseUrl } = home;
  const told = () => sql(databaseUrl, 'select user_id, message, lu from notification order by id');
  await load();
  const [prepa] = await sql<{ id: number; nom: string }>(databaseUrl, 'select id, nom from prepa');
  if (!prepa) throw new Error('no prepa');
  const [learner, ended] = [await createLearner(home), await createLearner(home)];
  await createEnrolment(home, learner, prepa);
  await createEnrolment(home, ended, prepa, -1);
  await load();
  await write('ens/maths/lecons/03-derivees.md', lesson('Les dérivées', 'Un autre texte.'));
  await load();
  t.same(await told(), [], 'existing items are not announced');
  const link = `<a href="/user/prepa/${prepa.id}"><strong>ENS</strong></a>`;
  await write('ens/maths/lecons/04-integrales.md', lesson('Les intégrales'));
  await write('ens/physique/discipline.md', '---\nnom: Physique\n---\nOptique.\n');
  await write('ens/physique/lecons/01-lentilles.md', lesson('Les lentilles'));
  await load();
  t.same(await told(), [{ user_id: learner.id, message: `2 nouveaux contenus dans ${link}.`, lu: false }]);
  await write('ens/maths/lecons/05-series.md', lesson('Les séries'));
  await load();
  await load();
  t.same(await told(), [{ user_id: learner.id, message: `3 nouveaux contenus dans ${link}.`, lu: false }]);
});

t.test('a run locks items in the order of their ids, as readings do, whatever their order in the folder', async (t) => {
  const { load, move, databaseUrl } = await openFolder(t);
  await load();
  await move('ens/maths/lecons/03-derivees.md', 'ens/maths/lecons/00-derivees.md');
  const read = (key: string) => `select from item where key = '${key}' for key share`;
  let loading: Promise<{ changed: number }> | undefined;
  await holding(databaseUrl, read('suites'), async (also) => {
    loading = load();
    await untilBlocked(databaseUrl, 1);
    // If the run held this lock already, this would be a deadlock.
    await also(read('derivees'));
  });
  t.equal((await loading)?.changed, 3);
});

const questions = `Rappel du cours.

Question 1. Combien font deux et deux ?

- [ ] trois
- [x] quatre

> Deux fois deux font quatre.

Question 2. Un nombre pair ?

a) $1$
b) $2$

Réponse : b
`;

t.test('questions are stored with their keys apart from the text, and keep their ids', async (t) => {
  const { load, write, databaseUrl, clock } = await openFolder(t);
  const file = 'ens/maths/lecons/01-suites.md';
  const text = (source: string) => write(file, lesson('Les suites', `${source}\n![Une courbe](courbe.png)`));
  const rows = () =>
    sql<{ id: string; position: number; key_version: number; right: string[]; usable: boolean }>(
      databaseUrl,
      `select q.id, q.position, q.key_version, q.usable, q.key->'right' as right from question q join item i on i.id = q.item_id where i.key = 'suites' order by q.id`,
    );
  await text(questions);
  await load();
  const first = await rows();
  t.same(first.map(({ position, usable }) => [position, usable]).toSorted(), [
    [1, true],
    [2, true],
  ]);
  const [item = { contenu: '', keys: [] }] = await sql<{ contenu: string; keys: { explanation: string | null }[] }>(
    databaseUrl,
    `select contenu, keys from item where key = 'suites'`,
  );
  t.match(item.contenu, /<section class="question"[^>]*><header><p>Combien font deux et deux \?<\/p><\/header>/);
  t.notMatch(item.contenu, /data-right|Deux fois deux|☒/, 'the text has no key');
  t.same(
    item.keys.map(({ explanation }) => explanation),
    ['<p>Deux fois deux font quatre.</p>', null],
  );

  clock.advance(60_000);
  t.equal((await load()).changed, 0, 'a second load changes nothing');
  t.same(await rows(), first);
  await text(questions.replace('Deux fois deux font quatre', 'Le double de deux est quatre'));
  t.equal((await load()).changed, 1, 'the text is the same, its key is not');
  t.same(await rows(), first, 'another explanation keeps ids and statistics');
  await text(`Question 0. Une de plus ?\n\n- [x] oui\n- [ ] non\n\n${questions.replace('Réponse : b', 'Réponse : a')}`);
  await load();
  const moved = await rows();
  t.equal(moved.length, 3);
  for (const { id, position, key_version, right } of first) {
    const now = moved.find((row) => row.id === id);
    t.equal(now?.position, position + 1, 'a question before them changes positions only');
    t.equal(now?.key_version, position === 2 ? key_version + 1 : key_version, 'another right choice begins new statistics');
    t.equal(isDeepStrictEqual(now?.right, right), position !== 2);
  }
  await text('Plus de questions.\n');
  await load();
  t.same(
    (await rows()).map(({ position }) => position),
    [null, null, null],
  );
});

t.test('a folder replaces questions edited on the screen, and keeps them with their keys as a version', async (t) => {
  const { load, write, databaseUrl, kernel } = await openFolder(t);
  const file = 'ens/maths/lecons/03-derivees.md';
  await write(file, lesson('Les dérivées', questions));
  await load();
  const em = kernel.fork();
  await em.execute(
    `insert into item_version (item_id, version, titre, contenu, keys, saved_at, saved_by) select id, version, titre, contenu, keys, updated_at, 'paul' from item where key = 'derivees'`,
  );
  await em.execute(`update item set version = 2, keys = jsonb_set(keys, '{0,explanation}', '"<p>De Paul.</p>"') where key = 'derivees'`);
  await load();
  t.same(
    await sql(
      databaseUrl,
      `select v.version, v.keys->0->>'explanation' as said from item_version v join item i on i.id = v.item_id where i.key = 'derivees' order by 1`,
    ),
    [
      { version: 1, said: '<p>Deux fois deux font quatre.</p>' },
      { version: 2, said: '<p>De Paul.</p>' },
    ],
  );
  t.match(await sql(databaseUrl, `select keys->0->>'explanation' as said, version from item where key = 'derivees'`), [
    { said: '<p>Deux fois deux font quatre.</p>', version: 3 },
  ]);
});

t.test(
  'a discipline with `diagnostic: oui` gets one of the first ten questions of its open items, which later runs leave alone',
  async (t) => {
    const { load, write, databaseUrl } = await openFolder(t);
    const asked = (titre: string, count: number) =>
      lesson(
        titre,
        Array.from({ length: count }, (_, index) => `Question ${index + 1}. ${titre} ${index + 1} ?\n\n- [x] oui\n- [ ] non\n`).join('\n'),
      );
    await write(
      'ens/maths/lecons/01-suites.md',
      `${asked('Les suites', 3).replace('- [x] oui', '- [ ] oui')}\n![Une courbe](courbe.png)\n`,
    );
    await write('ens/maths/lecons/02-limites.md', asked('Les limites', 2));
    await write('ens/maths/questions/01-revisions.md', asked('Révisions', 9));
    const chosen = () =>
      sql<{ key: string; questions: number[] }>(
        databaseUrl,
        `select i.key, array_agg(q.position order by g.position) as questions from diagnostic_question g
       join question q on q.id = g.question_id join item i on i.id = q.item_id group by i.key order by min(g.position)`,
      );
    await load();
    t.same(await chosen(), [], 'none without the line');
    const head = '---\nnom: Mathématiques\ndiagnostic: oui\n---\nUne discipline.\n';
    await write('ens/maths/discipline.md', head);
    await load();
    t.same(await chosen(), [
      { key: 'suites', questions: [2, 3] },
      { key: 'revisions', questions: [1, 2, 3, 4, 5, 6, 7, 8] },
    ]);
    await sql(databaseUrl, 'delete from diagnostic_question where position > 1');
    t.equal((await load()).changed, 0);
    t.same(await chosen(), [{ key: 'suites', questions: [2] }], 'the choice of an administrator stays');
    await write('ens/maths/discipline.md', head.replace('oui', 'peut-être'));
    await t.rejects(load(), /discipline\.md:3: La valeur de diagnostic doit être oui ou non/);
  },
);
