import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { dayMs } from '../../shared/dates.ts';
import { applyRetention, backupName, superfluous } from './retention.ts';

const media = { media: true, encrypted: true };
const rowsOnly = { media: false, encrypted: false };
const start = Date.parse('2026-01-01T02:00:00Z');
const daily = (days: number) => Array.from({ length: days }, (_, day) => backupName(new Date(start + day * dayMs), media));

t.test('what is kept of a year of nights', async (t) => {
  const names = daily(365);
  const removed = new Set(superfluous(names, { daily: 7, weekly: 4, monthly: 6 }));
  t.same(
    names.filter((name) => !removed.has(name)).map((name) => name.slice(6, 16)),
    // The last nights of six months, of four weeks (they end on Sundays) and the last seven; some are the same.
    [
      '2026-07-31',
      '2026-08-31',
      '2026-09-30',
      '2026-10-31',
      '2026-11-30',
      '2026-12-13',
      '2026-12-20',
      '2026-12-25',
      '2026-12-26',
      '2026-12-27',
      '2026-12-28',
      '2026-12-29',
      '2026-12-30',
      '2026-12-31',
    ],
  );
});

t.test('night after night the same are left as at the end', async (t) => {
  const keep = { daily: 3, weekly: 2, monthly: 2 };
  let left: string[] = [];
  for (const name of daily(100)) {
    left.push(name);
    const removed = superfluous(left, keep);
    t.notOk(removed.includes(name), 'never the last one');
    left = left.filter((other) => !removed.includes(other));
  }
  const atOnce = superfluous(daily(100), keep);
  t.same(
    left,
    daily(100).filter((name) => !atOnce.includes(name)),
  );
});

t.test('of one day the last; never the only one, and neither kind for the other', async (t) => {
  const at = (hour: number, kind: typeof media) => backupName(new Date(start + hour * 3_600_000), kind);
  const keep = { daily: 1, weekly: 0, monthly: 0 };
  t.same(superfluous([at(0, rowsOnly), at(1, rowsOnly), at(2, rowsOnly)], keep), [at(0, rowsOnly), at(1, rowsOnly)]);
  t.same(
    superfluous([at(0, media), at(1, rowsOnly), at(26, rowsOnly)], keep),
    [at(1, rowsOnly)],
    'the one with files is the only one of its kind',
  );
  t.same(superfluous([at(0, media)], { daily: 0, weekly: 0, monthly: 0 }), []);
});

t.test('in a folder: what was broken off goes after a day, what is not ours stays', async (t) => {
  const now = new Date('2026-03-01T02:00:00Z');
  const [old, recent] = [backupName(new Date(start), media), backupName(now, media)];
  const abandoned = `${backupName(new Date(start + dayMs), media)}.part`;
  const underWay = `${backupName(now, rowsOnly)}.part`;
  const others = ['prepa.sql', 'prepa-hier.tar', 'notes.part'];
  const folder = t.testdir({});
  for (const name of [old, recent, abandoned, underWay, ...others]) writeFileSync(join(folder, name), '');
  utimesSync(join(folder, abandoned), now, new Date(now.getTime() - 2 * dayMs));
  utimesSync(join(folder, underWay), now, now);
  t.same((await applyRetention(folder, { daily: 1, weekly: 0, monthly: 0 }, now)).sort(), [old, abandoned].sort());
  t.same(readdirSync(folder).sort(), [recent, underWay, ...others].sort());
});
