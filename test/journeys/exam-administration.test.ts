import t from 'tap';
import { writeDoualaTime } from '../../src/shared/exams/exam-form.ts';
import { stepScreenshot } from '../support/browser.ts';
import { createAnnouncedExam, createBatch, createExam, createSitting, minuteMs, type TestExam } from '../support/exams.ts';
import { createAdministrator, createDiscipline, createItem, createLearner, createPrepa } from '../support/factories.ts';
import { presentAdministrator, shareSite, toast } from '../support/journey.ts';
import { lookAt } from '../support/look.ts';
import { choiceQuestion, numberQuestion } from '../support/questions.ts';

// The administrator's whole way with a mock exam: form, papers, announcement, numbers, marking, corrections, late copies, publication.

const site = await shareSite(t);
const look = lookAt(t, site);
const administrator = await createAdministrator(site);
const base = '/admin/concours-blancs';
const at =
  (path: string): Parameters<typeof look>[2] =>
  async (page) => {
    await presentAdministrator(page, site, administrator);
    return page.goto(path);
  };

/** Moves an exam so that it closed this many minutes ago: the server's clock is the machine's. */
async function moveToPast(exam: TestExam, minutesAgo: number): Promise<TestExam> {
  const closesAt = new Date(Date.now() - minutesAgo * minuteMs);
  const moved = { ...exam, closesAt, opensAt: new Date(closesAt.getTime() - (exam.closesAt.getTime() - exam.opensAt.getTime())) };
  await site.rows(
    `update exam set opens_at = '${moved.opensAt.toISOString()}', closes_at = '${closesAt.toISOString()}' where id = ${exam.id}`,
  );
  return moved;
}

const answerTo = (exam: TestExam, question: number, choice: number) => {
  const { id = '', choices = [] } = exam.questions[question] ?? {};
  return { q: id, g: { choices: [choices[choice] ?? ''] } };
};

/** Creates an exam that is over, with three copies, of which one came late. */
async function createPastExam(titre: string): Promise<{ exam: TestExam; late: { username: string } }> {
  const exam = await moveToPast(await createAnnouncedExam(site, { titre, questions: 3, openFor: 60, duree: 60, opensIn: 30 }), 40);
  const when = new Date(exam.opensAt.getTime() + 20 * minuteMs);
  const people = await Promise.all([0, 1, 2].map(() => createLearner(site)));
  for (const [index, learner] of people.entries()) {
    await createSitting(site, exam, learner, { handedIn: 30 });
    await createBatch(site, exam, learner, { at: when, answers: [answerTo(exam, 0, 0), answerTo(exam, 1, index), answerTo(exam, 2, 1)] });
  }
  const [late] = people;
  if (!late) throw new Error('no learner');
  const lateAt = new Date(exam.closesAt.getTime() + 35 * minuteMs);
  await createBatch(site, exam, late, { at: lateAt, sentAt: lateAt, answers: [{ ...answerTo(exam, 2, 0), t: when.getTime() + 60_000 }] });
  await site.rows(`update exam_sitting set late = 'waiting' where user_id = '${late.id}'`);
  return { exam, late };
}

const long = 'Anticonstitutionnellement'.repeat(3);

look('list of mock exams', {}, async (page, t) => {
  await createExam(site, { titre: `Concours blanc ${long.slice(0, 70)}` });
  await createAnnouncedExam(site, { titre: 'ENAM blanc n° 1' });
  return at(base)(page, t);
});
look('form of a new exam', {}, at(`${base}/nouveau`));
look('form with a fault in each field', { allow: [/status of 400/] }, async (page, t) => {
  await at(`${base}/nouveau`)(page, t);
  await page.getByLabel('Titre').fill('ab');
  await page.getByLabel('Durée, en minutes').fill('2');
  await page.getByLabel('Barème').fill('un point');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByRole('alert').waitFor();
  return null;
});
look('choice of papers', {}, async (page, t) => {
  const exam = await createExam(site, {
    papers: [
      { titre: `Droit ${long}`, contenu: numberQuestion('examlookpap1', '4') },
      { titre: 'Économie', contenu: numberQuestion('examlookpap2', '5') },
    ],
  });
  const discipline = await createDiscipline(site, exam.prepa.id);
  await createItem(site, discipline.id, { kind: 'quiz', titre: 'Culture générale', contenu: numberQuestion('examlookpap3', '6') });
  await createItem(site, discipline.id, { kind: 'pastExam', titre: 'ENAM 2023' });
  return at(`${base}/${exam.id}/epreuves`)(page, t);
});
look('an exam in preparation', {}, async (page, t) => at(`${base}/${(await createExam(site)).id}`)(page, t));
look('what an announcement freezes', {}, async (page, t) => at(`${base}/${(await createExam(site)).id}/annonce`)(page, t));
look('an exam that cannot be announced', {}, async (page, t) =>
  at(`${base}/${(await createExam(site, { papers: [] })).id}/annonce`)(page, t),
);
look('the paper at the width of a phone', {}, async (page, t) => {
  const exam = await createExam(site, {
    papers: [
      {
        titre: 'Culture générale',
        contenu: `<p>Répondez sans limite de temps, avec vos notes de cours.</p>${choiceQuestion({
          id: 'examlookpre1',
          statement: 'Quelle est la capitale du Cameroun ?',
          choices: [
            { id: 'examlookpr1a', text: 'Yaoundé', right: true },
            { id: 'examlookpr1b', text: long },
          ],
        })}${numberQuestion('examlookpre2', '12')}`,
      },
      { kind: 'pastExam', titre: 'Dissertation', contenu: '<p>Commentez cette phrase.</p>', corrige: '<p>Corrigé.</p>' },
    ],
  });
  return at(`${base}/${exam.id}/apercu?largeur=telephone`)(page, t);
});
look('an open exam', {}, async (page, t) => {
  const exam = await moveToPast(await createAnnouncedExam(site, { openFor: 120 }), -60);
  const [one, two] = [await createLearner(site), await createLearner(site)];
  await createSitting(site, exam, one, { startedAt: new Date(Date.now() - 10 * minuteMs) });
  await createSitting(site, exam, two, { handedIn: 5 });
  await createBatch(site, exam, one, { at: new Date(Date.now() - 5_000), answers: [] });
  return at(`${base}/${exam.id}`)(page, t);
});
look('an open exam that gets no answers', {}, async (page, t) => {
  const exam = await moveToPast(await createAnnouncedExam(site, { openFor: 120 }), -60);
  await createSitting(site, exam, await createLearner(site), { startedAt: new Date(Date.now() - 10 * minuteMs) });
  return at(`${base}/${exam.id}`)(page, t);
});
look('late copies', {}, async (page, t) => at(`${base}/${(await createPastExam('En retard')).exam.id}/retards`)(page, t));
look('no late copy', {}, async (page, t) => at(`${base}/${(await createAnnouncedExam(site)).id}/retards`)(page, t));
look('the correction of a question', {}, async (page, t) => {
  const { exam } = await createPastExam('À corriger');
  return at(`${base}/${exam.id}/questions/${exam.questions[0]?.id}`)(page, t);
});
look('the correction of a number, refused', { allow: [/status of 400/] }, async (page, t) => {
  const exam = await createAnnouncedExam(site, { papers: [{ titre: 'Calcul', contenu: numberQuestion('examlooknum1', '12') }] });
  await at(`${base}/${exam.id}/questions/examlooknum1`)(page, t);
  await page.getByLabel('Valeur attendue').fill('douze');
  await page.getByLabel('Raison').fill('Mauvaise valeur');
  await page.getByRole('button', { name: 'Enregistrer la correction' }).click();
  await page.getByRole('alert').waitFor();
  return null;
});

for (const width of [360, 1280])
  t.test(`from the form to the announcement, without a script, at ${width} px`, async (t) => {
    const page = await site.page(t, { width, javaScript: false });
    await presentAdministrator(page, site, administrator);
    const prepa = await createPrepa(site, { nom: `IRIC ${width}` });
    const discipline = await createDiscipline(site, prepa.id);
    const series = (id: string, titre: string) =>
      createItem(site, discipline.id, { kind: 'quiz', titre, contenu: numberQuestion(id, '4'), numeroPage: Number(id.slice(-1)) });
    await series(`examway${width}a1`.padEnd(11, '0').slice(0, 11).concat('1'), 'Droit public');
    await series(`examway${width}b2`.padEnd(11, '0').slice(0, 11).concat('2'), 'Économie');
    await page.goto(base);
    await page.getByRole('link', { name: 'Nouveau concours blanc' }).click();
    await page.getByLabel('Préparation').selectOption({ label: prepa.nom });
    await page.getByLabel('Titre').fill('Grand concours blanc');
    await page.getByLabel('Ouverture').fill(writeDoualaTime(new Date(Date.now() + 3_600_000)));
    await page.getByLabel('Fermeture').fill(writeDoualaTime(new Date(Date.now() + 4 * 3_600_000)));
    await page.getByRole('button', { name: 'Enregistrer' }).click();
    await page.getByRole('button', { name: 'Ajouter Droit public' }).click();
    await page.getByRole('button', { name: 'Ajouter Économie' }).click();
    await page.getByRole('button', { name: 'Monter Économie' }).click();
    t.same(await page.locator('ol .record__title').allInnerTexts(), ['1. Économie', '2. Droit public']);
    await page.getByRole('link', { name: 'Retour au concours blanc' }).click();
    await page.getByRole('link', { name: 'Annoncer' }).click();
    await page.getByRole('button', { name: 'Annoncer aux candidats' }).click();
    t.equal(await page.locator('main .badge').first().innerText(), 'Annoncé');
    t.match(await page.locator('main').innerText(), /Ouverture dans/);
    await stepScreenshot(page, `exam-announced-${width}`);
  });

for (const width of [360, 1280])
  t.test(`from the marking to the publication at ${width} px`, async (t) => {
    const page = await site.page(t, { width });
    await presentAdministrator(page, site, administrator);
    const { exam, late } = await createPastExam(`Passé ${width}`);
    await page.goto(`${base}/${exam.id}`);
    await page.getByRole('button', { name: 'Corriger' }).click();
    await toast(page, /3.copies corrigées/).waitFor();
    await page.getByText('Une copie est arrivée après le délai').waitFor();
    await stepScreenshot(page, `exam-marked-${width}`);
    await page.getByRole('link', { name: 'Publier les résultats' }).click();
    await page.getByRole('button', { name: 'Publier quand même' }).waitFor();
    await stepScreenshot(page, `exam-publication-${width}`);
    await page.getByRole('link', { name: 'Décider des retards' }).click();
    await page.getByRole('button', { name: `Accepter la copie de ${late.username}` }).click();
    await toast(page, /Copie acceptée/).waitFor();
    await page.getByRole('link', { name: 'Retour au concours blanc' }).click();
    await page.getByRole('link', { name: 'Questions', exact: true }).click();
    t.same(
      await page
        .locator('.figures__sums')
        .first()
        .innerText()
        .then((text) => /100.%/.test(text)),
      true,
    );
    await page.getByRole('link', { name: /^2\./ }).click();
    await page.getByLabel('La neutraliser : elle ne compte pour personne').check();
    await page.getByLabel('Raison').fill('Deux réponses sont justes');
    await page.getByRole('button', { name: 'Enregistrer la correction' }).click();
    await page.getByText('Neutralisée', { exact: true }).waitFor();
    await stepScreenshot(page, `exam-questions-${width}`);
    await page.getByRole('link', { name: 'Retour au concours blanc' }).click();
    await page.getByRole('link', { name: 'Publier les résultats' }).click();
    await page.getByRole('button', { name: 'Publier les résultats' }).click();
    t.equal(await page.locator('main .badge').first().innerText(), 'Résultats publiés');
    await stepScreenshot(page, `exam-published-${width}`);
  });
