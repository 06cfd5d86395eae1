import { planOf, play } from './support/exam-phones/scenario.ts';
import { seeded } from './support/random.ts';

const from = Number(process.argv[2] ?? 1),
  to = Number(process.argv[3] ?? from + 300);
let bad = 0;
const t0 = Date.now();
for (let seed = from; seed < to; seed++) {
  process.env.V && console.log(seed);
  const r = await play(planOf(seed), seeded(seed + 1));
  if (r.wrong.length) {
    bad++;
    if (bad < 9) console.log(seed, r.wrong.join('\n   '));
  }
}
console.log('bad', bad, Date.now() - t0);
