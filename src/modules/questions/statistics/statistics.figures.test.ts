import t from 'tap';
import { createTestApp, visit } from '../../../../test/support/app.ts';
import { createAdministrator, createDiscipline, createItem, createLearner } from '../../../../test/support/factories.ts';
import { answersOf, choiceId, chose, figuresReader, oneOf, readCsv } from '../../../../test/support/question-figures.ts';
import { numberQuestion } from '../../../../test/support/questions.ts';
import { seeded } from '../../../../test/support/random.ts';
import { sql } from '../../../../test/support/sql.ts';
import { finishSeries } from '../series/attempt.repository.ts';

const site = await createTestApp(t);
const { app, databaseUrl, clock, kernel } = site;
const { session } = await createAdministrator(site);
const people = await Promise.all(Array.from({ length: 30 }, () => createLearner(site)));
const shown = figuresReader(site, session);
const { answer, choseEach } = answersOf(site, people);

t.test('random answers: figures equal independent SQL over the answers, discrimination its definition', async (t) => {
  const random = seeded(39);
  const { id } = await createDiscipline(site);
  const ids = Array.from({ length: 8 }, (_, index) => `random00000${index}`.replace(/0000(\d)$/, '$10000'));
  const series = await createItem(site, id, { kind: 'quiz', titre: 'Série', contenu: ids.map((one) => oneOf(one, `${one} ?`)).join('') });
  const pick = (ability: number) => (random() < ability ? 0 : random() < 0.3 ? null : 1 + Math.floor(random() * 2));
  for (const [place, { id: userId }] of people.entries()) {
    // The stronger a learner, the more often wrong at the first question.
    const first = ids.map((one, index) => chose(one, pick(index === 0 ? 1 - place / 30 : place / 30)));
    // Some leave before the end, some answer again.
    await answer(userId, place % 7 === 3 ? first.slice(0, 5) : first);
    if (place % 4 === 0)
      await answer(
        userId,
        ids.slice(2, 4).map((one) => chose(one, pick(0.5))),
      );
    await finishSeries(kernel.fork(), userId, clock.now(), series.id);
  }
  // Erased learners count no more.
  await sql(databaseUrl, 'delete from app_user where id = any($1)', [[people[4]?.id, people[17]?.id]]);

  const raw = await sql<{ question: string; learner: string; right: boolean; given: string }>(
    databaseUrl,
    `select distinct on (user_id, question_id) question_id as question, user_id as learner, is_right as right,
            coalesce(given -> 'choices' ->> 0, 'skipped') as given
     from answer where question_id = any($1) order by user_id, question_id, answered_at`,
    [ids],
  );
  const whole = new Map(
    people.map(({ id: one }) => [one, raw.filter(({ learner }) => learner === one)] as const).filter(([, own]) => own.length === 8),
  );
  const expected = ids.map((one) => {
    const own = raw.filter(({ question }) => question === one);
    const pairs = [...whole.values()].map((rows) => {
      const right = rows.filter((row) => row.right).length;
      const x = rows.some((row) => row.question === one && row.right) ? 1 : 0;
      return { x, y: right - x };
    });
    const count = (given: string) => own.filter((row) => row.given === given).length;
    return {
      answered: own.length,
      right: own.filter((row) => row.right).length,
      chosen: [0, 1, 2].map((index) => count(choiceId(one, index))),
      skipped: count('skipped'),
      rated: pairs.length,
      correlation: pearson(pairs),
    };
  });
  t.ok((expected[0]?.correlation ?? 0) < -0.1, 'the first question is answered worse by the stronger learners');

  const rows = readCsv(await visit(app, `/admin/discipline/${id}/questions.csv`, session));
  t.same(
    rows.map((row) => ({
      answered: Number(row.Réponses),
      right: Number(row['Justes à la première réponse']),
      chosen: ['A', 'B', 'C'].map((letter) => Number(row[`Choix ${letter}`])),
      skipped: Number(row['Je ne sais pas']),
      correlation: row.Discrimination,
    })),
    expected.map(({ rated: _, correlation, ...figures }) => ({
      ...figures,
      correlation: String(Number(correlation.toFixed(2))).replace('.', ','),
    })),
  );
  const { questions } = await shown(t, id);
  const first = questions.find(({ statement }) => statement === `${ids[0]} ?`);
  t.match(first?.marks[0], /^Discrimination négative : /);
  t.equal(
    first?.sums.at(-1),
    `Discrimination${String((expected[0]?.correlation ?? 0).toFixed(2))
      .replace('-', '−')
      .replace('.', ',')} (${expected[0]?.rated} candidats)`,
  );
  t.equal(
    questions.filter(({ marks }) => marks.join().includes('négative')).length,
    expected.filter(({ correlation }) => Number(correlation.toFixed(2)) < 0).length,
  );
});

function pearson(pairs: readonly { x: number; y: number }[]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [mx, my] = [mean(pairs.map(({ x }) => x)), mean(pairs.map(({ y }) => y))];
  const products = (of: (pair: { x: number; y: number }) => number) => pairs.reduce((sum, pair) => sum + of(pair), 0);
  return products(({ x, y }) => (x - mx) * (y - my)) / Math.sqrt(products(({ x }) => (x - mx) ** 2) * products(({ y }) => (y - my) ** 2));
}

t.test('CSV: in the order of the texts, formulas as typed, cells that a spreadsheet would compute escaped', async (t) => {
  const { id } = await createDiscipline(site);
  const formula = '<span class="formula" data-latex="x &lt; 2"><math><mi>x</mi></math></span>';
  await createItem(site, id, { kind: 'quiz', titre: '=1+1', contenu: oneOf('filequestion', `Si ${formula} ?`) });
  await createItem(site, id, { titre: 'Une leçon', contenu: `${numberQuestion('filenumber01', '4', { statement: '@SUM(1)' })}` });
  await choseEach('filequestion', [0, 0, 1]);
  const answer = await visit(app, `/admin/discipline/${id}/questions.csv`, session);
  t.equal(answer.headers['content-type'], 'text/csv; charset=utf-8');
  t.match(answer.headers['content-disposition'], /^attachment; filename="Discipline \d+, reponses\.csv"/);
  t.ok(answer.rawPayload.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf])));
  const expected = [
    { Contenu: 'Leçon 1', Énoncé: "'@SUM(1)", Type: 'Nombre', Réponses: '0', 'À regarder': "Personne n'a encore répondu", 'Choix A': '' },
    {
      Contenu: 'Série 1',
      Titre: "'=1+1",
      Énoncé: 'Si $x < 2$ ?',
      'Justes (%)': '',
      'À regarder': 'Moins de 5 réponses',
      'Choix justes': 'A',
      'Choix A': '2',
      'Choix B': '1',
      'Choix C': '0',
      'Choix D': '',
      'Choix retirés': '0',
    },
  ];
  t.same(
    readCsv(answer).map((row, index) => Object.fromEntries(Object.keys(expected[index] ?? row).map((name) => [name, row[name]]))),
    expected,
  );
});
