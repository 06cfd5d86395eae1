import t from 'tap';
import { relativeTime } from './relative-time.ts';

t.test('formats the time since an instant in minutes, hours and days of Africa/Douala', async (t) => {
  // 15:00 in Douala, which is one hour ahead of UTC.
  const now = new Date('2026-11-21T14:00:00Z');
  const cases: [string, string][] = [
    ['2026-11-21T14:00:00Z', "À l'instant"],
    ['2026-11-21T13:59:00.001Z', "À l'instant"],
    ['2026-11-21T13:59:00Z', 'Il y a 1 min'],
    ['2026-11-21T13:00:00.001Z', 'Il y a 59 min'],
    ['2026-11-21T13:00:00Z', 'Il y a 1 h'],
    // Midnight in Douala is 23:00 UTC.
    ['2026-11-20T23:00:00Z', 'Il y a 15 h'],
    ['2026-11-20T22:59:59Z', 'Hier'],
    ['2026-11-19T23:00:00Z', 'Hier'],
    ['2026-11-19T22:59:59Z', 'Il y a 2 jours'],
    ['2026-10-21T14:00:00Z', 'Il y a 31 jours'],
    ['2025-11-21T14:00:00Z', 'Il y a 365 jours'],
    ['2026-11-22T14:00:00Z', "À l'instant"],
  ];
  for (const [then, said] of cases) t.equal(relativeTime(new Date(then), now), said, then);
});

t.test('a time before midnight is shown in minutes for an hour, then as yesterday', async (t) => {
  const late = new Date('2026-11-20T22:40:00Z');
  t.equal(relativeTime(late, new Date('2026-11-20T23:20:00Z')), 'Il y a 40 min');
  t.equal(relativeTime(late, new Date('2026-11-20T23:50:00Z')), 'Hier');
});
