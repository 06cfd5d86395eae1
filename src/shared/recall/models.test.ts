import t from 'tap';
import { FSRSAlgorithm } from 'ts-fsrs';
import { memoryModels } from './models.ts';

t.test('the model of FSRS as published does what ts-fsrs does', async (t) => {
  const fsrs = new FSRSAlgorithm({});
  const model = memoryModels.find(({ name }) => name === 'power 1 0.1542') as (typeof memoryModels)[0];
  for (const stability of [0.05, 0.3, 2, 15, 120])
    for (const difficulty of [1.5, 5, 9.5])
      for (const days of [1, 4, 30]) {
        const recall = model.recall(days, stability);
        t.ok(Math.abs(recall - fsrs.forgetting_curve(days, stability)) < 1e-6, `recall after ${days} days`);
        for (const right of [true, false]) {
          const expected = fsrs.next_state({ stability, difficulty }, days, right ? 3 : 1).stability;
          const found = model.next(stability, difficulty, recall, right);
          t.ok(
            Math.abs(found / expected - 1) < 1e-4,
            `${right ? 'right' : 'wrong'} at ${stability}, ${difficulty}, ${days}: ${found}, not ${expected}`,
          );
        }
      }
});

t.test('in every model recall falls with time, a right answer strengthens and a wrong one does not', async (t) => {
  for (const model of memoryModels) {
    const strength = model.strengthOf({ stability: 3, difficulty: 5, right: 1, wrong: 1 });
    const recalls = [0, 1, 10, 80].map((days) => model.recall(days, strength));
    t.same(
      recalls,
      recalls.toSorted((one, other) => other - one),
      model.name,
    );
    t.ok(recalls.every((recall) => recall >= 0 && recall <= 1));
    const recall = model.recall(3, strength);
    t.ok(model.next(strength, 5, recall, true) > strength && model.next(strength, 5, recall, false) <= strength, model.name);
  }
});
