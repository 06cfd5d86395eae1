import t from 'tap';
import { seeded } from '../../../test/support/random.ts';
import { dayMs } from '../dates.ts';
import { evidenceOf, mixedRecall, rightWhenKnown, weighModels } from './evidence.ts';
import { firstTraces, foldMemory, type Memory } from './memory.ts';
import { memoryModels } from './models.ts';

const noon = Date.UTC(2027, 0, 4, 11);

/** Memories of a learner whose recall after some days is known: 60 questions, asked on days 0, 2, 6 and 14. */
function memoriesOf(recall: (days: number) => number, seed: number): Memory[] {
  const random = seeded(seed);
  return Array.from({ length: 60 }, (_, question) => {
    const days = [0, 2, 6, 14];
    const answers = days.map((day, index) => ({
      key: `${question} ${index}`,
      at: noon + day * dayMs,
      right: random() < (index === 0 ? 0.3 : rightWhenKnown(recall(day - (days[index - 1] as number)))),
      seconds: null,
    }));
    return foldMemory(answers, null) as Memory;
  });
}

const forgetsFast = (days: number): number => 2 ** -days;
const forgetsSlowly = (days: number): number => 0.97 ** days;
const weightOf = (memories: readonly Memory[], pattern: RegExp): number =>
  weighModels(memories).reduce((sum, { model, weight }) => sum + (pattern.test(model.name) ? weight : 0), 0);

t.test('before any answer FSRS as published weighs most, and all models are possible', async (t) => {
  const models = weighModels([]);
  t.ok(Math.abs(models.reduce((sum, { weight }) => sum + weight, 0) - 1) < 1e-9);
  const [heaviest] = models.toSorted((one, other) => other.weight - one.weight);
  t.equal(heaviest?.model.name, 'power 1 0.1542');
  t.ok(models.length > 10);
});

t.test("answers that contradict FSRS's curve take its weight away", async (t) => {
  for (const seed of [1, 2, 3]) {
    t.ok(weightOf(memoriesOf(forgetsFast, seed), /^power (1|3) /) < 0.05, 'a learner who forgets half each day');
    t.ok(weightOf(memoriesOf(forgetsSlowly, seed), /^half-life 0.7 /) < 0.05, 'a learner who forgets slowly');
  }
});

t.test('an answer after a day tells much less than one after eight', async (t) => {
  const fsrs = memoryModels.findIndex(({ name }) => name === 'power 1 0.1542');
  const [trace] = firstTraces;
  const [soon, later] = [1, 8, 30].map((days) => evidenceOf(trace, days, false)[fsrs] as number) as [number, number];
  t.ok(Math.abs(soon) < Math.abs(later) / 4, `${soon} and ${later}`);
  t.equal(Math.abs(evidenceOf(trace, 0, false)[fsrs] as number), 0, 'and a retry of the same day nothing');
});

t.test('forecasts follow what came true', async (t) => {
  const fast = memoriesOf(forgetsFast, 4);
  const slow = memoriesOf(forgetsSlowly, 4);
  const forecast = (memories: readonly Memory[]): number => {
    const models = weighModels(memories);
    return memories.reduce((sum, memory) => sum + mixedRecall(models, memory, 8), 0) / memories.length;
  };
  t.ok(forecast(fast) < 0.25, `${forecast(fast)} for recall of ${forgetsFast(8)}`);
  t.ok(forecast(slow) > 0.7, `${forecast(slow)} for recall of ${forgetsSlowly(8)}`);
});
