import sharp from 'sharp';
import t from 'tap';
import { newPage, stepScreenshot } from '../support/browser.ts';
import { createEnrolment, createLearner } from '../support/factories.ts';
import { type Course, createCourse, islandIs, presentSession, shareSite, until } from '../support/journey.ts';
import { at, lookAt } from '../support/look.ts';

// Reading marks, resuming, searching and practice on a phone: with and without script, and the look of the pages.

const site = await shareSite(t);
const width = 360;

async function enrolled(): Promise<{ course: Course; token: string; id: string }> {
  const course = await createCourse(site);
  const { id, token } = await createLearner(site);
  await createEnrolment(site, { id }, course);
  return { course, id, token };
}
const itemOf = async ({ disciplineId }: Course, titre: string): Promise<number> =>
  (await site.rows<{ id: number }>('select id from item where discipline_id = $1 and titre = $2', [disciplineId, titre]))[0]?.id ?? 0;

t.test('on a phone, the title begins within 100 px of the top, also in a trial, and nothing in the row above it overlaps', async (t) => {
  const { course, token } = await enrolled();
  const trial = course.path.replace('/prepa/', '/prepa/consultation/');
  const stranger = await createLearner(site);
  for (const [path, reader] of [
    [course.path, { token }],
    [trial, stranger],
    [trial, null],
  ] as const) {
    const page = await newPage(t, { width, baseURL: site.url });
    if (reader) await presentSession(page, site, reader);
    await page.goto(path);
    await islandIs(page, 'study', 'ready');
    const top = (await page.locator('#study-title').boundingBox())?.y;
    t.ok(top !== undefined && top <= 100, `${path}, ${reader ? 'signed in' : 'visitor'}: ${top}`);
    const row = page.locator('.page--study > .back, .trail, .page__head > .button, .study__toggle > summary');
    const boxes = (await row.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()))) as DOMRect[];
    const sorted = boxes.toSorted((one, other) => one.left - other.left);
    t.equal(sorted.length, path === trial ? 4 : 3);
    for (const [index, { left, width }] of sorted.entries()) {
      t.ok(left >= (sorted[index - 1]?.right ?? 0), `${path}, element ${index}`);
      t.ok(width >= 44, `${path}, width of element ${index}: ${width}`);
    }
    await stepScreenshot(page, path === trial ? `trial-head-${reader ? 'learner' : 'visitor'}` : 'study-head');
    await page.locator('.study__toggle > summary').click();
    await page.getByRole('navigation', { name: 'Contenus de la discipline' }).waitFor();
    await page.close();
  }
});

t.test("the discipline's progress grows with the tick, and at once where reduced motion is asked for", async (t) => {
  for (const reducedMotion of ['no-preference', 'reduce'] as const) {
    const { course, token } = await enrolled();
    const page = await newPage(t, { width, baseURL: site.url });
    await page.emulateMedia({ reducedMotion });
    await presentSession(page, site, { token });
    await page.goto(course.path);
    await islandIs(page, 'study', 'ready');
    const end = page.locator('.study__finish');
    await end.getByText('0 sur 6 terminés', { exact: true }).waitFor();
    await page.evaluate(() =>
      document.addEventListener('transitionrun', ({ target, propertyName }) => {
        if ((target as Element).matches('.segments__done') && propertyName === 'width') document.body.dataset.grew = 'yes';
      }),
    );
    await page.getByRole('button', { name: "J'ai terminé" }).click();
    await end.getByText('1 sur 6 terminés', { exact: true }).waitFor();
    const share = () =>
      end.locator('.segments').evaluate((bar) => {
        const [done] = bar.children;
        return Math.round(((done?.getBoundingClientRect().width ?? 0) / bar.getBoundingClientRect().width) * 60);
      });
    await until(async () => (await share()) === 10);
    const grew = await page.evaluate(() => document.body.dataset.grew);
    t.equal(grew, reducedMotion === 'reduce' ? undefined : 'yes', reducedMotion);
    await stepScreenshot(page, 'study-progress');
    await page.close();
  }
});

t.test('opened and finished items are marked and resumed, and a timed practice ends with a self-assessment', async (t) => {
  const { course, token, id } = await enrolled();
  const page = await newPage(t, { width, baseURL: site.url });
  await presentSession(page, site, { token });
  await page.goto(course.path);
  await islandIs(page, 'study', 'ready');
  await page.getByRole('link', { name: 'Suivant' }).click();
  await page.getByText('Texte de la leçon Limites.', { exact: true }).waitFor();
  await page.getByText('Menu', { exact: true }).click();
  const contents = page.getByRole('navigation', { name: 'Contenus de la discipline' });
  await contents.getByText('0 sur 6 terminés', { exact: true }).waitFor();
  await contents.getByRole('link', { name: '1 Suites (ouvert)' }).waitFor();
  t.equal(await contents.getByRole('link', { name: '3 Intégrales (ouvert)' }).count(), 0);
  await stepScreenshot(page, 'study-marks');
  await page.getByText('Masquer', { exact: true }).click();
  await page.getByRole('button', { name: "J'ai terminé" }).click();
  await page.getByRole('status').getByText('Terminé', { exact: true }).waitFor();
  t.equal(await page.getByRole('button', { name: "J'ai terminé" }).count(), 0);
  await stepScreenshot(page, 'study-finished');
  await page.getByRole('button', { name: "Je n'ai pas terminé" }).click();
  await page.getByRole('status').getByText('Pas encore terminé', { exact: true }).waitFor();
  await stepScreenshot(page, 'study-taken-back');
  const finishedOnServer = () => site.rows('select from item_reading where user_id = $1 and finished_at is not null', [id]);
  await until(async () => (await finishedOnServer()).length === 0);
  await page.getByText('Menu', { exact: true }).click();
  await contents.getByText('0 sur 6 terminés', { exact: true }).waitFor();
  await page.getByText('Masquer', { exact: true }).click();
  await page.getByRole('button', { name: "J'ai terminé" }).click();
  await page.getByRole('status').getByText('Terminé', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Suivant' }).click();
  await page.getByText('Texte de la leçon Intégrales.', { exact: true }).waitFor();
  // The text is so short that its end is visible at once; it counts as finished after a while.
  await page.getByRole('status').getByText('Terminé', { exact: true }).waitFor();
  await page.getByText('Menu', { exact: true }).click();
  await contents.getByText('2 sur 6 terminés', { exact: true }).waitFor();
  await contents.getByRole('link', { name: '2 Limites (terminé)' }).waitFor();
  await contents.getByRole('link', { name: '1 Suites (ouvert)' }).waitFor();
  await page.getByText('Masquer', { exact: true }).click();
  await stepScreenshot(page, 'section-end');
  await page.getByRole('link', { name: 'Passer aux exercices' }).click();
  await page.getByRole('heading', { name: 'Exercice A', level: 2 }).waitFor();
  await page.getByText('Voir le corrigé', { exact: true }).click();
  await page.getByRole('button', { name: 'Réussi' }).click();
  await page.getByRole('heading', { name: 'Réussi' }).waitFor();
  await stepScreenshot(page, 'section-outcome');

  await page.goto(`/user/prepa/${course.id}`);
  await page
    .getByText(/^3 sur 6 terminés/)
    .first()
    .waitFor();
  await page.getByRole('link', { name: `Reprendre ${course.nom}` }).click();
  await page.getByRole('heading', { name: 'Exercice B', level: 2 }).waitFor();

  const subject = await itemOf(course, 'Sujet A');
  await site.rows('update item set duree = 90 where id = $1', [subject]);
  await page.clock.install();
  await page.goto(`${course.path}?type=pastExam&item=${subject}`);
  await page.getByRole('link', { name: "S'entraîner" }).click();
  const clock = page.getByRole('timer');
  await page.getByText('1:30:00', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Démarrer' }).click();
  await page.clock.runFor(60_000);
  t.equal(await clock.textContent(), '1:29:00');
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.clock.runFor(60_000);
  t.equal(await clock.textContent(), '1:29:00', 'the timer is paused');
  await page.reload();
  await page.getByText('1:29:00', { exact: true }).waitFor();
  await page.getByLabel('Temps donné').selectOption('15 min');
  t.equal(await clock.textContent(), '0:14:00');
  await page.getByRole('button', { name: 'Reprendre' }).click();
  await page.clock.runFor(14 * 60_000 + 5_000);
  t.equal(await clock.textContent(), '+0:00:05');
  await page.getByText('Temps écoulé : terminez à votre rythme.', { exact: true }).waitFor();
  await stepScreenshot(page, 'practice-over');
  t.equal(await page.getByText('Corrigé du sujet.').count(), 0);
  await page.getByRole('link', { name: 'Voir le corrigé' }).click();
  await page.getByText('Corrigé du sujet.', { exact: true }).waitFor();
  await stepScreenshot(page, 'practice-corrected');
  await page.getByRole('button', { name: 'À revoir' }).click();
  await page.getByRole('heading', { name: 'À revoir', level: 1 }).waitFor();
  await stepScreenshot(page, 'practice-outcome');
  await page.goto('/user/a-revoir');
  await page.getByRole('link', { name: 'Sujet A', exact: true }).click();
  await page.getByText('1:30:00', { exact: true }).waitFor();
});

t.test('without script: finished items are marked, the search finds, a practice is marked', async (t) => {
  const { course, token } = await enrolled();
  const page = await newPage(t, { width, baseURL: site.url, javaScript: false });
  await presentSession(page, site, { token });
  await page.goto(course.path);
  await page.getByRole('link', { name: 'Suivant' }).click();
  await page.getByText('Texte de la leçon Limites.', { exact: true }).waitFor();
  await page.getByRole('button', { name: "J'ai terminé" }).click();
  await page.getByRole('heading', { name: 'Leçon terminée' }).waitFor();
  await stepScreenshot(page, 'outcome-finished');
  await page.getByRole('button', { name: "Je n'ai pas terminé" }).click();
  await page.getByText('Texte de la leçon Limites.', { exact: true }).waitFor();
  await page.goto(`/user/prepa/${course.id}`);
  await page.getByText('0 sur 6 terminés').first().waitFor();
  await page.goto(`${course.path}?type=course&item=${await itemOf(course, 'Limites')}`);
  await page.getByRole('button', { name: "J'ai terminé" }).click();
  await page.getByRole('heading', { name: 'Leçon terminée' }).waitFor();
  await page.getByRole('link', { name: 'Leçon suivante : Intégrales' }).waitFor();
  await page.goto(`/user/prepa/${course.id}`);
  await page.getByText('1 sur 6 terminés').first().waitFor();
  await page.getByRole('searchbox').fill('intégrale');
  await page.getByRole('searchbox').press('Enter');
  await page.getByRole('heading', { name: '1 résultat' }).waitFor();
  t.equal(await page.locator('mark').first().textContent(), 'Intégrales');
  await stepScreenshot(page, 'search');
  await page.getByRole('link', { name: 'Intégrales' }).click();
  await page.getByText('Texte de la leçon Intégrales.', { exact: true }).waitFor();
  await page.goto(`${course.path}?type=exercise&item=${await itemOf(course, 'Exercice A')}`);
  await page.getByRole('link', { name: "S'entraîner" }).click();
  t.notOk(await page.getByRole('timer').isVisible());
  await page.getByRole('link', { name: 'Voir le corrigé' }).click();
  await page.getByText('La réponse est 42.', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Réussi' }).click();
  await page.getByRole('heading', { name: 'Réussi' }).waitFor();
});

t.test('in print there is the text, without buttons', async (t) => {
  const { course, token } = await enrolled();
  const page = await newPage(t, { width: 1280, baseURL: site.url });
  await presentSession(page, site, { token });
  await page.goto(`${course.path}?type=exercise&item=${await itemOf(course, 'Exercice A')}`);
  await islandIs(page, 'study', 'ready');
  await page.getByText('Voir le corrigé', { exact: true }).click();
  await page.emulateMedia({ media: 'print' });
  for (const text of ['Calculer.', 'La réponse est 42.']) t.ok(await page.getByText(text, { exact: true }).isVisible(), text);
  t.same(await page.locator('a[href]:visible, :is(button, summary, input):visible').allInnerTexts(), []);
});

t.test('in forced colours the progress bar is still visible', async (t) => {
  const { course, token, id } = await enrolled();
  for (const titre of ['Suites', 'Limites', 'Intégrales'])
    await site.rows('insert into item_reading (user_id, item_id, read_at, finished_at) values ($1, $2, now(), now())', [
      ...[id, await itemOf(course, titre)],
    ]);
  const page = await newPage(t, { width, baseURL: site.url });
  await presentSession(page, site, { token });
  await page.goto(`/user/prepa/${course.id}`);
  await page.getByText('3 sur 6 terminés').first().waitFor();
  for (const forcedColors of ['none', 'active'] as const) {
    await page.emulateMedia({ forcedColors });
    const picture = await page.locator('.segments').first().screenshot({ scale: 'css' });
    const { width: across = 0, height = 0 } = await sharp(picture).metadata();
    const shade = async (share: number) => {
      const part = { left: Math.round(across * share), top: Math.floor(height / 2), width: 4, height: 1 };
      return (await sharp(await sharp(picture).extract(part).toBuffer()).stats()).channels.map(({ mean }) => Math.round(mean));
    };
    const [done, left] = [await shade(0.25), await shade(0.75)];
    t.ok(
      done.some((value, index) => Math.abs(value - (left[index] ?? value)) > 60),
      `${forcedColors}: ${done} and ${left}`,
    );
  }
});

const look = lookAt(t, site);
const { course, token, id } = await enrolled();
const subject = await itemOf(course, 'Sujet A');
await site.rows(`insert into practice (user_id, item_id, verdict, marked_at) values ($1, $2, 'a_revoir', now())`, [id, subject]);
const practice = `${course.path}/entrainement?type=pastExam&item=${subject}`;
look('search results', { as: { token } }, at('/user/recherche?q=texte'));
look('search, a long word found nowhere', { as: { token } }, at(`/user/recherche?q=${'anticonstitutionnellement'.repeat(3)}`));
look('search in a trial, visitor', {}, at(`/user/recherche?q=limites&prepa=${course.id}`));
look('practice with its correction', { as: { token } }, at(`${practice}&corrige=oui`));
look('what was achieved', { as: { token } }, at(`${course.path}/suite?type=pastExam&item=${subject}`));
look('result of a practice, and the next item', { as: { token } }, async (page) => {
  const lesson = await itemOf(course, 'Suites');
  await site.rows('insert into item_reading (user_id, item_id, read_at, finished_at) values ($1, $2, now(), now())', [id, lesson]);
  const response = await page.goto(`${course.path}/suite?type=course&item=${lesson}`);
  await page.getByRole('link', { name: 'Leçon suivante : Limites' }).waitFor();
  return response;
});
look('to be taken again', { as: { token } }, at('/user/a-revoir'));
look('finished items and one to review in the bars', { as: { token } }, at(`/user/prepa/${course.id}`));
