import type { Page } from 'playwright-core';
import t from 'tap';
import { stepScreenshot } from '../support/browser.ts';
import { createDiscipline, createDocument, createEnrolment, createItem, createLearner, createPrepa } from '../support/factories.ts';
import { until } from '../support/journey.ts';
import { assertForAll, keep, offline, openPhoneSite } from '../support/phone-site.ts';
import { choiceQuestion, numberQuestion, textQuestion } from '../support/questions.ts';
import { sql } from '../support/sql.ts';

// The questions of a kept prepa: answered, judged and explained without network, and stored by the site when the network returns.

const { site, catchUp, phoneOf, online } = await openPhoneSite(t);
const { databaseUrl } = site;

let number = 0;
/** Keeps a prepa with questions of each kind in a lesson, an exercise and a series on a learner's phone. */
async function keptQuestions(t: Parameters<typeof phoneOf>[0]) {
  number += 1;
  const own = String(number);
  const id = (name: string) => `${name}${own.padStart(12 - name.length, '0')}`;
  const prepa = await createPrepa(site, { nom: `ENS ${own}` });
  const discipline = await createDiscipline(site, prepa.id);
  const choices = [
    { id: id('yaounde'), text: 'Yaoundé', right: true, remark: 'Depuis 1922.' },
    { id: id('douala'), text: 'Douala', remark: "La plus grande ville : le port de l'Afrique centrale." },
  ];
  const lesson = await createItem(site, discipline.id, {
    titre: 'Géographie',
    contenu: `<p>Lisez la carte.</p>${choiceQuestion({ id: id('capital'), statement: 'Quelle est la capitale du Cameroun ?', choices, explanation: 'Le Gouvernement y siège.' })}${numberQuestion(id('height'), '4040', { tolerance: '50', unit: 'm', statement: 'Quelle est la hauteur du mont Cameroun ?' })}${textQuestion(id('river'), ['Sanaga', 'la Sanaga'], 'Quel est le plus long fleuve du pays ?')}`,
  });
  const exercise = await createItem(site, discipline.id, {
    kind: 'exercise',
    titre: 'Échelles',
    contenu: `<p>Une carte au millionième.</p>${numberQuestion(id('scale'), '10', { statement: 'Combien de kilomètres fait un centimètre ?' })}`,
    corrige: '<p>Dix.</p>',
  });
  const series = await createItem(site, discipline.id, {
    kind: 'quiz',
    titre: 'Régions',
    contenu: `<p>Deux questions.</p>${numberQuestion(id('regions'), '10', { statement: 'Combien de régions ?' })}${textQuestion(id('north'), ['Garoua'], 'Chef-lieu du Nord ?')}`,
  });
  await createDocument(site, lesson.id, { nom: 'Carte' });
  const learner = await createLearner(site);
  await createEnrolment(site, learner, prepa, 20);
  const page = await phoneOf(t, learner);
  await keep(page, prepa.id);
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
  const base = `/user/prepa/${prepa.id}/${discipline.id}`;
  const answers = () =>
    sql<{ question_id: string; is_right: boolean }>(
      databaseUrl,
      'select question_id, context, given, is_right, answered_at from answer where user_id = $1 order by answered_at',
      [learner.id],
    );
  return { id, page, learner, prepa, series, exercise, lesson, base, answers, read: `${base}?type=course&item=${lesson.id}` };
}

const question = (page: Page, id: string) => page.locator(`[id="q-${id}"]`);
const check = (page: Page, id: string) => question(page, id).getByRole('button', { name: 'Vérifier' }).click();
async function type(page: Page, id: string, typed: string): Promise<void> {
  await question(page, id).getByLabel('Votre réponse').fill(typed);
  await check(page, id);
}

t.test('without network: answers are judged and explained, asked again, stored by the site once, and errors come back', async (t) => {
  const { id, page, read, base, exercise, series, answers, learner } = await keptQuestions(t);
  await offline(page);
  await page.goto(read);

  await t.test('a wrong and a right choice, with remarks and explanation', async (t) => {
    const capital = question(page, id('capital'));
    await capital.getByRole('radio', { name: 'Douala' }).waitFor();
    await check(page, id('capital'));
    await capital.getByText('Choisissez une réponse, ou « Je ne sais pas ».').waitFor();
    await capital.getByRole('radio', { name: 'Douala' }).check();
    await check(page, id('capital'));
    await capital.getByText('Réponse fausse').waitFor();
    await capital.getByText("La plus grande ville : le port de l'Afrique centrale.").waitFor();
    await capital.getByText('Le Gouvernement y siège.').waitFor();
    t.equal(await capital.evaluate((element) => element === document.activeElement), true, 'the judged question has the focus');
    await page.getByText('progression à envoyer (1 contenu)', { exact: false }).waitFor();
    await stepScreenshot(page, 'offline-question-wrong');
    await assertForAll(t, page);
    // axe ends the emulation of a missing network.
    await offline(page);
    await capital.getByRole('link', { name: 'Réessayer' }).click();
    t.equal(await capital.getByRole('radio', { checked: true }).count(), 0);
    await capital.getByRole('radio', { name: 'Yaoundé' }).check();
    await check(page, id('capital'));
    await capital.getByText('Bonne réponse').waitFor();
  });

  await t.test('a number, a short text, and no answer', async (t) => {
    await type(page, id('height'), '4 070 m');
    await question(page, id('height')).getByText('Bonne réponse').waitFor();
    await question(page, id('height')).getByText('4040 m (à 50 près)').waitFor();
    await question(page, id('river')).getByRole('button', { name: 'Je ne sais pas' }).press('Enter');
    await question(page, id('river')).getByText('Aussi accepté : la Sanaga').waitFor();
    t.equal(await question(page, id('river')).getByText('Vous avez choisi').count(), 1);
    await stepScreenshot(page, 'offline-questions-judged');
  });

  await t.test('a reloaded page asks again, and has lost no answer', async (t) => {
    await page.reload();
    await question(page, id('capital')).getByRole('radio', { name: 'Douala' }).waitFor();
    const waiting = await page.evaluate(async () => {
      const opened = await new Promise<IDBDatabase>((resolve) => {
        const asked = indexedDB.open('prepa-hors-ligne');
        asked.onsuccess = () => resolve(asked.result);
      });
      const all = opened.transaction('outbox').objectStore('outbox').getAll();
      return new Promise<number>((resolve) => {
        all.onsuccess = () => resolve(all.result.filter(({ reponse }) => reponse).length);
      });
    });
    t.equal(waiting, 4);
    t.same(await answers(), [], 'the site has none yet');
  });

  await t.test('in a practice', async () => {
    await page.goto(`${base}/entrainement?type=exercise&item=${exercise.id}`);
    await type(page, id('scale'), '10');
    await question(page, id('scale')).getByText('Bonne réponse').waitFor();
  });

  await t.test('a series, one question below the other', async (t) => {
    await page.goto(`${base}?type=exercise&item=${exercise.id}`);
    await page.getByRole('link', { name: 'Passer aux questions' }).click();
    await page.getByRole('link', { name: 'ouvrez la série avec le réseau' }).waitFor();
    await type(page, id('regions'), '10');
    await question(page, id('regions')).getByText('Bonne réponse').waitFor();
    await type(page, id('north'), 'maroua');
    await question(page, id('north')).getByText('Réponse attendue : Garoua').waitFor();
    await stepScreenshot(page, 'offline-series');
    await assertForAll(t, page);
    t.same(await answers(), [], 'the site has none yet');
  });

  await t.test('when the network returns, the site stores each answer once, and the series is finished', async (t) => {
    catchUp();
    await online(page);
    await until(async () => (await answers()).length === 7);
    t.match(
      (await answers()).map(({ question_id, is_right }) => [question_id, is_right]),
      [
        [id('capital'), false],
        [id('capital'), true],
        [id('height'), true],
        [id('river'), false],
        [id('scale'), true],
        [id('regions'), true],
        [id('north'), false],
      ],
    );
    const finished = () =>
      sql(databaseUrl, 'select item_id from item_reading where user_id = $1 and finished_at is not null order by 1', [learner.id]);
    await until(async () => (await finished()).length === 1);
    t.same(await finished(), [{ item_id: series.id }]);
    await page.goto('/user/erreurs');
    for (const words of ['Quelle est la capitale du Cameroun ?', 'Quel est le plus long fleuve du pays ?', 'Chef-lieu du Nord ?'])
      await page.getByText(words).waitFor();
    t.equal(await page.getByText('Combien de régions ?').count(), 0);
  });

  await t.test('with network, a kept page judges at once, and the site stores the answer soon', async (t) => {
    await page.goto(read);
    await type(page, id('river'), 'SANAGA');
    await question(page, id('river')).getByText('Bonne réponse').waitFor();
    await until(async () => (await answers()).length === 8);
    t.match((await answers()).at(-1), { question_id: id('river'), is_right: true, context: 'text' });
  });
});

t.test('two tabs without network: each has its own answers, and each is stored once', async (t) => {
  const { id, page, read, answers } = await keptQuestions(t);
  const other = await page.context().newPage();
  await offline(page);
  for (const tab of [page, other]) {
    await tab.goto(read);
    await type(tab, id('river'), tab === page ? 'Sanaga' : 'Nyong');
    await question(tab, id('river')).getByText('Réponse attendue').waitFor();
  }
  catchUp();
  await online(page);
  await until(async () => (await answers()).length === 2);
  await page.reload();
  await page.getByRole('heading', { name: 'Géographie' }).waitFor();
  t.same(
    (await answers()).map(({ is_right }) => is_right),
    [true, false],
  );
});

t.test('a device whose storage is full says so and keeps the answer in its form; with network the site judges it', async (t) => {
  const { id, page, read, answers } = await keptQuestions(t);
  await offline(page);
  await page.goto(read);
  await question(page, id('river')).getByLabel('Votre réponse').fill('Sanaga');
  // A browser rarely looks at its quota, and an answer is short.
  await page.evaluate(() => {
    const { put } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.put = function (...values) {
      if (this.name === 'outbox') throw new DOMException('', 'QuotaExceededError');
      return put.apply(this, values);
    };
  });
  await check(page, id('river'));
  await question(page, id('river')).getByRole('alert').filter({ hasText: 'La mémoire de cet appareil est pleine.' }).waitFor();
  t.equal(await question(page, id('river')).getByLabel('Votre réponse').inputValue(), 'Sanaga');
  await stepScreenshot(page, 'offline-question-full');
  await assertForAll(t, page);
  await online(page);
  await check(page, id('river'));
  await question(page, id('river')).getByText('Bonne réponse').waitFor();
  t.match(await answers(), [{ question_id: id('river'), is_right: true }]);
});
