import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import t, { type Test } from 'tap';
import { call, createTestApp, openCommands } from '../../../../test/support/app.ts';
import { createAdministrator, createDiscipline } from '../../../../test/support/factories.ts';
import { plainPng } from '../../../../test/support/hostile-images.ts';
import { odt, p as odtParagraph } from '../../../../test/support/odt-file.ts';
import { sql } from '../../../../test/support/sql.ts';
import { docx, p, picture, r, style } from '../../../../test/support/word-file.ts';
import type { ItemKind } from '../../../shared/item-kinds.ts';
import { importDrafts } from './import-drafts.ts';

// `prepa import`: a draft for each file of a folder.

const site = await createTestApp(t);
const kernel = await openCommands(t, site);
const { session } = await createAdministrator(site);

function folderOf(t: Test, files: Record<string, string | Buffer>): string {
  const folder = t.testdir({});
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
  return folder;
}
async function importThem(
  folder: string,
  disciplineId: number,
  options: { kind?: ItemKind; dryRun?: boolean; replace?: boolean; split?: boolean } = {},
) {
  const asked: (readonly string[])[] = [];
  const { kind = 'course', dryRun = false, replace = false, split = false } = options;
  const report = await importDrafts(kernel.fork(), kernel.context, folder, {
    disciplineId,
    kind,
    dryRun,
    split,
    mayReplace: async (files) => {
      asked.push(files);
      return replace;
    },
  });
  return { ...report, asked };
}
const draftsOf = async (disciplineId: number) =>
  (await call(site.app, { url: `/api/brouillons/discipline/${disciplineId}`, session })).json();
const draft = async (id: number | null) => (await call(site.app, { url: `/api/brouillons/${id}`, session })).json();

t.test('each file becomes a draft in the order of the names; what cannot be read is named with its reason and stops nothing', async (t) => {
  const { id } = await createDiscipline(site);
  const folder = folderOf(t, {
    '10-limites.md': '# Les limites\n\nUne limite.',
    '2_Suites.docx': await docx({ body: p(r('Une suite.')), header: p(r('Lycée')) }),
    '3-abime.docx': 'pas un document Word',
    '4-vide.txt': 'Aucune question ici.',
    '5-plan.odt': 'PK',
    '5-tableau.ods': 'PK',
    '5-rien.md': '\n',
    '6-ancien.doc': Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    'photo.png': 'image',
    '~$2_Suites.docx': 'x',
    '.cachee.md': 'x',
  });
  mkdirSync(join(folder, 'corriges'));
  const { imported, refused, ignored, asked } = await importThem(folder, id);
  t.match(
    imported.map(({ file, titre, replaced }) => [file, titre, replaced]),
    [
      ['2_Suites.docx', '2 Suites', false],
      ['10-limites.md', 'Les limites', false],
    ],
  );
  t.match(imported[0]?.remarques, [/en-tête/]);
  t.match(refused, [
    { file: '3-abime.docx', reason: /illisible/ },
    { file: '4-vide.txt', reason: /Aucune question reconnue/ },
    { file: '5-plan.odt', reason: /illisible/ },
    { file: '5-rien.md', reason: "Ce document n'a aucun texte." },
    { file: '5-tableau.ods', reason: /\.docx, \.odt ou \.md/ },
    { file: '6-ancien.doc', reason: /ancien format \.doc/ },
  ]);
  t.same(ignored, ['corriges', 'photo.png']);
  t.same(asked, [], 'nothing is asked when no draft is there');
  t.match(await draftsOf(id), [
    { titre: '2 Suites', source: '2_Suites.docx', remarques: [/en-tête/], saved_by: 'terminal', publie: false },
    { titre: 'Les limites', source: '10-limites.md' },
  ]);
  t.match(await draft(imported[0]?.id ?? null), { contenu: '<p>Une suite.</p>' });
  t.same(await sql(site.databaseUrl, 'select id from item where discipline_id = $1', [id]), [], 'nothing is published');
});

t.test('exercises get their correction, past exams their year, and pictures are stored', async (t) => {
  const { id } = await createDiscipline(site);
  const photo = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#be0050' } })
    .png()
    .toBuffer();
  const folder = folderOf(t, {
    'ens-2021.docx': await docx({
      body: p(r('Énoncé')) + p(picture('i', { width: 40 })) + p(r('Corrigé'), style('Titre1')) + p(r('Réponse')),
      images: { i: 'media/a.png' },
      files: { 'media/a.png': photo },
    }),
  });
  const [exercise] = (await importThem(folder, id, { kind: 'exercise' })).imported;
  t.match(await draft(exercise?.id ?? null), { enonce: /<img src="\/media\/content\//, corrige: '<p>Réponse</p>' });
  const [exam] = (await importThem(folder, id, { kind: 'pastExam' })).imported;
  t.match(await draft(exam?.id ?? null), { annee: '2021', type: 'pastExam' });
});

t.test('a second run replaces drafts of the same files only where that is allowed, and keeps what the files do not say', async (t) => {
  const { id } = await createDiscipline(site);
  const first = await importThem(folderOf(t, { 'a.md': 'Un.', 'b.md': 'Publié.' }), id, { kind: 'exercise' });
  const [a, b] = first.imported.map((file) => file.id);
  await call(site.app, { method: 'PUT', url: `/api/brouillons/${a}`, session, payload: { titre: 'À moi', duree: 45, revision: 1 } });
  await call(site.app, { method: 'PUT', url: `/api/brouillons/${b}`, session, payload: { titre: 'Une suite', revision: 1 } });
  t.equal((await call(site.app, { method: 'POST', url: `/api/brouillons/${b}/publication`, session })).statusCode, 200);

  const folder = folderOf(t, { 'a.md': 'Deux.', 'b.md': 'Encore.', 'c.md': 'Trois.' });
  const kept = await importThem(folder, id, { kind: 'exercise' });
  t.same(kept.asked, [['a.md']], 'a published item is none of its drafts');
  t.match(kept.refused, [{ file: 'a.md', reason: /--replace/ }]);
  t.match(await draft(a ?? null), { enonce: '<p>Un.</p>', titre: 'À moi' });
  t.match(
    kept.imported.map(({ file }) => file),
    ['b.md', 'c.md'],
  );

  const replaced = await importThem(folder, id, { kind: 'exercise', replace: true });
  t.match(
    replaced.imported.map((file) => [file.file, file.replaced]),
    ['a.md', 'b.md', 'c.md'].map((file) => [file, true]),
  );
  t.match(await draft(a ?? null), { id: a, enonce: '<p>Deux.</p>', duree: '45', revision: 3, source: 'a.md' });
  t.equal((await draftsOf(id)).length, 3);
  t.equal((await importThem(folder, id)).imported.length, 3, 'lessons of the same names are other drafts');
});

t.test('with split, each exercise of a file becomes a draft with its correction; a second run replaces each by its own', async (t) => {
  const { id } = await createDiscipline(site);
  const sheet = (answer: string) =>
    `# Fiche 3\n\n## Exercice 1\n\nA\n\n## Corrigé\n\na\n\n## Exercice 2 :\n\nB\n\n## Corrigé de l'exercice 2\n\n${answer}\n`;
  const folder = folderOf(t, { 'fiche.md': sheet('b'), 'seul.md': 'Un seul.' });
  const options = { kind: 'exercise', split: true } as const;
  const { imported } = await importThem(folder, id, options);
  t.same(
    imported.map(({ file, titre }) => [file, titre]),
    [
      ['fiche.md · 1', 'Exercice 1'],
      ['fiche.md · 2', 'Exercice 2'],
      ['seul.md', 'seul'],
    ],
  );
  const [one, two] = imported.map((file) => file.id);
  t.match(await draft(one ?? null), { enonce: '<p>A</p>', corrige: '<p>a</p>', source: 'fiche.md · 1' });
  t.match(await draft(two ?? null), { enonce: '<p>B</p>', corrige: '<p>b</p>' });

  const again = folderOf(t, { 'fiche.md': sheet('autre') });
  const kept = await importThem(again, id, options);
  t.same(kept.asked, [['fiche.md · 1', 'fiche.md · 2']]);
  t.match(kept.refused, [{ file: 'fiche.md', reason: /--replace/ }]);
  t.match((await importThem(again, id, { ...options, replace: true })).imported, [{ id: one }, { id: two, replaced: true }]);
  t.match(await draft(two ?? null), { corrige: '<p>autre</p>', revision: 2 });
  t.equal((await draftsOf(id)).length, 3);
  t.match((await importThem(again, id, { kind: 'exercise' })).imported, [{ file: 'fiche.md' }], 'without split, one content');
});

t.test('a dry run stores nothing; a folder or discipline that does not exist is refused', async (t) => {
  const { id } = await createDiscipline(site);
  const folder = folderOf(t, { 'a.md': '# Les suites\n\nUn.', 'b.docx': 'x' });
  const { imported, refused } = await importThem(folder, id, { dryRun: true });
  t.match([imported, refused], [[{ file: 'a.md', id: null, titre: 'Les suites' }], [{ file: 'b.docx' }]]);
  t.same(await draftsOf(id), []);
  await t.rejects(importThem(join(folder, 'absent'), id), { message: /absent : Dossier introuvable/ });
  await t.rejects(importThem(folder, 999_999), { message: "La discipline 999999 n'existe pas." });
});

t.test('.odt files and saved pages with their folder are read; nothing outside of the folder is', async (t) => {
  const { id } = await createDiscipline(site);
  const image = (name: string) => `<img src="${name}">`;
  const folder = folderOf(t, {
    'cours.odt': await odt({ body: odtParagraph('Une suite.') }),
    'page.html': `<!DOCTYPE html><title>La pile</title><p>Texte ${image('page_files/a.png')} ${image('../dehors.png')}</p>`,
  });
  mkdirSync(join(folder, 'page_files'));
  writeFileSync(join(folder, 'page_files', 'a.png'), plainPng(4, 2));
  writeFileSync(join(folder, '..', 'dehors.png'), plainPng(4, 2));
  const { imported, refused, ignored } = await importThem(folder, id);
  t.match(
    imported.map(({ file, titre, remarques }) => [file, titre, remarques]),
    [
      ['cours.odt', 'cours', []],
      ['page.html', 'La pile', [/dehors\.png/]],
    ],
  );
  t.same([refused, ignored], [[], []]);
  t.match((await draft(imported[1]?.id ?? null)).contenu, /^<p>Texte <img src="\/media\/content\/[^"]+" [^>]*><\/p>$/);
});

t.test('a TeX file is read with the pictures and parts that it names, which are no drafts of their own', async (t) => {
  const { id } = await createDiscipline(site);
  const folder = folderOf(t, {
    'cours.tex': '\\documentclass{article}\\title{Les limites}\\begin{document}\\input{suite}\\includegraphics{courbe}\\end{document}',
    'suite.tex': 'Une \\textbf{limite} $x$.',
    'exo.tex': 'Un exercice.',
    'autre.png': 'png',
  });
  mkdirSync(join(folder, 'figures'));
  writeFileSync(
    join(folder, 'figures/courbe.png'),
    await sharp({ create: { width: 40, height: 20, channels: 3, background: 'red' } })
      .png()
      .toBuffer(),
  );
  const { imported, refused, ignored } = await importThem(folder, id);
  t.same(refused, []);
  t.same(ignored, ['autre.png', 'figures', 'suite.tex']);
  t.match(
    imported.map(({ file, titre, remarques }) => [file, titre, remarques]),
    [
      ['cours.tex', 'Les limites', []],
      ['exo.tex', 'exo', []],
    ],
  );
  t.match(JSON.stringify(await draft(imported[0]?.id ?? null)), /<strong>limite<.*<img src=/);
});

t.test('a page that names a picture often, or whose remark is cut within a character, stops no other file', async (t) => {
  const { id } = await createDiscipline(site);
  const folder = folderOf(t, {
    '1.html': `<html><body><p>a</p>${'<img src="p.png">'.repeat(20_000)}`,
    '2.html': `<html><body><p>mot</p><img src="q.png" alt="${'a'.repeat(79)}😀">`,
    '3.html': `<html><body><p>a <img src="a.png"> b <img src="a.png"></p>`,
    'p.png': Buffer.alloc(100_000),
    'a.png': plainPng(4, 2),
  });
  const { imported, refused } = await importThem(folder, id);
  t.same([...imported, ...refused].map(({ file }) => file).toSorted(), ['1.html', '2.html', '3.html']);
  const last = imported.at(-1);
  t.equal(last?.file, '3.html');
  t.match((await draft(last?.id ?? null)).contenu, /^<p>a (<img src="(\/media\/content\/[^"]+)"[^>]*>) b <img src="\2"[^>]*><\/p>$/);
});

t.test('a document with a photograph of more than 10 MB becomes a draft with its picture', async (t) => {
  const { id } = await createDiscipline(site);
  const create = { width: 4000, height: 3000, channels: 3, background: '#888', noise: { type: 'gaussian', mean: 128, sigma: 50 } } as const;
  const photograph = await sharp({ create }).jpeg({ quality: 100 }).toBuffer();
  const file = await docx({ body: p(picture('a', { width: 600 })), images: { a: 'media/a.jpg' }, files: { 'media/a.jpg': photograph } });
  t.ok(file.length > 11_000_000, `${file.length} bytes`);
  const { imported, refused } = await importThem(folderOf(t, { 'pile.docx': file }), id);
  t.same(refused, []);
  t.match((await draft(imported[0]?.id ?? null)).contenu, /<img[^>]* src="\/media\//);
});
