import t from 'tap';
import { call, createTestApp } from '../../../../../test/support/app.ts';
import { createAdministrator, createDiscipline } from '../../../../../test/support/factories.ts';
import { sql } from '../../../../../test/support/sql.ts';

// Questions through several saves of their text.

const site = await createTestApp(t);
const { session } = await createAdministrator(site);
const { id: discipline_id } = await createDiscipline(site);

const question = (choices: string) =>
  `<section class="question" data-kind="one"><header><p>Qui ?</p></header>${choices}<footer><p>Car.</p></footer></section>`;
const save = async (id: number | null, contenu: string, version?: number) => {
  const answer = await call(site.app, {
    method: id === null ? 'POST' : 'PUT',
    url: `/api/lecons${id === null ? '' : `/${id}`}`,
    session,
    payload: { titre: 'Suites', discipline_id, contenu, ...(version && { version }) },
  });
  t.ok(answer.statusCode < 300, answer.body);
  return answer.json();
};
const idsIn = (html: string): string[] => [...html.matchAll(/<section[^>]* data-id="([a-z0-9]{12})"/g)].map(([, id]) => id as string);

t.test('a question keeps its id through saves; its copy in the text or in another item gets a new one', async (t) => {
  const first = await save(null, question('<article data-right=""><p>Lui</p></article><article><p>Elle</p></article>'));
  const [id] = idsIn(first.contenu);
  const reworded = first.contenu.replace('Qui ?', 'Qui donc ?');
  const second = await save(first.id, reworded, first.version);
  t.same(idsIn(second.contenu), [id]);
  t.equal(second.contenu, reworded, 'the editor gets the text back with its key');
  const copied = await save(first.id, second.contenu + second.contenu, second.version);
  t.equal(idsIn(copied.contenu)[0], id);
  t.not(idsIn(copied.contenu)[1], id);
  const elsewhere = await save(null, second.contenu);
  t.equal(idsIn(elsewhere.contenu).length, 1);
  t.not(idsIn(elsewhere.contenu)[0], id);
});

t.test('of several texts with one question saved at once, each stored one has a question of its own', async (t) => {
  const html = '<article data-right=""><p>Lui</p></article><article><p>Elle</p></article>';
  const contenu = question(html).replace('data-kind', 'data-id="sharedbysix1" data-kind');
  const saves = Array.from({ length: 6 }, (_, index) =>
    call(site.app, {
      method: 'POST',
      url: '/api/lecons',
      session,
      payload: { titre: `Partagée ${'abcdef'[index]}`, discipline_id, contenu },
    }),
  );
  const answers = await Promise.all(saves);
  t.ok(answers.some(({ statusCode }) => statusCode === 201));
  const stored = answers.filter(({ statusCode }) => statusCode === 201).map((answer) => answer.json().id);
  const owners = await sql<{ item_id: number }>(site.databaseUrl, 'select item_id from question where item_id = any($1)', [stored]);
  t.equal(owners.length, stored.length);
  for (const { statusCode, body } of answers) if (statusCode !== 201) t.match([statusCode, body], [409, /réessayez/]);
});

t.test('a fault is named with the position of its question; the question is stored, but not asked', async (t) => {
  const right = '<article data-right=""><p>Lui</p></article><article><p>Elle</p></article>';
  const { id, remarques } = await save(null, question(right) + question(right.replace(' data-right=""', '')));
  t.same(remarques, ["Question 2 : aucun choix juste. Elle n'est pas montrée aux candidats."]);
  const usable = await sql<{ usable: boolean }>(site.databaseUrl, 'select usable from question where item_id = $1 order by position', [id]);
  t.same(usable, [{ usable: true }, { usable: false }]);
});

t.test('a reader gets a text without the questions that have a fault; an administrator gets it whole', async (t) => {
  const { id } = await createDiscipline(site);
  const faulty = question('<article data-right=""><p>Lui</p></article>').replace('Qui ?', 'Qui donc ?');
  const right = question('<article data-right=""><p>Lui</p></article><article><p>Elle</p></article>');
  const saved = await call(site.app, {
    method: 'POST',
    url: '/api/lecons',
    session,
    payload: { titre: 'Suites', discipline_id: id, contenu: faulty + right },
  });
  for (const url of [`/api/lecons/${saved.json().id}`, `/api/lecons/discipline/${id}`]) {
    const { body } = await call(site.app, { url });
    t.match(body, 'Qui ?');
    t.notMatch(body, 'Qui donc ?');
    t.match((await call(site.app, { url, session })).body, 'Qui donc ?');
  }
});
