import t from 'tap';
import { newPage } from '../support/browser.ts';
import { createEnrolment, createItem, createLearner } from '../support/factories.ts';
import { createCourse, presentSession, shareSite } from '../support/journey.ts';
import { at, lookAt } from '../support/look.ts';
import { choiceQuestion, numberQuestion } from '../support/questions.ts';

// The daily session: from the dashboard to its result with the keyboard alone, without script, and the look of its pages.

const site = await shareSite(t);

let number = 0;
async function openPrepa() {
  number += 1;
  const own = number;
  const id = (name: string) => `${name}${String(own).padStart(12 - name.length, '0')}`;
  const course = await createCourse(site);
  const learner = await createLearner(site);
  await createEnrolment(site, learner, course);
  const choices = ['Yaoundé', 'Douala'].map((text, index) => ({ id: id(`v${index}`), text, right: index === 0 }));
  await createItem(site, course.disciplineId, {
    numeroPage: 9,
    titre: 'Les institutions du Cameroun',
    contenu: `${choiceQuestion({ id: id('siege'), statement: 'Où siège le Parlement ?', choices, explanation: 'Au palais de Ngoa-Ekellé.' })}${numberQuestion(id('regions'), '10', { statement: 'Combien de régions ?' })}`,
  });
  return { learner, id, prepaId: course.id };
}

t.test('with the keyboard alone: from the dashboard through the questions to the result, with the time of each answer', async (t) => {
  const { learner, id } = await openPrepa();
  const page = await newPage(t, { width: 1280, baseURL: site.url });
  await presentSession(page, site, learner);
  await page.goto('/user/dashboard');
  await page.getByRole('button', { name: /^Commencer \(15 min\)/ }).press('Enter');
  await page.getByText('Question 1 sur 2').waitFor();
  t.equal(await page.locator('form.question:visible').count(), 1);
  await page.locator(`input[value="${id('v0')}"]`).check();
  await page.keyboard.press('Enter');
  await page.getByText('Au palais de Ngoa-Ekellé.').waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('Question 2 sur 2').waitFor();
  await page.getByLabel('Votre réponse').fill('9');
  await page.keyboard.press('Enter');
  await page.getByText('Par le calcul.').waitFor();
  await page.getByRole('button', { name: 'Terminer la séance' }).press('Enter');
  await page.getByRole('heading', { name: "C'est fait pour aujourd'hui. À demain." }).waitFor();
  await page.getByText('1 juste sur 2').waitFor();
  await page.getByRole('link', { name: 'Les institutions du Cameroun' }).click();
  await page.waitForURL(/#q-regions/);
  const timed = await site.rows<{ seconds: number | null }>('select seconds from answer where user_id = $1', [learner.id]);
  t.ok(timed.length === 2 && timed.every(({ seconds }) => seconds === null || seconds < 60), JSON.stringify(timed));
});

t.test('without script: all questions, each with its form, and the result', async (t) => {
  const { learner, id } = await openPrepa();
  const page = await newPage(t, { width: 360, baseURL: site.url, javaScript: false });
  await presentSession(page, site, learner);
  await page.goto('/user/seance');
  await page.getByRole('button', { name: 'Commencer' }).click();
  t.equal(await page.locator('form.question').count(), 2);
  await page.locator(`input[value="${id('v1')}"]`).check();
  await page
    .locator(`#q-${id('siege')}`)
    .getByRole('button', { name: 'Vérifier' })
    .click();
  await page.getByText('Au palais de Ngoa-Ekellé.').waitFor();
  await page.getByRole('button', { name: 'Terminer la séance' }).click();
  await page.getByText('0 juste sur 1').waitFor();
});

const look = lookAt(t, site);
const shown = await openPrepa();
const as = shown.learner;
const plan = `/user/concours/${shown.prepaId}`;
look('the session before it begins', { as }, at('/user/seance'));
look('date of the concours', { as }, at(plan));
look('progress without answers', { as }, at('/user/progression'));
look('a question of the session, answered', { as, moves: true }, async (page) => {
  await page.goto('/user/dashboard');
  await page
    .getByRole('button', { name: /^Commencer \(15 min\)|^Reprendre la séance/ })
    .or(page.getByRole('link', { name: 'Reprendre la séance' }))
    .click();
  await page.getByText(/^Question \d sur 2$/).waitFor();
  const form = page.locator(`form#q-${shown.id('siege')}:visible`);
  if ((await form.count()) > 0) {
    await page.locator(`input[value="${shown.id('v1')}"]`).check();
    await form.getByRole('button', { name: 'Vérifier' }).click();
    await page.getByText('Au palais de Ngoa-Ekellé.').waitFor();
  }
  return null;
});
look('the dashboard during a session', { as }, at('/user/dashboard'));
look('the result of a session', { as }, async (page) => {
  await page.goto('/user/seance');
  const finish = page.getByRole('button', { name: 'Terminer la séance' });
  if ((await finish.count()) > 0) await finish.click();
  await page.getByText(/sur 1\.$/).waitFor();
  return page.reload();
});
look('progress after a session', { as }, at('/user/progression'));
look('the question after the day', { as }, async (page) => {
  await site.rows(
    `insert into study_plan (user_id, prepa_id, choice, day, minutes) values ($1, $2, 'own', current_date - 2, 15)
     on conflict (user_id, prepa_id) do update set choice = 'own', day = current_date - 2`,
    [as.id, shown.prepaId],
  );
  return page.goto('/user/dashboard');
});
