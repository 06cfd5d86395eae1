import type { Page } from 'playwright-core';
import t from 'tap';
import { submit } from '../support/app.ts';
import { stepScreenshot } from '../support/browser.ts';
import {
  createDiscipline,
  createDocument,
  createEnrolment,
  createItem,
  createLearner,
  createPrepa,
  type TestLearner,
} from '../support/factories.ts';
import { until } from '../support/journey.ts';
import { assertForAll, keep, offline, openPhoneSite } from '../support/phone-site.ts';
import { choiceQuestion, numberQuestion } from '../support/questions.ts';
import { sql } from '../support/sql.ts';

// The session of the day with a kept prepa, without network: planned and judged on the device, stored by the site when the network returns.

const { site, catchUp, phoneOf, online, path, listening } = await openPhoneSite(t);
const { databaseUrl, app } = site;

let number = 0;
/** Creates a prepa with three questions, and an exercise of eight minutes that the learner has marked 'À revoir'. */
async function prepared() {
  number += 1;
  const own = String(number);
  const id = (name: string) => `${name}${own.padStart(12 - name.length, '0')}`;
  const prepa = await createPrepa(site, { nom: `ENS ${own}` });
  const discipline = await createDiscipline(site, prepa.id);
  const choices = ['Yaoundé', 'Douala'].map((text, index) => ({ id: id(`v${index}`), text, right: index === 0 }));
  const lesson = await createItem(site, discipline.id, {
    titre: 'Le Cameroun',
    contenu: `${choiceQuestion({ id: id('capital'), statement: 'Quelle est la capitale ?', choices, explanation: 'Le Gouvernement y siège.' })}${numberQuestion(id('regions'), '10', { statement: 'Combien de régions ?' })}${numberQuestion(id('height'), '4040', { statement: 'Hauteur du mont Cameroun ?' })}`,
  });
  await createDocument(site, lesson.id, { nom: 'Carte' });
  const exercise = await createItem(site, discipline.id, {
    kind: 'exercise',
    titre: 'Échelles',
    duree: 8,
    contenu: '<p>Une carte au millionième.</p>',
    corrige: '<p>Dix.</p>',
  });
  const learner = await createLearner(site);
  await createEnrolment(site, learner, prepa, 20);
  const practise = `/user/prepa/${prepa.id}/${discipline.id}/entrainement`;
  await submit(app, practise, { type: 'exercise', item: String(exercise.id), verdict: 'a_revoir' }, learner.session);
  await sql(databaseUrl, `update practice set marked_at = marked_at - interval '5 days' where user_id = $1`, [learner.id]);
  await sql(databaseUrl, 'delete from study_day where user_id = $1', [learner.id]);
  return { id, prepa, learner, exercise };
}

async function phoneWith(
  t: Parameters<typeof phoneOf>[0],
  { learner, prepa }: { learner: TestLearner; prepa: { id: number } },
): Promise<Page> {
  const page = await phoneOf(t, learner);
  await keep(page, prepa.id);
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
  return page;
}

const answersOf = (learner: TestLearner) =>
  sql<{ question: string; right: boolean; context: string }>(
    databaseUrl,
    'select question_id as question, is_right as right, context from answer where user_id = $1 order by answered_at',
    [learner.id],
  );
const sessionsOf = (learner: TestLearner) =>
  sql<{ part: number; finished: boolean; steps: number }>(
    databaseUrl,
    'select part, finished_at is not null as finished, jsonb_array_length(asked) as steps from daily_session where user_id = $1 order by part',
    [learner.id],
  );
const daysOf = (learner: TestLearner) =>
  sql<{ answers: number }>(databaseUrl, 'select answers from study_day where user_id = $1', [learner.id]);

/** Gives the network back, and opens a page whose contact sends what waits. */
async function back(page: Page, prepa: { id: number }): Promise<void> {
  await online(page);
  await page.goto(`/user/prepa/${prepa.id}`);
}

/** Answers the shown question. */
async function answer(page: Page, { id }: { id: (name: string) => string }, right: boolean): Promise<void> {
  const form = page.locator('form.question:visible');
  await form.waitFor();
  const asked = (await form.getAttribute('id'))?.slice(2);
  if (asked === id('capital')) await form.getByRole('radio', { name: right ? 'Yaoundé' : 'Douala' }).check();
  else await form.getByLabel('Votre réponse').fill(right ? (asked === id('regions') ? '10' : '4040') : '3');
  await form.getByRole('button', { name: 'Vérifier' }).click();
  await page
    .locator(`[id="q-${asked}"]`)
    .getByText(right ? 'Bonne réponse' : 'Réponse fausse')
    .waitFor();
}
const next = (page: Page) => page.getByRole('button', { name: 'Suivant' }).click();

t.test('without network: from the dashboard through questions and the exercise to the end; the site has it all afterwards', async (t) => {
  const world = await prepared();
  const { learner, prepa } = world;
  const page = await phoneWith(t, world);
  // The browser notices no missing network after the checks of accessibility, which end its emulation: a network without data.
  path.leadTo('http://127.0.0.1:9');
  t.teardown(() => path.leadTo(listening));
  await offline(page);
  await page.goto('/user/dashboard');
  await page.getByRole('heading', { name: 'Séance du jour' }).waitFor();
  await stepScreenshot(page, 'offline-dashboard-session');
  await assertForAll(t, page);
  await page.getByRole('link', { name: 'Commencer (15 min)' }).click();
  await page.getByText(/^3 questions et 1 exercice, environ \d+ minutes : 3 nouvelles, 1 à revoir\.$/).waitFor();
  await page.getByText('Sans réseau : vos réponses seront envoyées au retour du réseau.').waitFor();
  await stepScreenshot(page, 'offline-session-start');
  await assertForAll(t, page);
  await page.getByRole('button', { name: 'Commencer' }).click();

  await page.getByText('Question 1 sur 4').waitFor();
  await page.getByText('Nouvelle').first().waitFor();
  await answer(page, world, true);
  await page.getByText('1 sur 4 répondues').waitFor();
  await stepScreenshot(page, 'offline-session-question');
  await assertForAll(t, page);
  await next(page);
  await answer(page, world, false);
  await page.reload();
  await page.getByText('Question 3 sur 4').waitFor();
  await answer(page, world, true);
  await next(page);

  await page.getByText('Exercice 4 sur 4').waitFor();
  await page.getByText('Exercice à revoir depuis 5 jours').waitFor();
  await stepScreenshot(page, 'offline-session-exercise');
  await page.getByRole('link', { name: "S'entraîner" }).click();
  await page.getByRole('link', { name: 'Retour à la séance' }).waitFor();
  await page.getByRole('link', { name: 'Voir le corrigé' }).click();
  await page.getByRole('button', { name: 'Réussi' }).click();
  await page.getByRole('link', { name: 'Revenir à la séance' }).click();
  await page.getByRole('heading', { name: "C'est fait pour aujourd'hui. À demain." }).waitFor();
  await page.getByText('2 justes sur 3, 1 exercice réussi.').waitFor();
  t.match(await page.locator('.week__day--today').getAttribute('class'), 'week__day--done');
  await stepScreenshot(page, 'offline-session-end');
  await assertForAll(t, page);
  t.same(await answersOf(learner), [], 'the site has none yet');

  await page.getByRole('button', { name: 'Encore 5 minutes' }).click();
  await page.getByText('Question 1 sur 1').waitFor();
  await answer(page, world, true);
  await page.getByRole('button', { name: 'Terminer la séance' }).click();
  await page.getByText('1 juste sur 1.').waitFor();
  await page.getByRole('button', { name: 'Encore 5 minutes' }).click();
  await page.getByText("Il n'y a plus rien à réviser aujourd'hui.").waitFor();

  catchUp();
  path.leadTo(listening);
  await back(page, prepa);
  await until(async () => (await sessionsOf(learner)).length === 2);
  t.same(await sessionsOf(learner), [
    { part: 1, finished: true, steps: 4 },
    { part: 2, finished: true, steps: 1 },
  ]);
  t.same(
    (await answersOf(learner)).map(({ right, context }) => [right, context]),
    [true, false, true, true].map((right) => [right, 'session']),
  );
  t.same(await daysOf(learner), [{ answers: 4 }]);
  await page.goto('/user/dashboard?reseau=1');
  await page.getByRole('link', { name: 'Voir le bilan' }).click();
  await page.getByText('1 juste sur 1.').waitFor();
  await page.goto(`/user/seance?prepa=${prepa.id}`);
  await page.getByRole('heading', { name: "C'est fait pour aujourd'hui. À demain." }).waitFor();
});

t.test("a session that the site began goes on without network, and 'Passer' leaves its exercise", async (t) => {
  const world = await prepared();
  const { learner, prepa } = world;
  const page = await phoneOf(t, learner);
  await page.goto('/user/seance');
  await page.getByRole('button', { name: 'Commencer' }).click();
  await page.getByText('Question 1 sur 4').waitFor();
  await answer(page, world, true);
  await keep(page, prepa.id);
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
  await offline(page);
  await page.goto('/user/dashboard');
  await page.getByText('Encore 2 questions et 1 exercice').waitFor();
  await page.getByRole('link', { name: 'Reprendre la séance' }).click();
  await page.getByText('1 sur 4 répondues').waitFor();
  await page.getByText('Question 2 sur 4').waitFor();
  await answer(page, world, false);
  await next(page);
  await next(page);
  await page.getByRole('button', { name: 'Passer' }).click();
  await page.getByText('Question 3 sur 4').waitFor();
  await answer(page, world, true);
  catchUp();
  await back(page, prepa);
  await until(async () => (await answersOf(learner)).length === 3);
  t.same(await sessionsOf(learner), [{ part: 1, finished: true, steps: 4 }]);
});

t.test('two tabs without network: a question counts once, with its first answer', async (t) => {
  const world = await prepared();
  const { learner, prepa } = world;
  const page = await phoneWith(t, world);
  const other = await page.context().newPage();
  await offline(page);
  await page.goto(`/user/seance?prepa=${prepa.id}`);
  await page.getByRole('button', { name: 'Commencer' }).click();
  await page.getByText('Question 1 sur 4').waitFor();
  await other.goto('/user/seance');
  await other.getByText('Question 1 sur 4').waitFor();
  await answer(page, world, true);
  const form = other.locator('form.question:visible');
  await form.getByRole('button', { name: 'Je ne sais pas' }).click();
  await other.getByText('Bonne réponse').waitFor();
  catchUp();
  await back(page, prepa);
  await until(async () => (await answersOf(learner)).length > 0);
  await page.goto('/user/seance');
  await page.getByText('1 sur 4 répondues').waitFor();
  t.match(await answersOf(learner), [{ right: true }]);
  t.equal((await answersOf(learner)).length, 1);
});

t.test('two devices without network: both are heard, and the day has one session', async (t) => {
  const world = await prepared();
  const { learner } = world;
  const phones = [await phoneWith(t, world), await phoneWith(t, world)];
  for (const [index, page] of phones.entries()) {
    await offline(page);
    await page.goto('/user/seance');
    await page.getByRole('button', { name: 'Commencer' }).click();
    await page.getByText('Question 1 sur 4').waitFor();
    for (let turn = 0; turn < 2; turn += 1) {
      await answer(page, world, index === 0);
      await next(page);
    }
    await page.getByRole('button', { name: 'Terminer la séance' }).click();
    await page.getByText(index === 0 ? '2 justes sur 2' : '0 juste sur 2').waitFor();
  }
  catchUp();
  for (const page of phones) {
    // Not `online`, which resets every connection of the path: also those on which the first phone is sending.
    await page.context().setOffline(false);
    await page.goto(`/user/prepa/${world.prepa.id}`);
  }
  await until(async () => (await answersOf(learner)).length === 4);
  t.same(await sessionsOf(learner), [{ part: 1, finished: true, steps: 4 }]);
  t.same(await daysOf(learner), [{ answers: 4 }]);
});
