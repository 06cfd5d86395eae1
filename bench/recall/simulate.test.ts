import t from 'tap';
import { families } from './learners.ts';
import { ours, policies } from './policies.ts';
import { type Setting, simulate } from './simulate.ts';
import { Calibration, gainOver } from './summary.ts';

const fixed = policies.find(({ name }) => name === 'fixed 90 %') as (typeof policies)[0];
const settingOf = (family: string, days: number): Setting => ({
  family: families[family] as Setting['family'],
  questions: 100,
  days,
  minutes: 5,
});
const learners = 10;
const overFixed = (setting: Setting): number => {
  const [own, other] = [ours, fixed].map((policy) =>
    Array.from({ length: learners }, (_, seed) => simulate(setting, policy, seed).known),
  ) as [number[], number[]];
  return gainOver(own, other).gain;
};

t.test('our plan gives more than fixed 90 %, also to learners whose memory is of another kind', async (t) => {
  t.ok(overFixed(settingOf('FSRS', 20)) > 0.1);
  t.ok(overFixed(settingOf('ACT-R', 20)) > 0.1);
  t.ok(overFixed(settingOf('half-life', 30)) > 0);
  t.ok(overFixed(settingOf('memory chain', 30)) > 0);
});

t.test('the same seed gives the same learner and the same result', async (t) => {
  const setting = settingOf('ACT-R', 6);
  t.equal(simulate(setting, ours, 3).known, simulate(setting, ours, 3).known);
  t.not(simulate(setting, ours, 3).known, simulate(setting, ours, 4).known);
});

t.test('every memory forgets, and knows more after more practice', async (t) => {
  for (const [name, family] of Object.entries(families)) {
    const memory = family(() => 0.5, 1)();
    t.equal(memory.recall(0, 0), 0, `${name}: nothing is known before`);
    memory.practise(0, 0, false);
    const once = [1, 5, 25].map((day) => memory.recall(0, day)) as [number, number, number];
    t.ok(1 >= once[0] && once[0] > once[1] && once[1] > once[2] && once[2] >= 0, `${name}: ${once}`);
    memory.practise(0, 1, true);
    t.ok(memory.recall(0, 5) > once[1], name);
  }
});

t.test('forecasts of answers are off by less than a tenth, and better than always foretelling one half', async (t) => {
  for (const family of ['FSRS', 'half-life']) {
    const calibration = new Calibration();
    for (let seed = 0; seed < learners; seed += 1)
      for (const forecast of simulate(settingOf(family, 20), ours, seed, true).forecasts) calibration.add(forecast);
    const { deciles, brier } = calibration;
    const answers = deciles.reduce((sum, { count }) => sum + count, 0);
    const off = deciles.reduce((sum, { count, forecast, came }) => sum + count * Math.abs(forecast - came), 0) / answers;
    t.ok(brier < 0.25, `${family}: ${brier}`);
    t.ok(off < 0.1, `${family}: ${off}`);
  }
});

t.test('calibration counts tenths and the mean square', async (t) => {
  const calibration = new Calibration();
  for (const right of [true, true, false]) calibration.add({ chance: 0.75, right });
  calibration.add({ chance: 1, right: true });
  t.match(calibration.deciles, [
    { count: 3, forecast: 0.75, came: 2 / 3 },
    { count: 1, forecast: 1, came: 1 },
  ]);
  t.equal(calibration.brier, (2 * 0.0625 + 0.5625) / 4);
});
