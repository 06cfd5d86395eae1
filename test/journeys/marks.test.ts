import type { Page } from 'playwright-core';
import t from 'tap';
import { newPage, stepScreenshot } from '../support/browser.ts';
import { createEnrolment, createLearner } from '../support/factories.ts';
import { createCourse, presentSession, shareSite } from '../support/journey.ts';
import { at, lookAt } from '../support/look.ts';

// A mark out of 20 by the scale of a correction: with and without script, and the look of its pages.

const site = await shareSite(t);
const width = 360;
const scale = `<h2>Exercice 1 : suites et limites (5 points)</h2><p>Corrigé du sujet.</p><h2>Problème (9,5 pts)</h2><p>Et voilà.</p><h2>Partie C – 5,5 points</h2><p>Fin.</p>`;

async function scaled() {
  const course = await createCourse(site);
  const { id, token } = await createLearner(site);
  await createEnrolment(site, { id }, course);
  const [subject] = await site.rows<{ id: number }>(
    `update item set corrige = $2, duree = 90 where discipline_id = $1 and titre = 'Sujet A' returning id`,
    [...[course.disciplineId, scale]],
  );
  return { course, id, token, practice: `${course.path}/entrainement?type=pastExam&item=${subject?.id}` };
}

const total = (page: Page) => page.locator('output');
const marks = (id: string) =>
  site.rows(
    'select points::float8 as points, possible::float8 as possible, seconds, verdict from practice_mark where user_id = $1 order by marked_at',
    [id],
  );

t.test('the correction stops the timer, points add up while they are typed, and the mark is kept with the time used', async (t) => {
  const { course, id, token, practice } = await scaled();
  const page = await newPage(t, { width, baseURL: site.url, allow: [/400/] });
  await presentSession(page, site, { token });
  await page.clock.install();
  await page.goto(practice);
  await page.getByRole('button', { name: 'Démarrer' }).click();
  await page.clock.runFor(42 * 60_000);
  await page.getByText('0:48:00', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Voir le corrigé' }).click();
  await page.getByText('Corrigé du sujet.', { exact: true }).waitFor();
  const timer = page.getByRole('timer');
  const stopped = await timer.textContent();
  await page.clock.runFor(10 * 60_000);
  t.equal(await timer.textContent(), stopped, 'the correction stops the timer');
  await page.reload();
  await page.clock.runFor(10 * 60_000);
  t.equal(await timer.textContent(), stopped, 'also after a reload');
  await page.goBack();
  await page.getByRole('button', { name: 'Reprendre' }).waitFor();
  await page.clock.runFor(10 * 60_000);
  t.equal(await timer.textContent(), stopped, 'and back at the text alone');
  await page.goForward();
  await page.getByLabel('Exercice 1 : suites et limites').fill('4,5');
  t.equal(await total(page).textContent(), 'Votre note : 4,5 sur 20');
  await page.keyboard.press('Tab');
  await page.keyboard.type('12');
  t.equal(await total(page).textContent(), '', 'more than the part gives');
  await page.getByRole('button', { name: 'Réussi' }).click();
  await page.getByText('De 0 à 9,5', { exact: true }).waitFor();
  t.equal(await page.evaluate(() => document.activeElement?.id), 'points-1', 'the wrong field has the focus');
  t.equal(await page.getByLabel('Exercice 1 : suites et limites').inputValue(), '4,5');
  await stepScreenshot(page, 'mark-refused');
  await page.getByLabel('Problème').fill('7.25');
  await page.getByLabel('Partie C').fill('2');
  t.equal(await total(page).textContent(), 'Votre note : 13,75 sur 20');
  await stepScreenshot(page, 'mark-typed');
  await page.getByRole('button', { name: 'Réussi' }).click();
  await page.getByRole('heading', { name: 'Réussi', level: 1 }).waitFor();
  await page.getByText('Votre note : 13,75 sur 20 en 42 min').waitFor();
  t.match(await marks(id), [{ points: 13.75, possible: 20, verdict: 'reussi' }]);
  await stepScreenshot(page, 'mark-outcome');
  await page.getByRole('link', { name: 'Mes épreuves' }).click();
  await page.getByRole('heading', { name: course.nom }).waitFor();
  await page.getByRole('link', { name: "S'entraîner" }).click();
  await page.getByText('1:30:00', { exact: true }).waitFor();
});

t.test('without script the form takes the points, and the mark is shown afterwards', async (t) => {
  const { id, token, practice } = await scaled();
  const page = await newPage(t, { width, baseURL: site.url, javaScript: false, allow: [/400/] });
  await presentSession(page, site, { token });
  await page.goto(practice);
  await page.getByRole('link', { name: 'Voir le corrigé' }).click();
  await page.getByLabel('Problème').fill('neuf');
  await page.getByRole('button', { name: 'À revoir' }).click();
  await page.getByText('Écrivez un nombre, par exemple 3,5', { exact: true }).waitFor();
  await page.getByLabel('Problème').fill('9,5');
  // Enter in a field sends no verdict.
  await page.getByLabel('Problème').press('Enter');
  await page.getByRole('button', { name: 'À revoir' }).click();
  await page.getByText('Votre note : 9,5 sur 20').waitFor();
  t.same(await marks(id), [{ points: 9.5, possible: 20, seconds: null, verdict: 'a_revoir' }]);
});

const look = lookAt(t, site);
const { course, id, token, practice } = await scaled();
const [item] = await site.rows<{ id: number }>(`select id from item where discipline_id = $1 and titre = 'Sujet A'`, [course.disciplineId]);
for (const [days, points] of [5, 9, 8.5, 13, 12.25, 16].entries())
  await site.rows(
    `insert into practice_mark (user_id, cle, item_id, verdict, points, possible, seconds, marked_at)
     values ($1, gen_random_uuid(), $2, 'reussi', $3, 20, 5025, now() - make_interval(days => $4))`,
    [id, item?.id, points, 30 - days],
  );
look('practice with the fields of a scale', { as: { token } }, at(`${practice}&corrige=oui`));
look('marks of a prepa as a curve', { as: { token } }, at(`/user/prepa/${course.id}`));
look('marks by prepa', { as: { token } }, at('/user/epreuves'));
look('no mark yet', { as: { token: (await createLearner(site)).token } }, at('/user/epreuves'));
