import { createHash } from 'node:crypto';
import type { Node } from 'prosemirror-model';
import t from 'tap';
import { call, createTestApp } from '../../../../../test/support/app.ts';
import { createAdministrator, createDiscipline } from '../../../../../test/support/factories.ts';
import { choiceQuestion } from '../../../../../test/support/questions.ts';
import { seeded, seedOfRun } from '../../../../../test/support/random.ts';
import { randomDocument } from '../../../../../test/support/random-documents.ts';
import { differenceOf, fingerprintText } from '../../../../shared/rich-text/difference.ts';
import { Remarks } from '../../texts/remarks.ts';
import { readText } from '../../texts/worker/read-text.ts';

// Saves that send the changed blocks of a text: of items and of drafts.

const site = await createTestApp(t);
const { session } = await createAdministrator(site);
const { id: discipline_id } = await createDiscipline(site);
const send = async (method: 'GET' | 'PUT' | 'POST', url: string, payload?: object) => {
  const answer = await call(site.app, { method, url: `/api${url}`, session, ...(payload && { payload }) });
  return { status: answer.statusCode, body: answer.json() };
};
const read = (html: string): Node => readText(html, new Remarks()) as Node;
const long = (...changed: string[]) => Array.from({ length: 8 }, (_, index) => `<p>${changed[index] ?? `Ligne ${index}`}</p>`).join('');

/** Creates a lesson of eight lines. */
const lesson = async (): Promise<{ id: number }> =>
  (await send('POST', '/lecons', { titre: 'Les suites', discipline_id, contenu: long() })).body;

/** Returns the change between two texts, as the page sends it. */
function change(base: Node, doc: Node, of: { version: number } | { revision: number }) {
  const { from, to, blocks } = differenceOf(base, doc);
  const empreinte = createHash('sha256').update(fingerprintText(doc)).digest('hex');
  return { type: 'difference', ...of, de: from, a: to, blocs: blocks, empreinte };
}

t.test('any two documents: a save of the change stores what a save of the whole text stores', async (t) => {
  const seed = seedOfRun();
  t.comment(`SEED=${seed}`);
  const random = seeded(seed);
  let compared = 0;
  for (let index = 0; index < 6; index += 1) {
    const contents = [randomDocument(random), randomDocument(random)].map((doc) => doc.toJSON());
    const ids = [];
    for (const titre of ['Par changement', 'En entier']) {
      const created = await send('POST', '/lecons', { titre, discipline_id, contenu: contents[0] });
      t.equal(created.status, 201, `SEED=${seed}, pair ${index}`);
      ids.push(created.body.id);
    }
    const stored = (await send('GET', `/lecons/${ids[0]}`)).body.contenu;
    if (stored === '') continue;
    // A picture of the document is not on this site: the stored texts are compared.
    const target = (await send('PUT', `/lecons/${ids[1]}`, { titre: 'Cible', contenu: contents[1], version: 1 })).body.contenu;
    if (target === '') continue;
    const contenu = change(read(stored), read(target), { version: 1 });
    const saved = await send('PUT', `/lecons/${ids[0]}`, { titre: 'Cible', contenu, version: 1 });
    t.equal(saved.status, 200, `SEED=${seed}, pair ${index}: ${saved.body.message}`);
    const [by, whole] = await Promise.all(ids.map((id) => send('GET', `/lecons/${id}`)));
    const bare = (html: string) => html.replaceAll(/ data-id="[^"]*"/g, '');
    t.equal(bare(by?.body.contenu), bare(whole?.body.contenu), `SEED=${seed}, pair ${index}`);
    compared += 1;
  }
  t.ok(compared > 1, `${compared} pairs`);
});

t.test('the response omits a text that is stored as it was sent, and has one that the server changed', async (t) => {
  const { id } = await lesson();
  const text = long('Ligne zéro');
  const saved = await send('PUT', `/lecons/${id}`, {
    titre: 'Les suites',
    contenu: change(read(long()), read(text), { version: 1 }),
    version: 1,
  });
  t.match(saved.body, { version: 2, titre: 'Les suites', remarques: [] });
  t.notOk('contenu' in saved.body);
  t.equal((await send('GET', `/lecons/${id}`)).body.contenu, text);

  const pictured = long('Ligne zéro', '<img src="/media/content/absente.png" alt="">Une');
  const changed = change(read(text), read(pictured), { version: 2 });
  const mended = await send('PUT', `/lecons/${id}`, { titre: 'Les suites', contenu: changed, version: 2 });
  t.equal(mended.body.contenu, long('Ligne zéro', 'Une'), 'the picture is not on the site');
  t.equal(mended.body.remarques.length, 1);
});

t.test('a change to another version is refused with a request for the whole text; nothing is written', async (t) => {
  const { id } = await lesson();
  await send('PUT', `/lecons/${id}`, { titre: 'Les suites', contenu: long('Autre'), version: 1 });
  const form = { titre: 'Les suites', version: 1 };
  const mine = read(long('Ligne 0', 'Mien'));
  for (const [what, contenu] of Object.entries({
    'an earlier version': change(read(long()), mine, { version: 1 }),
    'a version to come': change(read(long()), mine, { version: 3 }),
    'another text': change(read(long()), mine, { version: 2 }),
    'a draft that does not exist': change(read(long('Autre')), mine, { revision: 1 }),
  })) {
    const refused = await send('PUT', `/lecons/${id}`, { ...form, contenu });
    t.equal(refused.status, 409, what);
    t.match(refused.body, { texteEntier: true }, what);
  }
  const conflict = await send('PUT', `/lecons/${id}`, { ...form, contenu: mine.toJSON() });
  t.match(conflict.body, { current: { contenu: long('Autre') } }, 'the whole text then finds the conflict');
  t.match((await send('GET', `/lecons/${id}`)).body, { contenu: long('Autre'), version: 2 });
  const created = await send('POST', '/lecons', { titre: 'Neuve', discipline_id, contenu: change(mine, mine, { version: 1 }) });
  t.equal(created.status, 409, 'a new item has no stored text');
});

t.test('two changes of one version at once, without a version in the form: the second is refused, and no words are lost', async (t) => {
  const { id } = await lesson();
  const put = (words: string) =>
    send('PUT', `/lecons/${id}`, { titre: 'Les suites', contenu: change(read(long()), read(long(words)), { version: 1 }) });
  const both = await Promise.all(['De Awa', 'De Bih'].map(put));
  t.same(both.map(({ status }) => status).sort(), [200, 409]);
  t.equal((await send('GET', `/lecons/${id}`)).body.version, 2);

  const saved = await send('PUT', `/brouillons/${id}`, { titre: 'Les suites', contenu: long('Un') });
  const step = change(read(long('Un')), read(long('Un', 'Deux')), { revision: saved.body.brouillon.revision });
  t.match((await send('PUT', `/brouillons/${id}`, { titre: 'Les suites', contenu: step })).body.brouillon, { revision: 2 });
});

t.test('a change that is malformed or breaks a rule is refused like a whole text', async (t) => {
  const { id } = await lesson();
  const valid = change(read(long()), read(long('Zéro')), { version: 1 });
  const link = { type: 'text', text: 'x', marks: [{ type: 'link', attrs: { href: 'javascript:alert(1)' } }] };
  let deep: object = { type: 'paragraph' };
  for (let level = 0; level < 300; level += 1) deep = { type: 'blockquote', content: [deep] };
  for (const [what, wrong] of Object.entries({
    'no fingerprint': { empreinte: undefined },
    'a wrong fingerprint': { empreinte: 'x' },
    'a negative place': { de: -1 },
    'a place beyond the other': { de: 5, a: 2 },
    'blocks that are none': { blocs: ['x'] },
    'a forbidden link': { blocs: [{ type: 'paragraph', content: [link] }] },
    'nesting without end': { blocs: [deep] },
    'a text that is too long': { blocs: [{ type: 'paragraph', content: [{ type: 'text', text: 'x'.repeat(500_000) }] }] },
  })) {
    const refused = await send('PUT', `/lecons/${id}`, { titre: 'Les suites', contenu: { ...valid, ...wrong }, version: 1 });
    t.equal(refused.status, 400, `${what}: ${JSON.stringify(refused.body)}`);
    t.match(refused.body.errors, [{ field: 'contenu', message: /./ }], what);
  }
  t.match((await send('GET', `/lecons/${id}`)).body, { contenu: long(), version: 1 });
});

t.test('drafts: the first one changes the published text, the next ones the draft', async (t) => {
  const { id } = await lesson();
  const texts = [long(), long('Un'), long('Un', 'Deux')];
  const step = (from: number, of: { version: number } | { revision: number }) =>
    change(read(texts[from] as string), read(texts[from + 1] as string), of);
  const first = await send('PUT', `/brouillons/${id}`, { titre: 'Les suites', version: 1, contenu: step(0, { version: 1 }) });
  t.equal(first.status, 200, JSON.stringify(first.body));
  t.notOk('contenu' in first.body.brouillon);
  const second = await send('PUT', `/brouillons/${id}`, { titre: 'Les suites', revision: 1, contenu: step(1, { revision: 1 }) });
  t.match(second.body.brouillon, { revision: 2 });
  t.equal((await send('GET', `/brouillons/${id}`)).body.contenu, texts[2]);
  t.equal((await send('GET', `/lecons/${id}`)).body.contenu, texts[0], 'the published text stays');
  const late = await send('PUT', `/brouillons/${id}`, { titre: 'Les suites', revision: 1, contenu: step(1, { revision: 1 }) });
  t.match(late.body, { texteEntier: true });
});

t.test('questions keep their keys, and both texts of an exercise may be changes', async (t) => {
  const choices = [
    { id: 'choixunchoix', text: 'Trois' },
    { id: 'choixdeuxcho', text: 'Quatre', right: true, remark: 'Bien.' },
  ];
  const enonce = `${long()}${choiceQuestion({ id: 'questionunab', choices })}`;
  const created = await send('POST', '/exercices', { titre: 'Calcul', discipline_id, enonce, corrige: long() });
  t.equal(created.status, 201, JSON.stringify(created.body));
  const { id } = created.body;
  const stored = created.body.enonce;
  t.match(stored, 'data-right');
  const [text, answer] = [stored.replace('Ligne 0', 'Ligne zéro'), long('Réponse')];
  const saved = await send('PUT', `/exercices/${id}`, {
    titre: 'Calcul',
    version: 1,
    enonce: change(read(stored), read(text), { version: 1 }),
    corrige: change(read(long()), read(answer), { version: 1 }),
  });
  t.equal(saved.status, 200, JSON.stringify(saved.body));
  t.match((await send('GET', `/exercices/${id}`)).body, { enonce: text, corrige: answer, version: 2 });
});
