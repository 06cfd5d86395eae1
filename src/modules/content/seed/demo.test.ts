import { cpSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { call, createTestApp, visit } from '../../../../test/support/app.ts';
import { demoTemplate } from '../../../../test/support/demo.ts';
import { createAdministrator, createEnrolment, createLearner } from '../../../../test/support/factories.ts';
import { isLongForm } from '../../../../test/support/long-form.ts';
import { sql } from '../../../../test/support/sql.ts';
import { projectRoot } from '../../../platform/settings/project-root.ts';
import { loadSeed, readContentFolder } from './index.ts';

// The content of the demonstration, as `prepa seed` loads it.

const demo = await demoTemplate();
const home = await createTestApp(t, {}, demo);
const { app, kernel, clock, databaseUrl } = home;

/** Loads a content folder. @param folder path of a folder in the form of the demonstration's */
async function load(folder: string) {
  const read = await readContentFolder(folder, clock.now().getFullYear());
  if ('faults' in read) throw new Error(JSON.stringify(read.faults));
  return loadSeed(kernel.fork(), kernel.context, read.plan, { store: kernel.context.files });
}

const versions = () =>
  sql(
    databaseUrl,
    `select 'prepa' as of, id, version, updated_at, 0 as outline from prepa
     union all select 'discipline', id, version, updated_at, outline_version from discipline
     union all select 'item', id, version, updated_at, 0 from item order by 1, 2`,
  );

/** The counts printed by the command when it loaded the demonstration. */
const [prepas, disciplines, items, changed] = (demo.said.match(/\d+/g) ?? []).map(Number) as [number, number, number, number];
const first = { prepas, disciplines, items, changed };

t.test('three complete prepas', async (t) => {
  const prepas = await sql<{ nom: string; prix: number; disciplines: number; image: string }>(
    databaseUrl,
    `select p.nom, p.prix, p.image, count(d.id)::int as disciplines from prepa p join discipline d on d.prepa_id = p.id
     where p.is_published group by p.id order by p.id`,
  );
  t.equal(prepas.length, 3);
  for (const { nom, prix, disciplines, image } of prepas) {
    t.ok(disciplines >= 2, `${nom}: ${disciplines} disciplines`);
    t.ok(prix > 0 && image, nom);
  }
  const found = await sql<Record<string, number> & { nom: string }>(
    databaseUrl,
    `select d.nom, count(*) filter (where kind = 'course')::int as lessons,
            count(*) filter (where kind = 'exercise')::int as exercises,
            count(*) filter (where kind = 'exercise' and corrige is not null)::int as corrected,
            count(*) filter (where kind = 'pastExam')::int as subjects,
            count(*) filter (where kind = 'pastExam' and corrige is not null and annee between 1900 and extract(year from now()))::int as solved,
            count(*) filter (where kind = 'quiz')::int as series
     from discipline d join item i on i.discipline_id = d.id group by d.id`,
  );
  t.ok(found.length >= 6);
  for (const { nom, lessons = 0, exercises = 0, corrected, subjects = 0, solved, series = 0 } of found) {
    t.ok(lessons >= 4, `${nom}: ${lessons} lessons`);
    t.ok(exercises >= 4, `${nom}: ${exercises} exercises`);
    t.equal(corrected, exercises, `${nom}: every exercise has its correction`);
    t.ok(subjects >= 2, `${nom}: ${subjects} past exams`);
    t.equal(solved, subjects, `${nom}: every past exam has its year and its correction`);
    t.ok(series >= 1, `${nom}: ${series} series of questions`);
  }
  const [{ diagnostic } = { diagnostic: 0 }] = await sql<{ diagnostic: number }>(
    databaseUrl,
    'select count(*)::int as diagnostic from diagnostic_question',
  );
  t.same(first, {
    prepas: 3,
    disciplines: found.length,
    items: found.reduce(
      (sum, { lessons = 0, exercises = 0, subjects = 0, series = 0 }) => sum + lessons + exercises + subjects + series,
      0,
    ),
    changed: 3 + found.length + first.items + diagnostic,
  });
});

t.test('a diagnostic of ten questions about the parts of an open lesson', async (t) => {
  const [link] = await sql<{ prepa_id: number; id: number }>(
    databaseUrl,
    'select d.prepa_id, d.id from discipline d where exists (select from diagnostic_question where discipline_id = d.id)',
  );
  const { body, statusCode } = await visit(app, `/user/prepa/consultation/${link?.prepa_id}/${link?.id}/diagnostic`);
  t.equal(statusCode, 200);
  t.equal(body.split('data-asked').length - 1, 10);
});

t.test('real content: long enough, with formulas, tables, figures and lists, no filler', async (t) => {
  const [row] = await sql<Record<string, number>>(
    databaseUrl,
    `select min(length(regexp_replace(contenu, '<[^>]*>', '', 'g'))) filter (where kind = 'course')::int as shortest,
            count(*) filter (where contenu like '%<math%')::int as formulas, count(*) filter (where contenu like '%<table%')::int as tables,
            count(*) filter (where contenu like '%<figure%')::int as figures, count(*) filter (where contenu like '%<ul%' or contenu like '%<ol%')::int as lists,
            count(*) filter (where contenu || coalesce(corrige, '') ~* 'lorem|ipsum|todo|à compléter')::int as filler,
            count(distinct contenu)::int as texts, count(*)::int as items
     from item`,
  );
  t.ok((row?.shortest ?? 0) > 1500, `the shortest lesson has ${row?.shortest} characters`);
  for (const kind of ['formulas', 'tables', 'figures', 'lists']) t.ok((row?.[kind] ?? 0) > 3, `${row?.[kind]} items with ${kind}`);
  t.equal(row?.filler, 0);
  t.equal(row?.texts, row?.items, 'no text occurs twice');
});

t.test('questions of every kind in all prepas, each with its explanation, all of which can be asked', async (t) => {
  const found = await sql<{ kind: string; questions: number; faulty: number; unexplained: number; remarks: number }>(
    databaseUrl,
    `select kind, count(*)::int as questions, count(*) filter (where not usable)::int as faulty,
            count(*) filter (where key->>'explanation' is null)::int as unexplained,
            count(*) filter (where key->'remarks' <> '{}')::int as remarks
     from question where position is not null group by kind order by kind`,
  );
  t.match(
    found,
    ['number', 'one', 'several', 'text'].map((kind) => ({ kind, faulty: 0, unexplained: 0 })),
  );
  const total = found.reduce((sum, { questions }) => sum + questions, 0);
  t.ok(total >= 60, `${total} questions`);
  t.ok(
    found.some(({ remarks }) => remarks > 10),
    'tempting choices have a remark',
  );
  const [row] = await sql<{ prepas: number; kinds: number }>(
    databaseUrl,
    `select count(distinct d.prepa_id)::int as prepas, count(distinct i.kind)::int as kinds
     from question q join item i on i.id = q.item_id join discipline d on d.id = i.discipline_id`,
  );
  t.same(row, { prepas: 3, kinds: 4 }, 'lessons, exercises, past exams and series have questions');
});

t.test('page numbers run from 1 without a gap', async (t) => {
  const gaps = await sql(
    databaseUrl,
    'select discipline_id, kind from item group by 1, 2 having min(numero_page) <> 1 or max(numero_page) <> count(*)',
  );
  t.same(gaps, []);
});

t.test('a second run changes nothing, not even a version', async (t) => {
  const before = await versions();
  clock.advance(3_600_000);
  if (isLongForm) t.same(await load(join(projectRoot, 'demo')), { ...first, changed: 0 });
  // The short form loads one prepa with formulas, tables and figures: the same assurance in a third of the time.
  const folder = t.testdir({});
  cpSync(join(projectRoot, 'demo/ens-sciences'), join(folder, 'ens-sciences'), { recursive: true });
  const [one] = await sql<typeof first>(
    databaseUrl,
    `select count(distinct d.prepa_id)::int as prepas, count(distinct d.id)::int as disciplines, count(i.id)::int as items, 0 as changed
     from discipline d join prepa p on p.id = d.prepa_id join item i on i.discipline_id = d.id where p.nom like 'ENS %'`,
  );
  t.match(one, { prepas: 1, disciplines: 2 });
  t.same(await load(folder), one);
  t.same(await versions(), before);
});

t.test('every picture shown by a text or a card exists, with its size', async (t) => {
  const rows = await sql<{ html: string }>(
    databaseUrl,
    `select contenu || coalesce(corrige, '') as html from item where contenu like '%<img%'`,
  );
  const images = rows.flatMap(({ html }) => [...html.matchAll(/<img src="([^"]+)"[^>]*? width="(\d+)" height="(\d+)"/g)]);
  t.equal(images.length, rows.flatMap(({ html }) => [...html.matchAll(/<img /g)]).length, 'every image has dimensions');
  t.ok(images.length >= 10);
  const covers = await sql<{ image: string }>(
    databaseUrl,
    'select image from prepa where image is not null union select image from discipline where image is not null',
  );
  const addresses = [
    ...images.map(([, src]) => src ?? ''),
    ...covers.flatMap(({ image }) => [`/media/${image}-480.webp`, `/media/${image}-960.webp`, `/media/${image}-og.jpg`]),
  ];
  const { session } = await createAdministrator(home);
  for (const url of new Set(addresses)) t.equal((await call(app, { url, session })).statusCode, 200, url);
});

t.test('every study page is served', async (t) => {
  const learner = await createLearner(home);
  for (const prepa of await sql<{ id: number; nom: string }>(databaseUrl, 'select id, nom from prepa'))
    await createEnrolment(home, learner, prepa);
  const items = await sql<{ prepa_id: number; discipline_id: number; kind: string; id: number }>(
    databaseUrl,
    'select d.prepa_id, i.discipline_id, i.kind, i.id from item i join discipline d on d.id = i.discipline_id',
  );
  for (const { prepa_id, discipline_id, kind, id } of items) {
    const answer = await visit(app, `/user/prepa/${prepa_id}/${discipline_id}?type=${kind}&item=${id}`, learner.session);
    if (answer.statusCode !== 200) t.fail(`${kind} ${id}: ${answer.statusCode}`);
  }
  t.equal(items.length, first.items);
});
