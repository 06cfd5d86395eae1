import t from 'tap';
import { newPage, stepScreenshot } from '../support/browser.ts';
import { createEnrolment, createItem, createLearner } from '../support/factories.ts';
import { createCourse, islandIs, presentSession, shareSite } from '../support/journey.ts';
import { at, lookAt } from '../support/look.ts';
import { choiceQuestion, numberQuestion } from '../support/questions.ts';

// A series of questions: one at a time with the keyboard, against the clock, without script, and the look of its pages.

const site = await shareSite(t);
const width = 360;

let number = 0;
async function openSeries(duree: number | null = null) {
  number += 1;
  const own = number;
  const id = (name: string) => `${name}${String(own).padStart(12 - name.length, '0')}`;
  const course = await createCourse(site);
  const learner = await createLearner(site);
  await createEnrolment(site, learner, course);
  const choices = (name: string) =>
    ['Yaoundé', 'Douala', 'Garoua', 'Bafoussam'].map((text, index) => ({
      id: id(name + index),
      text,
      right: index === 0,
      ...(index === 1 && { remark: 'La plus grande ville, non la capitale.' }),
    }));
  const item = await createItem(site, course.disciplineId, {
    kind: 'quiz',
    titre: 'Capitales',
    duree,
    contenu: `<p>Trois questions pour commencer.</p>${choiceQuestion({ id: id('un'), statement: 'Quelle est la capitale du Cameroun ?', choices: choices('p') })}<p>Lisez la carte avant de répondre.</p>${choiceQuestion({ id: id('deux'), statement: 'Où siège le Parlement ?', choices: choices('s'), explanation: 'Au palais de Ngoa-Ekellé.' })}${numberQuestion(id('trois'), '10', { statement: 'Combien de régions ?' })}`,
  });
  await site.rows(`update item set bareme = '{"juste": 1, "faux": -0.25, "sans": 0}' where id = $1`, [item.id]);
  return {
    course,
    learner,
    item,
    study: `${course.path}?type=quiz&item=${item.id}`,
    start: `/user/series/${item.id}`,
    first: id('p0'),
    other: id('p1'),
  };
}

t.test('with the keyboard alone: one question at a time, its explanation, the next one, and the result', async (t) => {
  const { learner, study } = await openSeries();
  const page = await newPage(t, { width: 1280, baseURL: site.url });
  await presentSession(page, site, learner);
  await page.goto(study);
  await islandIs(page, 'study', 'ready');
  await page.getByRole('button', { name: 'Apprendre' }).press('Enter');
  const place = page.getByText(/^Question \d sur 3$/);
  await place.waitFor();
  t.equal(await place.textContent(), 'Question 1 sur 3');
  t.equal(await page.locator('form.question:visible').count(), 1, 'one question is shown');
  await page.keyboard.press('1');
  t.equal(await page.locator('input:checked').count(), 1);
  await page.keyboard.press('Enter');
  await page.getByText('Car 2 + 2 = 4.').waitFor();
  t.equal(await page.getByText('1 sur 3 répondues').count(), 1);
  await page.keyboard.press('Enter');
  t.equal(await place.textContent(), 'Question 2 sur 3');
  await page.getByRole('button', { name: 'Je ne sais pas' }).press('Enter');
  await page.getByText('Au palais de Ngoa-Ekellé.').waitFor();
  await page.keyboard.press('Enter');
  await page.getByLabel('Votre réponse').fill('1e1');
  await page.keyboard.press('Enter');
  await page.getByText('Par le calcul.').waitFor();
  t.equal(await page.getByText('3 sur 3 répondues').count(), 1);
  await stepScreenshot(page, 'series-last-question');
  await page.getByRole('button', { name: 'Précédent' }).click();
  t.equal(await place.textContent(), 'Question 2 sur 3');
  await page.reload();
  t.equal(await place.textContent(), 'Question 3 sur 3', 'coming back shows the last question');
  await page.getByRole('button', { name: 'Terminer et voir le résultat' }).press('Enter');
  await page.getByText(/Votre note : /).waitFor();
  await page.getByRole('button', { name: /Refaire mes erreurs/ }).press('Enter');
  // The first choice shown may have been the right one.
  await page.getByText(/^Question 1 sur [12]$/).waitFor();
});

t.test("'Comme à l'examen': answers are kept as they are chosen, on any device, and the end of the time shows the result", async (t) => {
  const { learner, study, first, other } = await openSeries(20);
  const page = await newPage(t, { width, baseURL: site.url });
  await presentSession(page, site, learner);
  await page.clock.install();
  await page.goto(study);
  await page.getByRole('button', { name: "Comme à l'examen" }).click();
  await page.getByText(/^Temps restant : /).waitFor();
  const kept = () => page.waitForResponse((response) => response.url().includes('/questions/') && response.ok());
  for (const id of [other, first]) await Promise.all([kept(), page.locator(`input[value="${id}"]`).check()]);
  const device = await newPage(t, { width, baseURL: site.url });
  await presentSession(device, site, learner);
  await device.goto(page.url());
  t.equal(await device.getByText(/^Question \d sur 3$/).textContent(), 'Question 2 sur 3', 'another device goes on with the next question');
  await device.getByRole('button', { name: 'Précédent' }).click();
  t.ok(await device.locator(`input[value="${first}"]`).isChecked());
  t.equal(await page.getByText(/juste|explication/i).count(), 1, 'only the rule speaks of right answers');
  await page.clock.runFor(19 * 60_000 + 5_000);
  await page.getByText("Plus qu'une minute.").waitFor();
  await page.clock.runFor(60_000);
  await page.getByText(/1 juste, 2 sans réponse/).waitFor();
});

t.test('without script: all questions, each with its form, its feedback at its place, and the result', async (t) => {
  const { learner, study, other } = await openSeries();
  const page = await newPage(t, { width, baseURL: site.url, javaScript: false });
  await presentSession(page, site, learner);
  await page.goto(study);
  await page.getByRole('button', { name: 'Apprendre' }).click();
  t.equal(await page.locator('form.question').count(), 3);
  await page.locator(`input[value="${other}"]`).check();
  await page.getByRole('button', { name: 'Vérifier' }).first().click();
  await page.getByText('La plus grande ville, non la capitale.').waitFor();
  t.match(new URL(page.url()).hash, /^#q-un/);
  await page.getByRole('button', { name: 'Terminer et voir le résultat' }).click();
  await page.getByText(/1 fausse, 2 sans réponse/).waitFor();
});

t.test('an answer that does not reach the site stays in its form, and is sent with the next', async (t) => {
  const { learner, study, first } = await openSeries();
  const page = await newPage(t, { width, baseURL: site.url, allow: [/ERR_INTERNET_DISCONNECTED/] });
  await presentSession(page, site, learner);
  await page.goto(study);
  await page.getByRole('button', { name: "Comme à l'examen" }).click();
  await page.getByText('Question 1 sur 3').waitFor();
  await page.context().setOffline(true);
  await page.locator(`input[value="${first}"]`).check();
  await page.getByText(/Pas de réponse du site/).waitFor();
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Terminer et voir le résultat' }).click();
  await page.getByText(/1 juste, 2 sans réponse/).waitFor();
});

const look = lookAt(t, site);
const shown = await openSeries(20);
const as = shown.learner;
look('study page of a series', { as }, at(shown.study));
look('start of a series', { as }, at(shown.start));
look('series, learning', { as, moves: true }, async (page) => {
  await page.goto(shown.study);
  await page.getByRole('button', { name: 'Apprendre' }).click();
  await page.getByText('Question 1 sur 3').waitFor();
  if ((await page.locator('form.question:visible').count()) > 0) {
    await page.locator(`input[value="${shown.other}"]`).check();
    await page.getByRole('button', { name: 'Vérifier' }).first().click();
    await page.getByText('La plus grande ville, non la capitale.').waitFor();
  }
  return null;
});
look('series begun before', { as }, at(shown.start));
look('series, as in the exam', { as, moves: true }, async (page) => {
  await page.goto(shown.start);
  await page.getByRole('button', { name: "Comme à l'examen" }).click();
  await page.getByText('Question 1 sur 3').waitFor();
  await Promise.all([
    page.waitForResponse((response) => response.url().includes('/questions/')),
    page.locator(`input[value="${shown.other}"]`).check(),
  ]);
  return null;
});
look('result of a series', { as }, async (page) => {
  const resumed = page.getByRole('link', { name: /^Reprendre/ });
  await page.goto(shown.start);
  if (await resumed.isVisible()) await resumed.click();
  else await page.getByRole('button', { name: "Comme à l'examen" }).click();
  await page.getByRole('button', { name: 'Terminer et voir le résultat' }).click();
  await page.getByText(/Votre note/).waitFor();
  return page.reload();
});
