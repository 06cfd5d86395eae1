import { parseHTML } from 'linkedom';
import t from 'tap';
import { createTestApp, submit, visit } from '../../../../test/support/app.ts';
import {
  createDiscipline,
  createDocument,
  createEnrolment,
  createItem,
  createLearner,
  createPrepa,
} from '../../../../test/support/factories.ts';
import { keptPrepa } from '../../../../test/support/kept-prepa.ts';
import { keptAddress } from './address.ts';
import { type KeptPage, presentKept } from './present.ts';
import { renderView } from './render-view.ts';
import { views } from './views.ts';

// A kept page has the same HTML as the server's page at the same URL, except for the text of the link to the page where the prepa is kept.

const home = await createTestApp(t);
const { app } = home;

const prepa = await createPrepa(home, { nom: "ENS d'été : « A & B »" });
const discipline = await createDiscipline(home, prepa.id);
const other = await createDiscipline(home, prepa.id);
const empty = await createDiscipline(home, prepa.id);
const lesson = await createItem(home, discipline.id, {
  titre: 'Suites : que faire ?',
  contenu: '<h3>Énoncé</h3><p>Une suite <strong>converge</strong> : voir la limite.</p>',
});
const second = await createItem(home, discipline.id, { titre: 'Limites', numeroPage: 2 });
const exercise = await createItem(home, discipline.id, {
  kind: 'exercise',
  titre: 'Étude <1>',
  duree: 90,
  corrige: '<p>La réponse est 42 ; voilà !</p>',
});
await createDocument(home, exercise.id, { nom: 'Corrigé & fiche' });
const plain = await createItem(home, discipline.id, { kind: 'exercise', titre: 'Sans corrigé', numeroPage: 2 });
const subject = await createItem(home, other.id, { kind: 'pastExam', titre: 'Sujet A', corrige: '<p>Voir la limite.</p>' });
const paper = await createItem(home, other.id, {
  kind: 'pastExam',
  titre: 'Sujet B',
  numeroPage: 2,
  corrige: '<h2>Exercice (20 points)</h2><p>Oui.</p>',
});
const learner = await createLearner(home);
// Not on the first day, on which the site asks for the date of the concours.
await createEnrolment(home, learner, prepa, 28);

const base = `/user/prepa/${prepa.id}`;
const study = `${base}/${discipline.id}`;
const query = (kind: string, { id }: { id: number }) => `?type=${kind}&item=${id}`;

// The learner's marks.
await visit(app, `${study}${query('course', second)}`, learner.session);
await submit(app, `${study}/termine`, { type: 'course', item: String(lesson.id) }, learner.session);
for (const verdict of ['reussi', 'a_revoir'])
  await submit(app, `${study}/entrainement`, { type: 'exercise', item: String(exercise.id), verdict }, learner.session);
await submit(app, `${base}/${other.id}/entrainement`, { type: 'pastExam', item: String(subject.id), verdict: 'a_revoir' }, learner.session);

/** Removes spaces at the ends of paragraphs: PostgreSQL cuts search passages with them, the browser without. */
const withoutEnds = (html: string): string => html.trim().replaceAll(/(?<=<p>) | (?=<\/p>)/g, '');

async function kept(path: string) {
  const address = keptAddress(new URL(path, 'https://prepa.example'));
  return address && presentKept(address as Parameters<typeof presentKept>[0], [await keptPrepa(home, prepa, learner.id)], '');
}

/** Returns HTML without the study island, whose HTML is written by React on both sides. */
function withoutIsland(html: string): string {
  const start = html.indexOf('<div data-island="study"');
  if (start < 0) return html;
  let depth = 0;
  for (const { 0: tag, index } of html.slice(start).matchAll(/<\/?div\b/g)) {
    depth += tag === '<div' ? 1 : -1;
    if (depth === 0) return html.slice(0, start) + html.slice(start + index + '</div>'.length);
  }
  return html;
}

async function fromServer(path: string) {
  const answer = await visit(app, path, learner.session);
  const { document } = parseHTML(answer.body || '<html></html>');
  const [, main = ''] = /<main [^>]*>\n([\s\S]*)\n<\/main>/.exec(answer.body) ?? [];
  const island = document.querySelector<HTMLElement>('[data-island="study"]');
  return {
    status: answer.statusCode,
    location: answer.headers.location,
    title: document.title.replace(/ \| [^|]*$/, ''),
    bodyClass: document.body.className,
    island,
    main: withoutIsland(main),
    body: answer.body,
  };
}

for (const [name, path] of Object.entries({
  'the disciplines': base,
  'a study page': study,
  'a study page with an item in its URL': `${study}${query('exercise', exercise)}`,
  'a study page of an empty discipline': `${base}/${empty.id}`,
  'a practice': `${study}/entrainement${query('exercise', exercise)}`,
  'a practice with its correction': `${study}/entrainement${query('exercise', exercise)}&corrige=oui`,
  'a practice of a past subject': `${base}/${other.id}/entrainement${query('pastExam', subject)}`,
  'the progress page after reading': `${study}/suite${query('course', lesson)}`,
  'the progress page after a practice': `${study}/suite${query('exercise', exercise)}`,
  "the list 'à revoir'": '/user/a-revoir',
  'a search': `/user/recherche?q=limite&prepa=${prepa.id}`,
  'a search without results': `/user/recherche?q=%3Cb%3E%20%22rien%22&prepa=${prepa.id}`,
  'a search without a word': `/user/recherche?prepa=${prepa.id}`,
  'a search for a single letter': `/user/recherche?q=x&prepa=${prepa.id}`,
})) {
  t.test(`${name}: the kept page equals the server's`, async (t) => {
    // The server's page marks its item as opened, so the kept page is read after it.
    const server = await fromServer(path);
    t.equal(server.status, 200);
    const page = (await kept(path)) as KeptPage;
    const { body, bodyClass } = renderView(views, page.view, page.locals);
    t.equal(withoutEnds(body), withoutEnds(server.main).replace('<span>Garder hors ligne</span>', '<span>Gérer la copie gardée</span>'));
    t.equal(page.title, server.title);
    t.equal(bodyClass, server.bodyClass);
    t.equal(page.study !== undefined, server.island !== null);
    if (!page.study || !server.island) return;
    t.same({ ...page.study.props, keep: null }, { ...JSON.parse(server.island.dataset.props ?? ''), keep: null });
    for (const { dataset } of server.island.querySelectorAll<HTMLElement>('[data-slot]'))
      t.match(server.body, `<div data-slot="${dataset.slot}" class="prose">${page.study.slots[dataset.slot ?? '']}</div>`);
  });
}

t.test("a kept practice with a scale leads to the server's page for a mark", async (t) => {
  const path = `${base}/${other.id}/entrainement${query('pastExam', paper)}`;
  const page = (await kept(`${path}&corrige=oui`)) as KeptPage;
  const { document } = parseHTML(`<html><body>${renderView(views, page.view, page.locals).body}</body></html>`);
  t.equal(document.querySelector('form.practice__mark')?.getAttribute('action'), `${base}/${other.id}/entrainement`);
  t.equal(document.querySelector('.scale'), null, 'points that are typed here would be lost');
  const [link] = [...document.querySelectorAll('a')].filter(({ textContent }) => textContent === 'Vous donner une note sur 20');
  const online = await fromServer(String(link?.getAttribute('href')));
  const form = parseHTML(online.body).document.querySelector('form.practice__mark');
  t.equal(form?.getAttribute('action'), `${base}/${other.id}/note?reseau=1`, 'no device answers this address');
});

t.test('kept pages redirect where the server redirects', async (t) => {
  for (const path of [
    `${study}/entrainement${query('exercise', plain)}`,
    `${study}/entrainement`,
    `${study}/suite${query('course', second)}`,
    `${study}/suite`,
    `/user/recherche?q=limite&prepa=${prepa.id}&page=2`,
  ]) {
    const { status, location } = await fromServer(path);
    t.equal(status, 303, path);
    t.same(await kept(path), { elsewhere: location }, path);
  }
});

t.test('pages that are not kept are left to the network', async (t) => {
  for (const path of [
    `${base}/999999`,
    `${study}?type=course&item=999999`,
    `${study}${query('course', exercise)}`,
    `${study}/suite?type=course&item=999999`,
    `/user/prepa/${prepa.id + 1000}`,
    `/user/recherche?q=limite&prepa=${prepa.id + 1000}`,
  ])
    t.equal(await kept(path), null, path);
});
