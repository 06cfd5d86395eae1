import fc from 'fast-check';
import t from 'tap';
import { seeded } from '../../../test/support/random.ts';
import { dayMs } from '../dates.ts';
import { weighModels } from './evidence.ts';
import { foldMemory, type Memory } from './memory.ts';
import { memoryModels } from './models.ts';
import { planSession } from './plan.ts';
import type { MarkedExercise, Questions, SeenQuestion, UnseenQuestion } from './questions.ts';

const now = Date.UTC(2027, 0, 4, 17);

/** The memory of answers given so many days ago, the earliest first. */
const memoryOf = (answers: readonly (readonly [daysAgo: number, right: boolean])[]): Memory =>
  foldMemory(
    answers.map(([daysAgo, right], index) => ({ key: `${index}`, at: now - daysAgo * dayMs + index, right, seconds: null })),
    null,
  ) as Memory;
const seenOf = (id: string, answers: Parameters<typeof memoryOf>[0], discipline = 1): SeenQuestion => ({
  id,
  discipline,
  seconds: 30,
  memory: memoryOf(answers),
});
const unseenOf = (id: string, position: number, discipline = 1): UnseenQuestion => ({ id, discipline, position, seconds: 40 });
const many = <Item>(count: number, one: (index: number) => Item): Item[] => Array.from({ length: count }, (_, index) => one(index));

const anyQuestions = fc
  .array(
    fc.record({
      discipline: fc.integer({ min: 1, max: 3 }),
      seconds: fc.integer({ min: 5, max: 120 }),
      answers: fc.array(fc.tuple(fc.integer({ min: 0, max: 40 }), fc.boolean()), { maxLength: 4 }),
    }),
    { maxLength: 40 },
  )
  .map((all): Questions => {
    const questions: { seen: SeenQuestion[]; unseen: UnseenQuestion[] } = { seen: [], unseen: [] };
    all.forEach(({ discipline, seconds, answers }, index) => {
      const common = { id: `q${index}`, discipline, seconds };
      if (answers.length === 0) questions.unseen.push({ ...common, position: index % 5 });
      else questions.seen.push({ ...common, memory: memoryOf(answers.toSorted(([one], [other]) => other - one)) });
    });
    return questions;
  });
const anySession = fc.record({
  now: fc.constant(now),
  minutes: fc.constantFrom(1, 5, 15, 30, 60),
  daysLeft: fc.option(fc.integer({ min: 1, max: 120 })),
});

t.test('takes no more time than there is, and asks no question twice', async (t) => {
  fc.assert(
    fc.property(anyQuestions, anySession, (questions, session) => {
      const plan = planSession(questions, session);
      const ids = plan.map(({ id }) => id);
      return plan.reduce((sum, { seconds }) => sum + seconds, 0) <= session.minutes * 60 && new Set(ids).size === ids.length;
    }),
  );
  t.pass();
});

t.test('does not depend on the order in which questions are given', async (t) => {
  const shuffled = anyQuestions.chain((questions) =>
    fc.record({
      questions: fc.constant(questions),
      seen: fc.shuffledSubarray([...questions.seen], { minLength: questions.seen.length }),
      unseen: fc.shuffledSubarray([...questions.unseen], { minLength: questions.unseen.length }),
    }),
  );
  fc.assert(
    fc.property(shuffled, anySession, ({ questions, seen, unseen }, session) => {
      return JSON.stringify(planSession({ seen, unseen }, session)) === JSON.stringify(planSession(questions, session));
    }),
  );
  t.pass();
});

t.test('equal questions are chosen by their ids', async (t) => {
  const seen = many(30, (index) => seenOf(`q${index}`, [[5, true]]));
  for (const daysLeft of [12, null]) {
    const chosen = (given: SeenQuestion[]): string[] =>
      planSession({ seen: given, unseen: [] }, { now, minutes: 5, daysLeft }).map(({ id }) => id);
    t.same(chosen(seen.toReversed()), chosen(seen));
  }
});

t.test('a question answered today comes back only after a wrong answer, and last', async (t) => {
  const questions = {
    seen: [seenOf('right', [[0, true]]), seenOf('wrong', [[0, false]]), seenOf('before', [[3, true]])],
    unseen: [unseenOf('new', 1)],
  };
  for (const daysLeft of [20, 1, null]) {
    const plan = planSession(questions, { now, minutes: 15, daysLeft });
    t.same(
      plan.map(({ id }) => id).toSorted(),
      daysLeft === null || daysLeft > 1 || plan.length === 3 ? ['before', 'new', 'wrong'] : [],
      `${daysLeft} days left`,
    );
    t.equal(plan.at(-1)?.id, 'wrong');
    t.equal(plan.at(-1)?.reason, "Ratée aujourd'hui");
  }
});

t.test('gives each question a reason that a learner understands', async (t) => {
  const questions = {
    seen: [
      seenOf('failed', [[1, false]]),
      seenOf('failed before', [
        [9, true],
        [4, false],
      ]),
      seenOf('weak', [[6, true]]),
      seenOf('lost', [
        [60, false],
        [59, false],
        [58, false],
        [57, true],
      ]),
    ],
    unseen: [unseenOf('new', 1)],
  };
  const plan = planSession(questions, { now, minutes: 30, daysLeft: 10 });
  const reasons = Object.fromEntries(plan.map(({ id, reason }) => [id, reason]));
  t.same(reasons, {
    failed: 'Ratée hier',
    'failed before': 'Ratée il y a 4 jours',
    weak: 'Vue il y a 6 jours, bientôt oubliée',
    lost: 'Vue il y a 57 jours, sans doute oubliée',
    new: 'Nouvelle',
  });
});

t.test('on the eve repeats what still gains before anything new', async (t) => {
  const questions = {
    seen: [
      ...many(20, (index) => seenOf(`weak${index}`, [[12, false]])),
      ...many(5, (index) =>
        seenOf(`sure${index}`, [
          [40, true],
          [30, true],
          [2, true],
        ]),
      ),
    ],
    unseen: many(50, (index) => unseenOf(`new${index}`, index)),
  };
  const ids = planSession(questions, { now, minutes: 8, daysLeft: 1 }).map(({ id }) => id.replace(/\d+/, ''));
  t.equal(ids.length, 16);
  t.notOk(ids.includes('new'));
  t.ok(ids.filter((id) => id === 'weak').length >= 14, `${ids}`);
});

t.test('without a date asks what fell below 90 %, the weakest first, and then what is new', async (t) => {
  const questions = {
    seen: [
      ...many(10, (index) => seenOf(`due${index}`, [[20, false]])),
      ...many(10, (index) =>
        seenOf(`kept${index}`, [
          [30, true],
          [20, true],
          [1, true],
        ]),
      ),
    ],
    unseen: many(30, (index) => unseenOf(`new${index}`, index)),
  };
  const ids = planSession(questions, { now, minutes: 10, daysLeft: null }).map(({ id }) => id.replace(/\d+/, ''));
  t.same(
    [ids.filter((id) => id === 'due').length, ids.filter((id) => id === 'kept').length, ids.filter((id) => id === 'new').length],
    [10, 0, 7],
  );
});

t.test('mixes disciplines, and introduces each in its order', async (t) => {
  const unseen = many(40, (index) => unseenOf(`q${String(index).padStart(2, '0')}`, index, 1 + Math.floor(index / 20)));
  const plan = planSession({ seen: [], unseen }, { now, minutes: 8, daysLeft: 30 });
  t.same(
    plan.map(({ discipline }) => discipline),
    many(12, (index) => (index % 2) + 1),
  );
  const first = plan.filter(({ discipline }) => discipline === 1).map(({ id }) => id);
  t.same(first, ['q00', 'q01', 'q02', 'q03', 'q04', 'q05']);
});

t.test('mixes repetitions of several disciplines', async (t) => {
  // Those of the first discipline are weaker, and are chosen first.
  const seen = [...many(6, (index) => seenOf(`a${index}`, [[20, false]], 1)), ...many(6, (index) => seenOf(`b${index}`, [[9, true]], 2))];
  const plan = planSession({ seen, unseen: [] }, { now, minutes: 8, daysLeft: null });
  t.same(
    plan.map(({ discipline }) => discipline),
    many(12, (index) => (index % 2) + 1),
  );
});

t.test('a tenth of each session asks what was not asked for longest', async (t) => {
  const seen = many(60, (index) => seenOf(`q${String(index).padStart(2, '0')}`, [[index + 2, true]]));
  const plan = planSession({ seen, unseen: many(300, (index) => unseenOf(`new${index}`, index)) }, { now, minutes: 15, daysLeft: 6 });
  const oldest = ['q57', 'q58', 'q59'];
  t.same(
    plan
      .map(({ id }) => id)
      .filter((id) => oldest.includes(id))
      .toSorted(),
    oldest,
  );
});

/** A learner whose recall is known after a few weeks: a hundred questions asked on four days, and a hundred unseen. */
function learner(recall: (days: number) => number): Questions {
  const random = seeded(7);
  const answersOf = (): [number, boolean][] =>
    [20, 18, 14, 7].map((ago, index, all) => [ago, random() < (index === 0 ? 0.3 : recall((all[index - 1] as number) - ago))]);
  return { seen: many(100, (index) => seenOf(`s${index}`, answersOf())), unseen: many(100, (index) => unseenOf(`n${index}`, index)) };
}

t.test('a learner who forgets fast gets more repetitions and fewer new questions', async (t) => {
  const isNewShare = (questions: Questions): number => {
    const plan = planSession(questions, { now, minutes: 15, daysLeft: 20 });
    return plan.filter(({ isNew }) => isNew).length / plan.length;
  };
  const [fast, slow] = [isNewShare(learner((days) => 2 ** (-days / 2))), isNewShare(learner((days) => (1 + days) ** -0.1))];
  t.ok(fast < 0.2, `${fast} of the questions are new for who forgets fast`);
  t.ok(slow > 0.5, `${slow} for who forgets slowly`);
});

t.test('the work for 3,000 questions is bounded', async (t) => {
  const random = seeded(3);
  const seen = many(2_700, (index) =>
    seenOf(
      `s${index}`,
      many(1 + Math.floor(random() * 4), () => [1 + Math.floor(random() * 40), random() < 0.75] as [number, boolean]).toSorted(
        ([one], [other]) => other - one,
      ),
    ),
  );
  const questions = { seen, unseen: many(300, (index) => unseenOf(`n${index}`, index)) };
  planSession(questions, { now, minutes: 30, daysLeft: 40 });
  let steps = 0;
  const originals = memoryModels.map(({ next }) => next);
  memoryModels.forEach((model, index) => {
    model.next = (...values) => {
      steps += 1;
      return (originals[index] as typeof model.next)(...values);
    };
  });
  t.teardown(() => {
    for (const [index, model] of memoryModels.entries()) model.next = originals[index] as typeof model.next;
  });
  t.ok(planSession(questions, { now, minutes: 30, daysLeft: 40 }).length > 40);
  // Six for each question and likely model: asked today and on two later days, right and wrong. Price and tables take the rest.
  const likely = weighModels(seen.map(({ memory }) => memory)).length;
  t.ok(steps < 2_700 * 7 * likely, `${steps} steps of memory models`);
});

const exerciseOf = (item: number, answers: Parameters<typeof memoryOf>[0], seconds = 480): MarkedExercise => ({
  item,
  kind: 'exercise',
  discipline: 1,
  seconds,
  memory: memoryOf(answers),
});
const anyExercises = fc
  .array(
    fc.record({
      seconds: fc.integer({ min: 60, max: 4_000 }),
      answers: fc.array(fc.tuple(fc.integer({ min: 0, max: 40 }), fc.boolean()), { minLength: 1, maxLength: 3 }),
    }),
    { maxLength: 6 },
  )
  .map((all) =>
    all.map(({ seconds, answers }, index) =>
      exerciseOf(
        index + 1,
        answers.toSorted(([one], [other]) => other - one),
        seconds,
      ),
    ),
  );

t.test('has at most one exercise, within its minutes, whatever the order in which exercises are given', async (t) => {
  let withExercise = 0;
  fc.assert(
    fc.property(anyQuestions, anyExercises, anySession, (questions, exercises, session) => {
      const plan = planSession({ ...questions, exercises }, session);
      const planned = plan.filter(({ item }) => item !== undefined);
      withExercise += planned.length;
      return (
        planned.length <= (session.minutes < 15 ? 0 : 1) &&
        plan.reduce((sum, { seconds }) => sum + seconds, 0) <= session.minutes * 60 &&
        new Set(plan.map(({ id }) => id)).size === plan.length &&
        JSON.stringify(planSession({ ...questions, exercises: exercises.toReversed() }, session)) === JSON.stringify(plan)
      );
    }),
  );
  t.ok(withExercise > 5, `${withExercise} sessions with an exercise`);
});

t.test('an exercise takes the place of questions that gain less, and of no others', async (t) => {
  const known = many(60, (index) => seenOf(`known${index}`, [[2, true]]));
  const failed = many(60, (index) => seenOf(`failed${index}`, [[9, false]]));
  const exercises = [exerciseOf(7, [[5, false]])];
  for (const daysLeft of [20, null]) {
    const plan = planSession({ seen: known, unseen: [], exercises }, { now, minutes: 15, daysLeft });
    const last = plan.at(-1);
    t.match(last, { id: 'item-7', item: 7, seconds: 480, reason: 'Exercice à revoir depuis 5 jours' }, `${daysLeft} days left`);
  }
  const sure = exerciseOf(7, [
    [40, true],
    [30, true],
    [2, true],
  ]);
  for (const daysLeft of [20, null]) {
    const plan = planSession({ seen: failed, unseen: [], exercises: [sure] }, { now, minutes: 15, daysLeft });
    t.notOk(plan.some(({ item }) => item === 7));
  }
  for (const day of [1, 2])
    t.notOk(
      planSession({ seen: known, unseen: [], exercises: [exerciseOf(7, [[day, true]])] }, { now, minutes: 15, daysLeft: 20 }).some(
        ({ item }) => item === 7,
      ),
      `one that went well ${day} days ago`,
    );
  t.notOk(
    planSession({ seen: known, unseen: [], exercises: [exerciseOf(7, [[0, false]])] }, { now, minutes: 15, daysLeft: 20 }).some(
      ({ item }) => item === 7,
    ),
    'none that was marked today',
  );
});
