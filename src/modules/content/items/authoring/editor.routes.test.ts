import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import JSZip from 'jszip';
import t from 'tap';
import { call, createTestApp } from '../../../../../test/support/app.ts';
import { createAdministrator, createDiscipline } from '../../../../../test/support/factories.ts';
import { upload } from '../../../../../test/support/multipart.ts';
import { sql } from '../../../../../test/support/sql.ts';
import { loadSeed, readContentFolder } from '../../seed/index.ts';

// Imports through the API, and texts that are written both from the content folder and on the screen.

const site = await createTestApp(t);
const { app, kernel } = site;
const { session, username } = await createAdministrator(site);

const read = async (fichier: Buffer | null, fileName: string, fields: Record<string, string> = {}) => {
  const answer = await upload(app, { method: 'POST', url: '/api/imports', fichier, fileName, fields, session });
  return { status: answer.statusCode, body: answer.json() };
};

t.test('an import returns documents that can be used to create a lesson, and creates nothing itself', async (t) => {
  const markdown = Buffer.from('---\ntitre: Les suites\n---\n\n## Définition\n\nSoit $u_n$.\n\n## Corrigé\n\nVoici.\n');
  const { status, body } = await read(markdown, 'Suites numériques.md');
  t.equal(status, 200, JSON.stringify(body));
  t.match(body, { titre: 'Les suites', document: { type: 'doc' }, corrige: { type: 'doc' }, remarques: [] });
  t.match((await read(markdown, 'a.md', { corrige: 'non' })).body, { corrige: null }, 'a lesson has no correction');
  const { body: whole } = await read(markdown, 'a.md', { type: 'course', corrige: 'oui', titre: 'non' });
  t.match(
    whole,
    { titre: null, corrige: null, remarques: [/à saisir vous-même : titre : Les suites/] },
    'no correction either when the kind is given',
  );
  t.match(JSON.stringify(whole.document), /"Corrigé".*"Voici\."/);
  t.match((await read(markdown, 'a.md', { type: 'exercise' })).body, { corrige: { type: 'doc' } });
  const aiken = Buffer.from('Où est **Douala** ?\nA. Littoral\nB. Centre\nANSWER: A\n');
  t.match((await read(aiken, 'a.md')).body, { questions: [{ enonce: /Douala/ }] });
  const pasted = await read(aiken, 'texte.md', { questions: 'non', format: 'markdown' });
  t.match(pasted, { status: 200, body: { questions: [] } }, 'read as Markdown, a question file stays text');
  t.match(JSON.stringify(pasted.body.document), /"strong".*ANSWER: A/);
  const empty = { status: 400, body: { message: "Ce document n'a aucun texte." } };
  for (const [content, name] of [
    ['', 'a.md'],
    [' \n\n', 'a.txt'],
    ['<!DOCTYPE html><p> </p>', 'a.html'],
    ['\\documentclass{article}\\begin{document}\\end{document}', 'a.tex'],
  ] as const)
    t.match(await read(Buffer.from(content), name), empty, name);
  t.match((await read(Buffer.from('# Les suites\n'), 'a.md')).body, { message: "Ce document n'a aucun texte sous son titre." });
  t.equal((await read(Buffer.from('# Les suites\n'), 'a.md', { titre: 'non' })).status, 200, 'there, the title is a text');
  t.match(await read(aiken, 'a.md', { format: 'gift' }), { status: 400, body: { errors: [{ field: 'format' }] } });
  t.match(await read(markdown, 'a.md', { type: 'video' }), { status: 400, body: { errors: [{ field: 'type' }] } });
  t.same(await sql(site.databaseUrl, 'select id from item'), []);

  const word = new JSZip();
  word.file(
    '[Content_Types].xml',
    '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
  );
  word.file(
    '_rels/.rels',
    '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
  );
  word.file(
    'word/document.xml',
    '<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>Bonjour</w:t></w:r></w:p></w:body></w:document>',
  );
  const docx = await read(await word.generateAsync({ type: 'nodebuffer' }), 'cours.docx');
  t.match(docx, { status: 200, body: { document: { content: [{ type: 'paragraph', content: [{ text: 'Bonjour' }] }] } } });

  for (const [name, titre] of [
    ['03_Suites numériques (v2).md', '03 Suites numériques v2'],
    ['x.y.md', 'x y'],
    ['.md', null],
    ['a.md', null],
  ] as const) {
    t.equal((await read(Buffer.from('Un texte sans titre.'), name)).body.titre, titre, `the name of ${name} is proposed`);
  }
  t.equal(
    (await read(Buffer.from('Un texte sans titre.'), 'Suites.md', { titre: 'non' })).body.titre,
    null,
    'an item that is already open keeps its own title',
  );

  for (const [name, bytes] of [
    ['cours.docx', Buffer.from('PK\u0003\u0004 et puis rien')],
    ['cours.doc', Buffer.from('d0cf11e0a1b11ae1', 'hex')],
    ['cours.md', Buffer.from([0xff, 0xfe, 0x00, 0x80])],
  ] as const) {
    const refused = await read(bytes, name);
    t.equal(refused.status, 400, name);
    t.match(refused.body.message, /[éè ]/);
  }
  t.match(await read(null, ''), { status: 400, body: { errors: [{ field: 'fichier', message: 'Choisissez un fichier.' }] } });
  t.match(await read(Buffer.alloc(10 * 1024 * 1024 + 1), 'x.md'), { status: 413, body: { message: 'Le fichier dépasse 10 Mo.' } });
});

t.test('an import names its questions, those without a right answer, and the marking rule of the file', async (t) => {
  const gift = 'Du texte. {}\n\nNombres pairs ? {=2 ~%-25%3 ~%-25%5}\n\nUnité de la force ? {=le newton ~%-25%le joule}\n';
  t.match((await read(Buffer.from(gift), 'nombres.gift', { type: 'exercise' })).body, {
    questions: [
      { place: 1, enonce: 'Nombres pairs ?', type: 'one', repondue: true, defaut: null },
      { place: 2, enonce: 'Unité de la force ?' },
    ],
    bareme: { juste: 1, faux: -0.25, sans: 0 },
    remarques: [/^Format GIFT : 2 questions/, /^Ligne 1 : question à réponse rédigée/],
  });
  const typed = Buffer.from('Avant.\n\nQuestion 1. Combien ?\n\na) un\nb) deux\n\nQuestion 2. Où ?\n\na) ici\nb) là\n\nRéponse : b\n');
  t.match((await read(typed, 'qcm.md')).body, {
    questions: [
      { place: 1, repondue: false, defaut: 'aucun choix juste' },
      { place: 2, repondue: true, defaut: null },
    ],
    bareme: null,
  });
  t.same((await read(typed, 'qcm.md', { questions: 'non' })).body.questions, [], 'a correction has no questions');
  t.match(await read(Buffer.from(gift), 'nombres.gift', { questions: 'non' }), {
    status: 400,
    body: { message: /dans le texte, pas dans le corrigé/ },
  });
});

t.test('a correction sent for a lesson is refused, not silently dropped', async (t) => {
  const { id: discipline_id } = await createDiscipline(site);
  const payload = { titre: 'Les suites', discipline_id, contenu: '<p>a</p>', corrige: '<p>b</p>' };
  const save = async (corrige: string | null) =>
    (await call(app, { method: 'POST', url: '/api/lecons', session, payload: { ...payload, corrige } })).json().remarques;
  t.match(await save('<p>b</p>'), [/^Une leçon n'a pas de corrigé/]);
  for (const empty of ['', null]) t.same(await save(empty), []);
});

t.test('the content folder overwrites a text saved on the screen, and that text is kept as a version', async (t) => {
  const folder = t.testdir({});
  const write = async (text: string) => {
    await mkdir(join(folder, 'ens/maths/lecons'), { recursive: true });
    await writeFile(join(folder, 'ens/prepa.md'), '---\nnom: ENS\nprix: 15000\npublie: oui\n---\nPour les sciences.\n');
    await writeFile(join(folder, 'ens/maths/discipline.md'), '---\nnom: Mathématiques\n---\nSuites.\n');
    await writeFile(join(folder, 'ens/maths/lecons/01-suites.md'), `---\ntitre: Les suites\n---\n${text}\n`);
  };
  const load = async () => {
    const found = await readContentFolder(folder, 2026);
    if (!('plan' in found)) throw new Error(JSON.stringify(found.faults));
    await loadSeed(kernel.fork(), kernel.context, found.plan, { store: kernel.context.files });
  };
  await write('Du dossier.');
  await load();
  const [item] = await sql<{ id: number }>(site.databaseUrl, "select id from item where key = 'suites'");
  const url = `/api/lecons/${item?.id}`;
  await call(app, { method: 'PUT', url, session, payload: { titre: 'Les suites', contenu: "<p>De l'écran.</p>" } });
  await write('Du dossier, plus tard.');
  await load();
  const versions = (await call(app, { url: `${url}/versions`, session })).json();
  t.match(versions, [
    { version: 3, saved_by: null, current: true },
    { version: 2, saved_by: username, current: false },
    { version: 1, saved_by: null, current: false },
  ]);
  t.equal((await call(app, { url: `${url}/versions/2`, session })).json().contenu, "<p>De l'écran.</p>");
  t.equal((await call(app, { url, session })).json().contenu, '<p>Du dossier, plus tard.</p>');
  const restored = await call(app, { method: 'POST', url: `${url}/versions/2/restore`, session });
  t.match(restored.json(), { version: 4, contenu: "<p>De l'écran.</p>" });
  await load();
  const texts = await Promise.all(
    [1, 2, 3, 4, 5].map(async (version) => (await call(app, { url: `${url}/versions/${version}`, session })).json().contenu),
  );
  t.same(texts, [
    '<p>Du dossier.</p>',
    "<p>De l'écran.</p>",
    '<p>Du dossier, plus tard.</p>',
    "<p>De l'écran.</p>",
    '<p>Du dossier, plus tard.</p>',
  ]);
});
