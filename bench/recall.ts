import { families } from './recall/learners.ts';
import { policies } from './recall/policies.ts';
import { simulate } from './recall/simulate.ts';

const learners = Number(process.env.LEARNERS ?? 20);
const mean = (a: number[]) => a.reduce((x, y) => x + y, 0) / a.length;
const pols = policies.filter((p) => !process.env.POL || process.env.POL.split(',').includes(p.name));
for (const [name, family] of Object.entries(families))
  for (const days of (process.env.DAYS ?? '14,30,60').split(',').map(Number))
    for (const minutes of (process.env.MIN ?? '15,30').split(',').map(Number)) {
      let base: number[] = [];
      const out = pols.map((policy) => {
        const t0 = performance.now();
        const v = Array.from({ length: learners }, (_, s) => simulate({ family, questions: 300, days, minutes }, policy, s + 1).known);
        if (policy.name === 'fixed 90 %') base = v;
        return `${policy.name} ${(100 * mean(v)).toFixed(1)} (${(100 * (mean(v) / mean(base) - 1)).toFixed(1)}%, ${((performance.now() - t0) / learners / days).toFixed(2)}ms)`;
      });
      console.log(`${name} ${days}d ${minutes}m: ${out.join(' | ')}`);
    }
