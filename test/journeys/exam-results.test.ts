import { randomUUID } from 'node:crypto';
import t from 'tap';
import { terminal } from '../../src/modules/identity/index.ts';
import { correctQuestion } from '../../src/modules/questions/exams/marking/correction.service.ts';
import { markExam, publishResults } from '../../src/modules/questions/exams/marking/marking.service.ts';
import type { Given } from '../../src/shared/questions/grade.ts';
import { stepScreenshot } from '../support/browser.ts';
import {
  createAdministrator,
  createDiscipline,
  createEnrolment,
  createItem,
  createLearner,
  createPrepa,
  type TestLearner,
} from '../support/factories.ts';
import { presentAdministrator, presentSession, shareSite } from '../support/journey.ts';
import { at, lookAt } from '../support/look.ts';
import { insertExam, sit } from '../support/marked-exams.ts';
import { choiceQuestion, numberQuestion } from '../support/questions.ts';
import { seeded } from '../support/random.ts';

// A candidate's result in a mock exam, also after a neutralised question, and what teachers see of it.

const site = await shareSite(t);
const look = lookAt(t, site);
const random = seeded(4);
const choices = (id: string) =>
  ['Yaoundé', 'Douala', 'Garoua', 'Bafoussam'].map((text, index) => ({
    id: `${id.slice(0, 10)}c${index}`,
    text,
    right: index === 0,
    ...(index === 1 && { remark: 'La plus grande ville, non la capitale.' }),
  }));
const ids = Array.from({ length: 12 }, (_, index) => `result${String(index).padStart(6, '0')}`);
const formula = '<span class="formula" data-latex="\\frac{1}{2}"><math><mfrac><mn>1</mn><mn>2</mn></mfrac></math></span>';
const halves = [ids.slice(0, 6), ids.slice(6)].map((half) =>
  half
    .map((id, index) =>
      choiceQuestion({ id, statement: index === 1 ? `Où est ${formula} du pays ?` : `Où se trouve le lieu ${id} ?`, choices: choices(id) }),
    )
    .join(''),
);
const prepa = await createPrepa(site, { nom: 'ENAM' });
const discipline = await createDiscipline(site, prepa.id);
const contents = [
  `<p>Lisez la carte, puis répondez.</p>${halves[0]}`,
  `${halves[1]}${numberQuestion('resultnumber', '10', { statement: 'Combien de régions ?' })}`,
];
for (const [index, contenu] of contents.entries())
  await createItem(site, discipline.id, { kind: 'quiz', numeroPage: index + 1, titre: `Série ${index}`, contenu });
const exam = await insertExam(site, {
  prepaId: prepa.id,
  titre: 'Concours blanc national de décembre',
  bareme: { juste: 1, faux: -0.25, sans: 0 },
  papers: [
    { titre: 'Géographie du Cameroun', discipline: 'Culture générale', contenu: contents[0] ?? '' },
    { titre: 'Institutions et administration territoriale', discipline: 'Droit public', contenu: contents[1] ?? '' },
    {
      titre: 'Dissertation',
      discipline: 'Français',
      kind: 'pastExam',
      contenu: '<p>Commentez.</p>',
      corrige: '<h2>Plan (12 points)</h2><p>Deux parties.</p><h2>Langue (8 points)</h2><p>Soignée.</p>',
    },
  ],
});
const people: TestLearner[] = [];
let copied: Record<string, Given> = {};
for (let place = 0; place < 40; place += 1) {
  const learner = await createLearner(site);
  people.push(learner);
  const answers: Record<string, Given> = {};
  for (const id of ids)
    if (random() < 0.9) answers[id] = { choices: [`${id.slice(0, 10)}c${random() < place / 40 ? 0 : 1 + Math.floor(random() * 3)}`] };
  answers.resultnumber = { typed: random() < place / 40 ? '10' : '8' };
  // The first two hand in the same copy from one network.
  if (place === 0) copied = answers;
  await sit(site, exam, learner.id, place === 1 ? copied : answers, { network: place < 2 ? 'f'.repeat(16) : randomUUID().slice(0, 16) });
}
const [weak, middle, strong] = [people[3], people[22], people[39]] as [TestLearner, TestLearner, TestLearner];
await createEnrolment(site, middle, prepa, 10);
const em = () => site.kernel.fork();
await markExam(em(), site.kernel.context, exam.id);
await publishResults(em(), site.kernel.context, terminal, exam.id);
const administrator = await createAdministrator(site);
const result = `/user/concours-blancs/${exam.id}/resultat`;

look('result of a candidate', { as: middle }, at(result));
look('list of pseudonyms without anybody', { as: middle }, at(`/user/concours-blancs/${exam.id}/classement`));

for (const width of [360, 1280])
  t.test(`a candidate reads the result, adds the errors to the revision, and chooses a pseudonym at ${width} px`, async (t) => {
    const page = await site.page(t, { width });
    const learner = width === 360 ? middle : strong;
    await presentSession(page, site, learner);
    await page.goto(result);
    await page.getByText(/^\d+(er|e) sur 40/).waitFor();
    await stepScreenshot(page, `exam-result-${width}`);
    if (width === 360) {
      await page.getByRole('button', { name: /^Ajouter mes erreurs à ma révision/ }).click();
      await page.getByRole('heading', { name: 'Mes erreurs' }).waitFor();
      await page.goto(result);
    }
    await page.getByLabel('Pseudonyme').fill(`Aigle ${width}`);
    await page.getByRole('button', { name: 'Paraître dans la liste' }).click();
    await page.getByText('Votre pseudonyme est dans la liste.').waitFor();
    await page.getByLabel('Plan').fill('9');
    await page.getByLabel('Langue').fill('4,5');
    await page.getByText('Votre note : 13,5 sur 20').waitFor();
    await page.getByRole('button', { name: 'Garder ma note' }).click();
    await page.getByText('Votre note est gardée.').waitFor();
    await page.getByRole('link', { name: 'Voir le classement' }).click();
    await page.getByText(`Aigle ${width} (vous)`).waitFor();
    await stepScreenshot(page, `exam-ranking-${width}`);
  });

t.test('a question is neutralised: its reason stands beside the new result', async (t) => {
  await correctQuestion(em(), site.kernel.context, terminal, {
    examId: exam.id,
    questionId: ids[2] as string,
    standing: 'neutralised',
    reason: 'Deux réponses sont défendables depuis le décret de 2019.',
  });
  for (const width of [360, 1280]) {
    const page = await site.page(t, { width });
    await presentSession(page, site, weak);
    await page.goto(result);
    await page.getByRole('link', { name: /^La question 3 a été neutralisée : Deux réponses/ }).click();
    t.equal(await page.locator(`#q-${ids[2]}`).evaluate((element) => element.getBoundingClientRect().top < window.innerHeight), true);
    await stepScreenshot(page, `exam-neutralised-${width}`);
  }
});
look('result with a neutralised question', { as: weak }, at(result));
look('list of pseudonyms', { as: middle }, at(`/user/concours-blancs/${exam.id}/classement`));

for (const path of ['analyse', 'liste', 'similitudes'])
  look(`administration: ${path}`, {}, async (page) => {
    await presentAdministrator(page, site, administrator);
    return page.goto(`/admin/concours-blancs/${exam.id}/${path}`);
  });
