import t from 'tap';
import { planOf, play } from './support/exam-phones/scenario.ts';
import { isLongForm } from './support/long-form.ts';
import { seeded } from './support/random.ts';

// A model of candidates' phones in mock exams, in virtual time: cuts, reloads, kills, sleeps, wrong and jumping clocks, two devices, refused and
// full storage, lost responses. `SEED=… EXAMS=1` repeats one exam.

const exams = Number(process.env.EXAMS ?? (isLongForm ? 10_000 : 200));
const first = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 30));

t.test(`${exams} exams: no kept answer is lost, none after the end counts (SEED=${first})`, async (t) => {
  const seen: Record<string, number> = {};
  const failed: string[] = [];
  for (let seed = first; seed < first + exams; seed += 1) {
    const { wrong, seen: own } = await play(planOf(seed), seeded(seed + 1));
    for (const [name, count] of Object.entries(own)) seen[name] = (seen[name] ?? 0) + count;
    if (wrong.length > 0) failed.push(`SEED=${seed}: ${wrong.join('; ')}`);
  }
  t.comment(JSON.stringify(seen));
  t.same(failed.slice(0, 5), [], `${failed.length} of ${exams}`);
  for (const what of ['cut', 'kill', 'close', 'hide', 'sleep', 'clock', 'handIn', 'kept']) t.ok((seen[what] ?? 0) > 0, what);
});
