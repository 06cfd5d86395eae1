import t from 'tap';
import { editor } from '../support/authoring.ts';
import { createAdministrator, createDiscipline, createItem, createLearner } from '../support/factories.ts';
import { islandIs, presentAdministrator, shareSite } from '../support/journey.ts';
import { lookAt } from '../support/look.ts';
import { answersOf, choicesOf, oneOf } from '../support/question-figures.ts';
import { choiceQuestion, numberQuestion } from '../support/questions.ts';

// What administrators see of the answers to questions, and the way from there to a question in the editor.

const site = await shareSite(t);
const look = lookAt(t, site);
const administrator = await createAdministrator(site);
const people = await Promise.all(Array.from({ length: 8 }, () => createLearner(site)));
const { choseEach } = answersOf(site, people);
const discipline = await createDiscipline(site);
const formula = '<span class="formula" data-latex="\\frac{1}{2}"><math><mfrac><mn>1</mn><mn>2</mn></mfrac></math></span>';
const long = `Lequel de ces énoncés est vrai quand le réel vaut ${formula}, ${'et que rien ne change '.repeat(12)}?`;
const texts = [
  oneOf('lookwrong001', long),
  choiceQuestion({
    id: 'lookwide0001',
    statement: `${'Anticonstitutionnellement'.repeat(4)} ?`,
    choices: choicesOf('lookwide0001', [`${formula} ou ${formula}`, 'Anticonstitutionnellement'.repeat(4), 'non'], [0]),
  }),
  oneOf('lookfew00001', 'Peu ?'),
  numberQuestion('looknumber01', '3,5'),
  ...Array.from({ length: 25 }, (_, index) => numberQuestion(`lookmore00${10 + index}`, '1', { statement: `Question ${index}` })),
];
const item = await createItem(site, discipline.id, { titre: 'Suites', contenu: texts.map((text) => `<p>Lisez.</p>${text}`).join('') });
await choseEach('lookwrong001', [0, 1, 1, 1, 1, null, 2, 2]);
await choseEach('lookwide0001', [0, 1, 2, null, 0]);
await choseEach('lookfew00001', [0, 1]);
const address = `/admin/discipline/${discipline.id}/questions`;
const at =
  (path: string): Parameters<typeof look>[2] =>
  async (page) => {
    await presentAdministrator(page, site, administrator);
    return page.goto(path);
  };

look('answers to the questions of a discipline', {}, at(address));
look('no question to look at', {}, async (page, t) => {
  const { id } = await createDiscipline(site);
  await createItem(site, id, { contenu: oneOf('looknothing1', 'Rien ?') });
  await choseEach('looknothing1', [0, 0, 0, 1, 2]);
  return at(`/admin/discipline/${id}/questions?vue=a-regarder`)(page, t);
});
look('no answer yet', {}, async (page, t) => {
  const { id } = await createDiscipline(site);
  await createItem(site, id, { contenu: oneOf('looknobody01', 'Qui ?') });
  return at(`/admin/discipline/${id}/questions`)(page, t);
});

for (const width of [360, 1280])
  t.test(`from the discipline to its figures, and by keyboard to a question in the editor, at ${width} px`, async (t) => {
    const page = await site.page(t, { width });
    await presentAdministrator(page, site, administrator);
    await page.goto(`/admin/discipline/${discipline.id}`);
    await page.getByRole('link', { name: 'Réponses aux questions' }).click();
    await page.getByRole('link', { name: /^À regarder/ }).click();
    await page.getByRole('link', { name: 'Question 20' }).focus();
    await page.keyboard.press('Enter');
    await islandIs(page, 'admin-content', 'ready');
    t.match(page.url(), `/admin/discipline/${discipline.id}?type=course&item=${item.id}#q-lookmore0030`);
    const current = editor(page, 'Contenu').locator('.editor__question.editor__current');
    await current.waitFor();
    t.match(await current.locator('header').innerText(), 'Question 20');
    const box = await current.boundingBox();
    t.ok(box && box.y >= 0 && box.y < 740, `in view: ${box?.y}`);
  });
