import t, { type Test } from 'tap';
import { createTestApp } from './support/app.ts';
import { createCandidate } from './support/exam-phone.ts';
import { createPhone } from './support/exam-phones/phone.ts';
import { duree, type Played, planOf, play } from './support/exam-phones/scenario.ts';
import { memoryServer, minute } from './support/exam-phones/server.ts';
import { siteServer } from './support/exam-phones/site-server.ts';
import { createWorld } from './support/exam-phones/world.ts';
import { createOpenExam } from './support/exams.ts';
import { isLongForm } from './support/long-form.ts';
import { seeded, seedOfRun } from './support/random.ts';

// A model of candidates' phones in mock exams, in virtual time: cuts, reloads, kills, sleeps, wrong and jumping clocks, two devices, refused and
// full storage, lost responses. `SEED=… EXAMS=1` repeats one exam.

const exams = Number(process.env.EXAMS ?? (isLongForm ? 10_000 : 200));
const first = seedOfRun();

/** Plays exams, and fails the test with the seeds of those in which something is wrong. */
async function playAll(t: Test, count: number, playOne: (seed: number) => Promise<Played>): Promise<void> {
  const seen: Record<string, number> = {};
  const failed: string[] = [];
  for (let seed = first; seed < first + count; seed += 1) {
    const { wrong, seen: own } = await playOne(seed);
    for (const [name, times] of Object.entries(own)) seen[name] = (seen[name] ?? 0) + times;
    if (wrong.length > 0) failed.push(`SEED=${seed}: ${wrong.join('; ')}`);
  }
  t.comment(JSON.stringify(seen));
  t.same(failed.slice(0, 5), [], `${failed.length} of ${count} are wrong`);
  if (count >= 50)
    for (const what of ['cut', 'kill', 'close', 'hide', 'sleep', 'clock', 'handIn', 'kept']) t.ok((seen[what] ?? 0) > 0, what);
}

t.test(`${exams} exams: no kept answer is lost, none after the end counts (SEED=${first})`, (t) =>
  playAll(t, exams, (seed) => play(planOf(seed), seeded(seed + 1))),
);

// Seeds in which the model found a fault, of the product or of its own judgement, each with another one.
const found = [
  246, 309, 1208, 1858, 2072, 2970, 3053, 3590, 1_001_955, 1_003_551, 1_008_613, 572_669_787, 709_935_944, 709_936_752, 849_263_771,
  377_062_365, 377_063_853, 707_440_606,
];

t.test('the exams in which faults were found', async (t) => {
  for (const seed of found) t.same((await play(planOf(seed), seeded(seed + 1))).wrong, [], `SEED=${seed}`);
});

t.test('a change of the clock while a phone waits for the opening takes no time from its candidate, without network', async (t) => {
  const ouvre = Date.UTC(2027, 2, 6, 7);
  const times = { ouvre, ferme: ouvre + duree * minute, duree, maintenant: ouvre };
  const world = createWorld(ouvre - minute);
  const phone = createPhone(world, memoryServer(times), times, () => 0.5, { device: 0, fast: 0, storage: 'there' });
  await phone.open();
  await world.runUntil(ouvre - minute / 2);
  phone.cut();
  phone.setClock(8 * minute);
  await world.runUntil(ouvre);
  phone.close(true);
  await phone.open();
  phone.begin();
  await world.runUntil(ouvre + 5 * minute);
  phone.answer('q0', { choices: ['c0'] });
  t.equal(phone.given.length, 1);
  t.equal(phone.page()?.sitting.state().left, 5 * minute);
});

const onSite = Math.ceil(exams / 10);
t.test(`${onSite} exams against the site's own functions and PostgreSQL (SEED=${first})`, async (t) => {
  const home = await createTestApp(t);
  const exam = await createOpenExam(home, { opensIn: 1, openFor: 60, duree, questions: 8 });
  await playAll(t, onSite, async (seed) => {
    const { id } = await createCandidate(home, exam);
    return play(planOf(seed), seeded(seed + 1), () => siteServer(home.kernel.fork(), exam, id), exam.opensAt.getTime());
  });
});
