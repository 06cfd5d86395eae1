import { parseHTML } from 'linkedom';
import t from 'tap';
import { createTestApp, squeeze, visit } from '../../../../test/support/app.ts';
import { createDiscipline, createEnrolment, createItem, createLearner, createPrepa } from '../../../../test/support/factories.ts';
import { sql } from '../../../../test/support/sql.ts';
import { statementsDuring } from '../../../../test/support/statements.ts';

const home = await createTestApp(t);
const { app } = home;

const prepa = await createPrepa(home, { nom: 'ENAM' });
const discipline = await createDiscipline(home, prepa.id);
await createItem(home, discipline.id, { titre: 'Budget', contenu: '<p>Le budget et ses douanes.</p>' });
await createItem(home, discipline.id, {
  titre: 'Monnaie et inflation',
  numeroPage: 2,
  contenu: '<p>La déflation recule ; la masse monétaire croît.</p>',
});
await createItem(home, discipline.id, { kind: 'exercise', corrige: '<p>La réponse : les impôts directs.</p>' });
const elsewhere = await createPrepa(home, { nom: 'ENS' });
await createItem(home, (await createDiscipline(home, elsewhere.id)).id, { contenu: '<p>La photosynthèse.</p>' });
const [learner, stranger] = [await createLearner(home), await createLearner(home)];
await createEnrolment(home, learner, prepa, 10);

/** Returns the proposed query with its address, or null. */
async function proposed(q: string, { session, within }: { session?: string; within?: number } = {}) {
  const asked = new URLSearchParams({ q, ...(within ? { prepa: String(within) } : {}) });
  const { body } = await visit(app, `/user/recherche?${asked}`, session);
  const { document } = parseHTML(body);
  const link = [...document.querySelectorAll('.empty a')].find(({ parentElement }) => parentElement?.textContent?.includes('Vouliez'));
  return link ? [squeeze(link.parentElement?.textContent), link.getAttribute('href')] : null;
}

t.test('a search without result proposes the nearest word, with a link that repeats the search', async (t) => {
  const { session } = learner;
  t.same(await proposed('inflatoin', { session }), ['Vouliez-vous dire : inflation ?', '/user/recherche?q=inflation']);
  t.same(await proposed('monaie', { session, within: prepa.id }), [
    'Vouliez-vous dire : Monnaie ?',
    `/user/recherche?q=Monnaie&prepa=${prepa.id}`,
  ]);
  t.same(await proposed('deflattion recul', { session }), [
    'Vouliez-vous dire : déflation recul ?',
    '/user/recherche?q=d%C3%A9flation%20recul',
  ]);
  t.match(await proposed('impôt dirrect', { session }), ['Vouliez-vous dire : impôt directs ?'], 'a word of a correction');
  t.equal(await proposed('inflation', { session }), null, 'a search with results proposes nothing');
  t.equal(await proposed('budget inflation', { session }), null, 'known words that no item has together');
  t.equal(await proposed('xylophone', { session }), null);
  t.equal(await proposed(`"' | & ! (budjjjet) \\ <->`, { session }), null);
});

t.test('only words that the reader may read are proposed', async (t) => {
  t.equal(await proposed('photosyntese', { session: learner.session }), null, 'another prepa');
  for (const session of [stranger.session, undefined]) {
    const within = prepa.id;
    t.match(await proposed('inflatoin', { session, within }), ['Vouliez-vous dire : inflation ?'], 'a locked title');
    t.match(await proposed('douames', { session, within }), ['Vouliez-vous dire : douanes ?'], 'a free text');
    t.equal(await proposed('deflattion', { session, within }), null, 'a locked text');
  }
  t.equal(await proposed('inflatoin', { session: stranger.session }), null, 'without any access');
});

t.test('a correction is one statement', async (t) => {
  const sent = await statementsDuring(() => proposed('inflatoin monaie budjet douames', { session: learner.session }));
  t.equal(sent.filter(({ name }) => name?.startsWith('content.near-words')).length, 1);
  t.ok(sent.length <= 4, `${sent.length} statements`);
});

t.test('a search without its proposal is complete', async (t) => {
  await sql(home.databaseUrl, 'alter table item rename column texte_corrige to away');
  t.teardown(() => sql(home.databaseUrl, 'alter table item rename column away to texte_corrige'));
  const { statusCode, body } = await visit(app, '/user/recherche?q=inflattion', learner.session);
  t.equal(statusCode, 200);
  t.match(body, 'Aucun contenu ne correspond');
});
