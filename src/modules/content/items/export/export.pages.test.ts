import { parseHTML } from 'linkedom';
import t from 'tap';
import { call, createTestApp, visit } from '../../../../../test/support/app.ts';
import { createAdministrator, createDiscipline, createItem } from '../../../../../test/support/factories.ts';
import { picture, upload } from '../../../../../test/support/multipart.ts';
import { choiceQuestion, numberQuestion, textQuestion } from '../../../../../test/support/questions.ts';
import { shownBlocks } from '../../../../../test/support/shown-questions.ts';

// Questions of a discipline or an item as files for other programs, and as a printed paper.

const site = await createTestApp(t);
const { app } = site;
const { session } = await createAdministrator(site);
const { id: disciplineId } = await createDiscipline(site);
const base = `/admin/discipline/${disciplineId}`;
const image = await picture('#be0050', 40, 20);
const { src } = (await upload(app, { method: 'POST', url: '/api/images', image, session })).json();

/** Creates a lesson through the API, as the editor does. */
const write = async (titre: string, contenu: string): Promise<number> =>
  (await call(app, { method: 'POST', url: '/api/lecons', session, payload: { titre, discipline_id: disciplineId, contenu } })).json().id;

const choices = [
  { id: 'choix0000001', text: 'trois', remark: 'Un de moins.' },
  { id: 'choix0000002', text: 'quatre', right: true },
];
const shown = [
  'one Combien ? / <image> | trois{Un de moins.} | *quatre >> Car 2 + 2 = 4.',
  'number Combien ? >> Par le calcul. = 3,5 ± 2 % m/s',
  'text Qui ? = Yaoundé = la capitale',
];
const first = await write(
  'Les suites',
  `<p>Avant.</p>${choiceQuestion({ id: 'question0001', statement: `Combien ?<br><img src="${src}" alt="Un rectangle" width="40" height="20" loading="lazy" decoding="async">`, choices })}${numberQuestion('question0002', '3,5', { tolerance: '2 %', unit: 'm/s' })}`,
);
await write('Le pays', textQuestion('question0003', ['Yaoundé', 'la capitale']));
await write('Sans question', '<p>Rien.</p>');
await write(
  'À finir',
  choiceQuestion({ id: 'question0004', choices: choices.map((choice) => ({ ...choice, right: false })), statement: 'Où ?' }),
);

const read = async (fichier: Buffer, fileName: string) =>
  (await upload(app, { method: 'POST', url: '/api/imports', fichier, fileName, fields: { titre: 'non' }, session })).json();

t.test('a discipline and an item as Moodle XML, which is imported back equal with its pictures', async (t) => {
  const answer = await visit(app, `${base}/questions.xml`, session);
  t.equal(answer.statusCode, 200);
  t.match(answer.headers, {
    'content-type': 'application/xml; charset=utf-8',
    'content-disposition': /attachment; filename="?Discipline.*\.xml/,
  });
  t.match(answer.body, /<file name="[0-9a-f]{32}\.webp" path="\/" encoding="base64">UklGR/);
  t.notMatch(answer.body, '/media/content/', 'the pictures are in the file');
  const back = await read(answer.rawPayload, 'questions.xml');
  t.same(shownBlocks(back.document), [...shown, 'one Où ? | trois{Un de moins.} | quatre >> Car 2 + 2 = 4.']);
  t.match(JSON.stringify(back.document), /"alt":"Un rectangle"[^}]*"width":40,"height":20/);
  const one = await visit(app, `${base}/questions.xml?item=${first}`, session);
  t.match(one.headers['content-disposition'], 'Les suites.xml');
  t.same(shownBlocks((await read(one.rawPayload, 'questions.xml')).document), shown.slice(0, 2));
});

t.test('GIFT, which is imported back equal; pictures have the address of the site', async (t) => {
  const answer = await visit(app, `${base}/questions.gift`, session);
  t.match(answer.headers['content-type'], 'text/plain');
  t.match(answer.body, /<img src\\="http\\:\/\/[^/]+\/media\/content\/[0-9a-f]{32}\.webp"/);
  t.same(shownBlocks((await read(answer.rawPayload, 'questions.gift')).document).slice(1, 3), shown.slice(1));
});

t.test('a printed paper: statements without key, an answer sheet with boxes, the key apart', async (t) => {
  const { body } = await visit(app, `${base}/epreuve`, session);
  const { document } = parseHTML(body);
  const [statements, sheet, key] = [...document.querySelectorAll('.paper__sheet')].map((part) =>
    part.textContent.replaceAll(/\s+/g, ' ').trim(),
  );
  t.match(statements, /^Énoncés .*Les suites Question 1 Combien.*A\. trois B\. quatre.*Question 2.*Le pays Question 3 Qui/);
  t.notMatch(statements, /Un de moins|Car 2|Yaoundé|3,5/);
  t.match(sheet, /^Feuille de réponses Nom : Date : 1 A B 2 m\/s 3$/);
  t.match(
    key,
    /^Corrigé Question 1 : B ?Car 2 \+ 2 = 4\. Question 2 : 3,5 ± 2 % m\/s ?Par le calcul\. Question 3 : Yaoundé ; la capitale$/,
  );
  t.notMatch(body, 'Où ?', 'a question without a right answer is not printed');
  t.ok(document.querySelector('button[data-behaviour="print"]')?.hasAttribute('hidden'));
  t.match((await visit(app, `${base}/epreuve?item=${first}`, session)).body, /<h1>.*Les suites<\/h1>/);
});

t.test('nothing to print, another discipline, no discipline', async (t) => {
  const other = await createDiscipline(site);
  const empty = await createItem(site, other.id);
  const page = await visit(app, `/admin/discipline/${other.id}/epreuve?item=${empty.id}`, session);
  t.match(page.body, 'Aucune question à imprimer.');
  t.notMatch((await visit(app, `/admin/discipline/${other.id}/questions.gift?item=${first}`, session)).body, 'Combien');
  t.notMatch((await visit(app, `/admin/discipline/${other.id}`, session)).body, '/epreuve');
  t.match((await visit(app, base, session)).body, `href="${base}/epreuve"`);
  for (const path of ['epreuve', 'questions.xml', 'questions.gift'])
    t.equal((await visit(app, `/admin/discipline/999999/${path}`, session)).statusCode, 404, path);
});
