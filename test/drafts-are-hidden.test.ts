import { randomUUID } from 'node:crypto';
import t from 'tap';
import { type ItemKind, itemKinds, kindDetails } from '../src/shared/item-kinds.ts';
import { call, createTestApp, visit } from './support/app.ts';
import { readEveryRoute } from './support/every-route.ts';
import { createAdministrator, createDiscipline, createEnrolment, createItem, createLearner, createPrepa } from './support/factories.ts';

// Plants a unique word in the title, text and correction of drafts, and looks for it in the answers of all routes to everyone but
// administrators: drafts of new items, and of published items that are being changed.

const site = await createTestApp(t, { ITEM_READS_PER_LEARNER_10_MINUTES: '1000000' });
const { app } = site;
const { session } = await createAdministrator(site, 'super_admin');
const prepa = await createPrepa(site);
const discipline = await createDiscipline(site, prepa.id);
const [learner, stranger, former] = [await createLearner(site), await createLearner(site), await createLearner(site)];
await createEnrolment(site, learner, prepa, 20);
await createEnrolment(site, former, prepa, -1);
const viewers = { visitor: '', learner: learner.session, stranger: stranger.session, former: former.session };

const planted: string[] = [];
function plant(): string {
  planted.push(`Zqx${7_301_000 + planted.length * 17}w`);
  return planted.at(-1) as string;
}

const send = async (method: 'POST' | 'PUT' | 'DELETE', url: string, payload: object = {}) => {
  const { statusCode, body } = await call(app, { method, url, session, payload });
  t.ok(statusCode < 300, `${method} ${url}: ${statusCode} ${statusCode < 300 ? '' : body}`);
  return JSON.parse(body);
};
/** Returns the form of an item with a planted word in each part. */
const form = (kind: ItemKind) => ({
  titre: plant(),
  [kindDetails[kind].text]: `<p>Un texte avec ${plant()}.</p>`,
  ...(kindDetails[kind].hasAnnee && { annee: 2021 }),
  ...(kindDetails[kind].hasCorrection && { corrige: `<p>${plant()}</p>` }),
});

const items: { kind: ItemKind; id: number }[] = [];
for (const kind of itemKinds) {
  const shown = await createItem(site, discipline.id, { kind, titre: 'Contenu publié', contenu: '<p>Un texte visible.</p>' });
  items.push({ kind, id: shown.id });
  await send('PUT', `/api/brouillons/${shown.id}`, form(kind));
  const { brouillon } = await send('POST', `/api/${kindDetails[kind].path}`, {
    ...form(kind),
    discipline_id: discipline.id,
    brouillon: true,
  });
  items.push({ kind, id: brouillon.id });
}
const leakIn = (body: string): string | undefined => planted.find((word) => body.toLowerCase().includes(word.toLowerCase()));

t.test('administrators read every planted word', async (t) => {
  const seen = await Promise.all(items.map(async ({ id }) => (await call(app, { url: `/api/brouillons/${id}`, session })).body));
  t.same(
    planted.filter((word) => !seen.some((body) => body.includes(word))),
    [],
  );
});

t.test('no route shows a draft to a visitor or a learner, as a page or as data', async (t) => {
  const asked = await readEveryRoute(
    app,
    { prepaId: prepa.id, disciplineId: discipline.id, items },
    viewers,
    ({ address, viewer, accept, body }) => {
      const leak = leakIn(body);
      if (leak) t.fail(`${address} as ${viewer}, ${accept}: ${leak}`);
    },
  );
  for (const shown of ['/user/prepa/:prepaId/:disciplineId', '/api/items/:id/texte', '/api/lecons/:id', '/api/lecons/discipline/:id'])
    t.ok((asked.get(shown) ?? 0) > 0, `${shown} was shown ${asked.get(shown) ?? 0} times`);
  t.equal(asked.get('/api/brouillons/:id'), undefined);
});

t.test('neither do the search, counts, a kept copy, nor notifications', async (t) => {
  for (const word of planted) {
    const { body } = await visit(app, `/user/recherche?q=${word}`, learner.session);
    t.notMatch(body, /Contenu publié</, word);
  }
  const listed = await call(app, { url: `/api/lecons/discipline/${discipline.id}`, session: learner.session });
  t.match(
    listed.json().map(({ titre }: { titre: string }) => titre),
    ['Contenu publié'],
  );
  const base = `/api/hors-ligne/prepas/${prepa.id}`;
  const { session } = learner;
  for (const request of [
    { url: `${base}/textes` },
    { method: 'POST', url: `${base}/differences`, payload: { tenus: [], changements: true } },
    { method: 'POST', url: `${base}/garder`, payload: { appareil: randomUUID(), disciplines: null } },
    { url: '/api/notifications' },
  ] as const)
    t.equal(leakIn((await call(app, { ...request, session })).body), undefined, request.url);
});

t.test('once published, learners read it', async (t) => {
  const [, draft] = items;
  const { titre } = await send('POST', `/api/brouillons/${draft?.id}/publication`);
  t.match((await visit(app, `/user/prepa/${prepa.id}/${discipline.id}?type=course&item=${draft?.id}`, learner.session)).body, titre);
});
