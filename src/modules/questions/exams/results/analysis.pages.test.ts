import { randomUUID } from 'node:crypto';
import { parseHTML } from 'linkedom';
import t from 'tap';
import { asWritten, createTestApp, squeeze, visit } from '../../../../../test/support/app.ts';
import { createAdministrator, createLearner } from '../../../../../test/support/factories.ts';
import { insertBatches, insertExam, insertSitting, sit } from '../../../../../test/support/marked-exams.ts';
import { assertValidHtml } from '../../../../../test/support/page-checks.ts';
import { readCsv } from '../../../../../test/support/question-figures.ts';
import { choiceQuestion, numberQuestion } from '../../../../../test/support/questions.ts';
import { seeded } from '../../../../../test/support/random.ts';
import { sql } from '../../../../../test/support/sql.ts';
import type { Given } from '../../../../shared/questions/grade.ts';
import { actorOf } from '../../../identity/index.ts';
import { correctQuestion } from '../marking/correction.service.ts';
import { markExam } from '../marking/marking.service.ts';

const home = await createTestApp(t);
const { app, kernel, databaseUrl } = home;
const administrator = await createAdministrator(home);
const actor = actorOf(administrator);
const { context } = kernel;
const em = () => kernel.fork();

async function read(url: string) {
  const { body, statusCode } = await visit(app, url, administrator.session);
  if (statusCode === 200) await assertValidHtml(t, body);
  const { document } = parseHTML(asWritten(body));
  const texts = (selector: string, within: Element | Document = document) =>
    [...within.querySelectorAll(selector)].map((element) => squeeze(element.textContent).replaceAll(/[\u00a0\u202f]/g, ' '));
  return { document, statusCode, texts, main: texts('main')[0] ?? '' };
}

const ids = Array.from({ length: 8 }, (_, index) => `analyse0000${index}`);
const choicesOf = () => ['a', 'b', 'c'].map((id, index) => ({ id, text: `choix ${id}`, right: index === 0 }));
const number = 'analysenum01';

t.test('facility, discrimination, choices and KR-20 equal the textbook formulas on the same data', async (t) => {
  const random = seeded(43);
  const exam = await insertExam(home, {
    titre: 'Grand concours',
    papers: [
      {
        contenu: ids.map((id) => choiceQuestion({ id, statement: `${id} ?`, choices: choicesOf() })).join('') + numberQuestion(number, '7'),
      },
    ],
  });
  const people = await Promise.all(Array.from({ length: 40 }, () => createLearner(home)));
  // x[candidate][question]: right or not; the first question is answered worse by the stronger candidates.
  const x: { user: string; right: number[]; picks: (string | null)[]; typed: string | null }[] = [];
  for (const [place, { id: user }] of people.entries()) {
    const ability = (place + 1) / 41;
    const picks = ids.map((_, index) => {
      const chance = index === 0 ? 1 - ability : ability;
      return random() < chance ? 'a' : random() < 0.2 ? null : random() < 0.7 ? 'b' : 'c';
    });
    const typed = random() < 0.3 ? null : random() < ability ? '7' : random() < 0.5 ? '8' : '9';
    const answers: Record<string, Given> = Object.fromEntries(
      picks.flatMap((pick, index) => (pick ? [[ids[index] as string, { choices: [pick] }]] : [])),
    );
    if (typed) answers[number] = { typed };
    await sit(home, exam, user, answers);
    x.push({ user, right: [...picks.map((pick) => (pick === 'a' ? 1 : 0)), typed === '7' ? 1 : 0], picks, typed });
  }
  t.match(await read(`/admin/concours-blancs/${exam.id}/analyse`), { statusCode: 409 }, 'not before the marking');
  await markExam(em(), context, exam.id);

  const total = (row: { right: number[] }) => row.right.reduce((sum, one) => sum + one, 0);
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const sd = (values: number[]) => Math.sqrt(mean(values.map((value) => (value - mean(values)) ** 2)));
  const ordered = [...x].sort((one, other) => total(other) - total(one) || (one.user < other.user ? -1 : 1));
  const size = Math.round(0.27 * 40);
  const figures = [...ids, number].map((id, index) => {
    const [own, rest] = [x.map(({ right }) => right[index] ?? 0), x.map((row) => total(row) - (row.right[index] ?? 0))];
    const p = mean(own);
    // Point-biserial: difference of the means, in standard deviations.
    const meanOf = (value: number) => mean(rest.filter((_, at) => own[at] === value));
    const correlation = ((meanOf(1) - meanOf(0)) / sd(rest)) * Math.sqrt(p * (1 - p));
    const group = (rows: typeof x) => mean(rows.map(({ right }) => right[index] ?? 0));
    return { id, p, correlation, difference: group(ordered.slice(0, size)) - group(ordered.slice(-size)) };
  });
  const k = figures.length;
  const reliability = (k / (k - 1)) * (1 - figures.reduce((sum, { p }) => sum + p * (1 - p), 0) / sd(x.map(total)) ** 2);
  const two = (value: number) => value.toFixed(2).replace('-', '−').replace('.', ',');

  const page = await read(`/admin/concours-blancs/${exam.id}/analyse`);
  t.match(page.main, `KR-20 : ${two(reliability)}. Fidélité`);
  for (const { id, p, correlation, difference } of figures) {
    const item = page.document.querySelector(`#question-${id}`);
    t.ok(item);
    if (!item) continue;
    const share = `${String(Number((100 * p).toFixed(1))).replace('.', ',')} %`;
    t.same(page.texts('dd', item).slice(0, 3), [share, two(correlation), two(difference)], id);
    const index = ids.indexOf(id);
    if (index < 0) continue;
    const count = (pick: string | null) => x.filter(({ picks }) => picks[index] === pick).length;
    t.same(
      page.texts('.figures__count', item).map((text) => Number(text.split(' ')[0])),
      ['a', 'b', 'c', null].map(count),
      `${id}: choices`,
    );
  }
  t.ok((figures[0]?.correlation ?? 0) < 0, 'the first question is answered worse by the stronger');
  t.match(page.texts('.figures__question')[0], /^1\. analyse00000 \? Discrimination négative/);
  const wrong = x.filter(({ typed }) => typed === '8').length;
  t.match(page.texts(`#question-${number}`)[0], `« 8 » (${wrong})`);

  await correctQuestion(em(), context, actor, { examId: exam.id, questionId: ids[0] as string, standing: 'neutralised', reason: 'Fausse' });
  const without = await read(`/admin/concours-blancs/${exam.id}/analyse`);
  t.match(without.main, "La question 1, neutralisée ou donnée à tous, n'entre dans aucun de ces chiffres.");
  t.equal(without.document.querySelectorAll('.figures__question').length, 8);
});

t.test('the file and the printed list have every result by rank', async (t) => {
  const exam = await insertExam(home, {
    bareme: { juste: 1, faux: -0.25, sans: 0 },
    papers: [
      { titre: 'Un', contenu: choiceQuestion({ id: 'csvfirst0001', choices: choicesOf() }) },
      { titre: 'Deux', contenu: numberQuestion('csvsecond001', '7') },
    ],
  });
  const [ada, ben, cyr] = await Promise.all([createLearner(home), createLearner(home), createLearner(home)]);
  await sit(home, exam, ada.id, { csvfirst0001: { choices: ['b'] }, csvsecond001: { typed: '7' } });
  await sit(home, exam, ben.id, { csvfirst0001: { choices: ['a'] }, csvsecond001: { typed: '7,0' } });
  await sit(home, exam, cyr.id, {}, { handedInAt: null });
  await markExam(em(), context, exam.id);
  const answer = await visit(app, `/admin/concours-blancs/${exam.id}/resultats.csv`, administrator.session);
  t.match(answer.headers['content-disposition'], /^attachment; filename="Concours blanc, resultats\.csv"/);
  t.notMatch(answer.body, '@');
  t.match(readCsv(answer), [
    {
      Rang: '1',
      Candidat: ben.username,
      Points: '2',
      Un: '1',
      Deux: '1',
      Justes: '2',
      Fausses: '0',
      'Sans réponse': '0',
      'Remise faite': 'Par le candidat',
    },
    { Rang: '2', Candidat: ada.username, Points: '0,75', Un: '-0,25', Deux: '1', Justes: '1', Fausses: '1' },
    { Rang: '3', Candidat: cyr.username, Points: '0', 'Sans réponse': '2', 'Remise faite': 'Par le site' },
  ]);
  const begun = new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeStyle: 'medium', timeZone: 'Africa/Douala' }).format(exam.opensAt);
  t.match(readCsv(answer)[0], { Début: begun }, 'times that sort');
  const list = await read(`/admin/concours-blancs/${exam.id}/liste`);
  t.same(list.texts('tbody tr td').slice(0, 4), ['1', ben.username, '2', '2 / 0 / 0']);
  t.equal(list.document.querySelectorAll('tbody tr').length, 3);
  const later = await read(`/admin/concours-blancs/${exam.id}/liste?rang=1&apres=${ben.id}`);
  t.same(later.texts('tbody tr td')[1], ada.username);
});

t.test('the median time of each question goes from the answer before to the first answer to it', async (t) => {
  const [one, two] = ['timefirst001', 'timesecond01'];
  const exam = await insertExam(home, {
    papers: [{ contenu: [one, two].map((id) => choiceQuestion({ id, choices: choicesOf() })).join('') }],
  });
  const at = (seconds: number) => exam.opensAt.getTime() + 1000 * seconds;
  const answer = (q: string, seconds: number) => ({ q, g: { choices: ['a'] }, t: at(seconds) });
  // The last one composed page by page, where all answers have one time.
  const copies = [
    [answer(one, 30), answer(two, 50)],
    [answer(one, 75), answer(two, 85), answer(one, 1000)],
    [answer(two, 35), answer(one, 125)],
    [answer(one, 900), answer(two, 900)],
  ];
  for (const answers of copies) {
    const { id } = await createLearner(home);
    await insertSitting(home, exam, id);
    await insertBatches(home, exam, id, [{ device: randomUUID(), number: 1, sentAt: at(1200), receivedAt: at(1200), answers }]);
  }
  await markExam(em(), context, exam.id);
  const page = await read(`/admin/concours-blancs/${exam.id}/analyse`);
  t.match(page.texts(`#question-${one}`)[0], /Temps médian1 min 15 s/);
  t.match(page.texts(`#question-${two}`)[0], /Temps médian20 s/);
});

t.test('pairs of one network with the same wrong answers are listed, others are not', async (t) => {
  const exam = await insertExam(home, { papers: [{ contenu: ids.map((id) => choiceQuestion({ id, choices: choicesOf() })).join('') }] });
  const people = await Promise.all(Array.from({ length: 6 }, () => createLearner(home)));
  const answers = (picks: string): Record<string, Given> =>
    Object.fromEntries([...picks].map((pick, index) => [ids[index] as string, { choices: [pick] }]));
  const networks = ['home', 'home', 'home', 'other', 'large', 'large'];
  const copies = ['bcbcbaaa', 'bcbcbaaa', 'aaaaabbb', 'bcbcbaaa', 'bcbcbaaa', 'bcbcbaaa'];
  for (const [index, { id }] of people.entries())
    await sit(home, exam, id, answers(copies[index] ?? ''), { network: networks[index] ?? '' });
  const crowd = await Promise.all(Array.from({ length: 30 }, () => createLearner(home)));
  for (const { id } of crowd) await sit(home, exam, id, answers('aaaaaaaa'), { network: 'large' });
  await markExam(em(), context, exam.id);
  const page = await read(`/admin/concours-blancs/${exam.id}/similitudes`);
  t.same(
    page.texts('.record__title').map((names) => names.split(' et ').sort()),
    [[people[0]?.username, people[1]?.username].sort()],
  );
  t.match(page.texts('.entry')[0], '5 mêmes réponses fausses, sur 5 et 5.');
  t.match(page.main, 'Cette liste ne prouve rien');
  t.match(page.main, '(1 ici)');
  await sql(databaseUrl, 'delete from exam_batch where exam_id = $1', [exam.id]);
  t.match((await read(`/admin/concours-blancs/${exam.id}/similitudes`)).main, 'ont été effacés');
});
