import { parseHTML } from 'linkedom';
import t from 'tap';
import { presentKept } from '../../../../islands/offline/page/pages/present.ts';
import { renderView } from '../../../../islands/offline/page/pages/render-view.ts';
import { views } from '../../../../islands/offline/page/pages/views.ts';
import { createTestApp, visit } from '../../../../test/support/app.ts';
import { createDiscipline, createEnrolment, createItem, createLearner, createPrepa } from '../../../../test/support/factories.ts';
import { keptPrepa } from '../../../../test/support/kept-prepa.ts';
import { resumeCases } from '../../../../test/support/resume-cases.ts';
import { sql } from '../../../../test/support/sql.ts';
import { dayMs } from '../../../shared/dates.ts';

// The target of 'Reprendre' and 'Commencer par': one table of cases for the server's pages and for those of an offline copy.

const home = await createTestApp(t);
const { app, clock, databaseUrl } = home;

const prepa = await createPrepa(home, { nom: 'ENS' });
const disciplines = [await createDiscipline(home, prepa.id), await createDiscipline(home, prepa.id)];
const [first, second] = disciplines.map(({ id }) => id) as [number, number];
// Created in another order than that of the contents list.
const corrige = '<p>Corrigé.</p>';
const items = [
  { discipline: first, kind: 'course', numeroPage: 1 },
  { discipline: first, kind: 'exercise', numeroPage: 1 },
  { discipline: first, kind: 'pastExam', numeroPage: 1 },
  { discipline: second, kind: 'course', numeroPage: 1 },
  { discipline: second, kind: 'course', numeroPage: 2 },
  { discipline: second, kind: 'exercise', numeroPage: 1 },
] as const;
const ids: number[] = [];
for (const index of [5, 2, 0, 4, 1, 3]) {
  const { discipline, kind, numeroPage } = items[index] as (typeof items)[number];
  const { id } = await createItem(home, discipline, {
    kind,
    numeroPage,
    titre: `Contenu ${index}`,
    ...(kind === 'course' ? {} : { corrige }),
  });
  ids[index] = id;
}
const elsewhere = await createPrepa(home);
await createItem(home, (await createDiscipline(home, elsewhere.id)).id);

const resumeLinks = (html: string): (string | null)[] => {
  const { document } = parseHTML(`<!doctype html><html><body>${html}</body></html>`);
  return [...document.querySelectorAll('a.button')]
    .filter((link) => /^(Reprendre|Commencer par)/.test(link.textContent ?? ''))
    .map((link) => link.getAttribute('href'));
};

for (const [name, { items: states, leads, practice, begins }] of Object.entries(resumeCases)) {
  t.test(name, async (t) => {
    const learner = await createLearner(home);
    for (const bought of [prepa, elsewhere]) await createEnrolment(home, learner, bought);
    const now = clock.now().getTime();
    for (const [index, { last, finished, toReview }] of states.entries()) {
      if (!last && !finished) continue;
      const readAt = new Date(now - (last ? 1 : 2 + index) * 60_000);
      await sql(databaseUrl, 'insert into item_reading (user_id, item_id, read_at, finished_at) values ($1, $2, $3, $4)', [
        ...[learner.id, ids[index], readAt, finished ? readAt : null],
      ]);
      if (toReview === undefined) continue;
      await sql(databaseUrl, `insert into practice (user_id, item_id, verdict, marked_at) values ($1, $2, 'a_revoir', $3)`, [
        ...[learner.id, ids[index], new Date(now - toReview * dayMs)],
      ]);
    }
    const item = leads === null ? undefined : items[leads];
    const at =
      item && `/user/prepa/${prepa.id}/${item.discipline}${practice ? '/entrainement' : ''}?type=${item.kind}&item=${ids[leads ?? 0]}`;
    const expected = at ? [at] : [];
    for (const page of [`/user/prepa/${prepa.id}`, `/user/prepaview/${prepa.id}`])
      t.same(resumeLinks((await visit(app, page, learner.session)).body), expected, page);
    // The dashboard leads to the prepa read last, and to another one when nothing is left there.
    const [step] = resumeLinks((await visit(app, '/user/dashboard', learner.session)).body);
    if (!begins) t.equal(step?.startsWith(`/user/prepa/${prepa.id}/`) ? step : undefined, at, 'the dashboard leads to the expected item');
    if (!at) t.match(step, `/user/prepa/${elsewhere.id}/`, 'the dashboard leads to the next prepa');
    const kept = presentKept({ page: 'disciplines', prepa: prepa.id }, [await keptPrepa(home, prepa, learner.id)], '');
    if (kept === null || 'elsewhere' in kept) throw new Error('not kept');
    t.same(resumeLinks(renderView(views, kept.view, kept.locals).body), expected, 'an offline copy has the expected link');
    if (at) t.equal((await visit(app, at, learner.session)).statusCode, 200);
  });
}
