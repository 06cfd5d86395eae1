import t from 'tap';
import { sameName } from './same-name.ts';

t.test('a name can be typed as it is shown, whatever spaces and accents it has', async (t) => {
  for (const [typed, shown] of [
    ['ENAM cycle A', 'ENAM  cycle A'],
    ['ENAM cycle A', 'ENAM cycle\u00a0A'],
    [' Préparation ', 'Pre\u0301paration'],
    [`« L'été » "2026"`, `«\u202fL'été\u202f» "2026"`],
  ] as const)
    t.ok(sameName(typed, shown), shown);
  for (const typed of ['', 'enam cycle A', 'ENAMcycle A', 'ENAM cycle', 'ÉNAM cycle A']) t.notOk(sameName(typed, 'ENAM cycle A'), typed);
});
