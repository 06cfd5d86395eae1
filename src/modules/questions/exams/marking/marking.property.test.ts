import t from 'tap';
import { createTestApp } from '../../../../../test/support/app.ts';
import { createLearner } from '../../../../../test/support/factories.ts';
import { isLongForm } from '../../../../../test/support/long-form.ts';
import { insertBatches, insertExam, insertSitting, resultsOf, type TestBatch } from '../../../../../test/support/marked-exams.ts';
import { choiceQuestion, numberQuestion, textQuestion } from '../../../../../test/support/questions.ts';
import { seeded, seedOfRun } from '../../../../../test/support/random.ts';
import { sql } from '../../../../../test/support/sql.ts';
import { newestAnswers } from '../../../../shared/exams/answer-batch.ts';
import { type QuestionStanding, questionStandings } from '../../../../shared/exams/exam-words.ts';
import { type Given, isRight } from '../../../../shared/questions/grade.ts';
import { scoreOf } from '../../../../shared/questions/series.ts';
import { markExam } from './marking.service.ts';

const home = await createTestApp(t);
const { kernel, databaseUrl } = home;
const minute = 60_000;
const seed = seedOfRun();
const random = seeded(seed);
const upTo = (most: number) => Math.floor(random() * most);
const oneFrom = <Value>(values: readonly Value[]): Value => values[upTo(values.length)] as Value;

const choices = (right: number[]) => ['a', 'b', 'c', 'd'].map((id, index) => ({ id, text: id, right: right.includes(index) }));
const paper = () => [
  choiceQuestion({ id: 'qone00000001', choices: choices([0]) }) + numberQuestion('qnumber00001', '3,5', { tolerance: '2 %', unit: 'm' }),
  choiceQuestion({ id: 'qmore0000001', choices: choices([0, 2]), several: true, points: 2.5 }) +
    textQuestion('qtext0000001', ['Yaoundé', 'Ongola']) +
    choiceQuestion({ id: 'qone00000002', choices: choices([1]), points: 3 }),
];
const guesses: Record<string, Given[]> = {
  qone00000001: [{ choices: ['a'] }, { choices: ['b'] }],
  qone00000002: [{ choices: ['b'] }, { choices: ['a'] }, { choices: ['d'] }],
  qmore0000001: [{ choices: ['a', 'c'] }, { choices: ['c', 'a'] }, { choices: ['a'] }, { choices: ['a', 'b', 'c'] }],
  qnumber00001: [{ typed: '3.52 M' }, { typed: '7/2' }, { typed: '4' }, { typed: 'trois' }],
  qtext0000001: [{ typed: ' yaounde' }, { typed: 'ONGOLA' }, { typed: 'Douala' }],
  unknown00001: [{ choices: ['a'] }],
};
const devices = ['11111111-1111-4111-8111-111111111111', 'ee111111-1111-4111-8111-111111111111', 'ffffffff-ffff-4fff-8fff-ffffffffffff'];

/** Batches of one candidate: several devices, wrong clocks, late arrivals, answers taken back, equal times. */
function randomBatches(opening: number): TestBatch[] {
  const wrong = devices.map(() => (random() < 0.3 ? (upTo(40) - 20) * minute : random() < 0.5 ? 0 : upTo(200) - 100));
  return Array.from({ length: upTo(9) }, (_, number) => {
    const device = upTo(devices.length);
    const arrival = opening + upTo(9) * 10 * minute + (random() < 0.2 ? upTo(60) * minute + upTo(3) : 0);
    const sentAt = arrival + (wrong[device] ?? 0);
    return {
      device: devices[device] as string,
      number: number + 1,
      sentAt,
      receivedAt: arrival,
      answers: Array.from({ length: upTo(6) }, () => {
        const q = oneFrom(Object.keys(guesses));
        return {
          q,
          g: random() < 0.15 ? null : oneFrom(guesses[q] ?? []),
          t: sentAt - upTo(12) * minute + (random() < 0.1 ? 5 * minute : 0),
        };
      }),
    };
  });
}

t.test('random batches: answers are those of newestAnswers, points those of scoreOf, ranks those of plain SQL', async (t) => {
  t.comment(`SEED=${seed}`);
  const people = await Promise.all(Array.from({ length: 25 }, () => createLearner(home)));
  for (let turn = 0; turn < (isLongForm ? 60 : 6); turn += 1) {
    const bareme = oneFrom([
      { juste: 1, faux: 0, sans: 0 },
      { juste: 2, faux: -0.25, sans: 0 },
      { juste: 4, faux: -1, sans: 0.5 },
    ]);
    const grace = oneFrom([0, 30]);
    const exam = await insertExam(home, { papers: paper().map((contenu) => ({ contenu })), bareme, grace });
    const standings = new Map<string, QuestionStanding>(
      exam.questions.map(({ id }) => [id, random() < 0.6 ? 'counted' : oneFrom(questionStandings)]),
    );
    for (const [id, standing] of standings)
      await sql(databaseUrl, 'update exam_question set standing = $3 where exam_id = $1 and question_id = $2', [exam.id, id, standing]);
    const opening = exam.opensAt.getTime();
    const expected = new Map<string, Map<string, Given>>();
    for (const { id: user } of people) {
      const [startedAt, handedInAt] = [upTo(20), random() < 0.3 ? null : 20 + upTo(70)];
      const endsAt = startedAt + 60;
      const late = random() < 0.5 ? null : oneFrom(['waiting', 'accepted', 'refused'] as const);
      // A copy that waits or is refused may have been accepted before.
      const lateUntil = late === 'accepted' || (late !== null && random() < 0.5) ? endsAt + upTo(120) : null;
      const batches = randomBatches(opening);
      await insertSitting(home, exam, user, { startedAt, endsAt, handedInAt, late, lateUntil });
      await insertBatches(home, exam, user, batches);
      const taken = batches
        .filter(({ receivedAt }) => receivedAt <= opening + Math.max(endsAt + grace, lateUntil ?? 0) * minute)
        .map((batch) => ({ ...batch, answers: batch.answers.map(({ q, g, t: at }) => ({ question: q, given: g, at })) }));
      const newest = newestAnswers(taken, opening + startedAt * minute, opening + Math.min(endsAt, handedInAt ?? endsAt) * minute);
      newest.delete('unknown00001');
      expected.set(user, newest);
    }

    t.same(await markExam(kernel.fork(), kernel.context, exam.id), { candidates: people.length });

    const results = await resultsOf(home, exam.id);
    for (const [user, answers] of expected) {
      const result = results.get(user);
      t.same(result?.answers, Object.fromEntries(answers), `SEED=${seed}, turn ${turn}: answers`);
      const outcomes = exam.questions.flatMap(({ id, key, points, paperId }) => {
        const standing = standings.get(id);
        if (standing === 'neutralised') return [];
        const given = answers.get(id);
        const outcome = standing === 'given' || (given && isRight(key, given)) ? 'right' : given ? 'wrong' : 'none';
        return [{ outcome, points, paperId } as const];
      });
      const { points, counts } = scoreOf(outcomes, bareme);
      const byPaper = Object.fromEntries(
        exam.papers.flatMap((id) => {
          const own = outcomes.filter(({ paperId }) => paperId === id);
          return own.length > 0 ? [[id, scoreOf(own, bareme).points]] : [];
        }),
      );
      t.match(result, { points, rights: counts.right, wrongs: counts.wrong, blanks: counts.none }, `SEED=${seed}, turn ${turn}: points`);
      t.same(result?.byPaper, byPaper, `SEED=${seed}, turn ${turn}: papers`);
    }
    const ranks = await sql<{ wrong: number; ties: number }>(
      databaseUrl,
      `select count(*) filter (where rank <> better + 1)::int as wrong, count(*)::int - count(distinct rank)::int as ties
       from (select r.rank, (select count(*) from exam_result o where o.exam_id = $1 and o.points > r.points) as better from exam_result r where r.exam_id = $1) s`,
      [exam.id],
    );
    t.equal(ranks[0]?.wrong, 0, `SEED=${seed}, turn ${turn}: ranks`);
    t.ok((ranks[0]?.ties ?? 0) > 0, 'some have equal points');
    if (!t.passing()) return;
  }
});
