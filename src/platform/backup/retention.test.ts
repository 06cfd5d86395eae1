import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { dayMs } from '../../shared/dates.ts';
import { applyRetention, backupName, superfluous } from './retention.ts';

const media = { media: true, encrypted: true };
const rowsOnly = { media: false, encrypted: false };
const start = Date.parse('2026-01-01T02:00:00Z');
const daily = (days: number) => Array.from({ length: days }, (_, day) => backupName(new Date(start + day * dayMs), media));

t.test('keeps the right backups out of a year of nightly ones', async (t) => {
  const names = daily(365);
  const removed = new Set(superfluous(names, { hourly: 48, daily: 7, weekly: 4, monthly: 6 }));
  t.same(
    names.filter((name) => !removed.has(name)).map((name) => name.slice(6, 16)),
    // The last nights of six months and of four weeks (which end on Sundays), and the last seven nights; some coincide.
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

t.test('applying retention every night keeps the same backups as applying it once', async (t) => {
  const keep = { hourly: 2, daily: 3, weekly: 2, monthly: 2 };
  let left: string[] = [];
  for (const name of daily(100)) {
    left.push(name);
    const removed = superfluous(left, keep);
    t.notOk(removed.includes(name), 'the newest backup is never removed');
    left = left.filter((other) => !removed.includes(other));
  }
  const atOnce = superfluous(daily(100), keep);
  t.same(
    left,
    daily(100).filter((name) => !atOnce.includes(name)),
  );
});

t.test('keeps the last backup of a day and the only one of each kind', async (t) => {
  const at = (hour: number, kind: typeof media) => backupName(new Date(start + hour * 3_600_000), kind);
  const keep = { hourly: 0, daily: 1, weekly: 0, monthly: 0 };
  t.same(superfluous([at(0, rowsOnly), at(1, rowsOnly), at(2, rowsOnly)], keep), [at(0, rowsOnly), at(1, rowsOnly)]);
  t.same(superfluous([at(0, media), at(1, rowsOnly), at(26, rowsOnly)], keep), [at(1, rowsOnly)], 'the only backup with files is kept');
  t.same(superfluous([at(0, media)], { hourly: 0, daily: 0, weekly: 0, monthly: 0 }), []);
});

t.test('keeps one backup for each of the last 48 hours', async (t) => {
  const hour = 3_600_000;
  const hourly = Array.from({ length: 24 * 5 + 11 }, (_, hours) => backupName(new Date(start + 7 * 60_000 + hours * hour), rowsOnly));
  const nightly = Array.from({ length: 6 }, (_, night) => backupName(new Date(start + 33 * 60_000 + night * dayMs), media));
  const keep = { hourly: 48, daily: 7, weekly: 4, monthly: 6 };
  const removed = new Set(superfluous([...hourly, ...nightly], keep));
  t.match(hourly.at(-3), '2026-01-06T100700Z');
  const left = hourly.filter((name) => !removed.has(name));
  t.same(left.slice(-48), hourly.slice(-48));
  t.same(
    left.slice(0, -48).map((name) => name.slice(6, 19)),
    ['2026-01-01T23', '2026-01-02T23', '2026-01-03T23'],
    'only the last backup of earlier days is kept',
  );
  t.same(
    nightly.filter((name) => removed.has(name)),
    [],
    'hours are counted separately for backups with files',
  );
  const twice = backupName(new Date(start + 10 * hour), rowsOnly);
  const again = backupName(new Date(start + 10 * hour + 60_000), rowsOnly);
  t.same(superfluous([twice, again, hourly[20] ?? ''], keep), [twice], 'only the last backup of an hour is kept');
});

t.test('deletes interrupted backups after a day and leaves other files alone', async (t) => {
  const now = new Date('2026-03-01T02:00:00Z');
  const [old, recent] = [backupName(new Date(start), media), backupName(now, media)];
  const abandoned = `${backupName(new Date(start + dayMs), media)}.part`;
  const underWay = `${backupName(now, rowsOnly)}.part`;
  const others = ['prepa.sql', 'prepa-hier.tar', 'notes.part'];
  const folder = t.testdir({});
  for (const name of [old, recent, abandoned, underWay, ...others]) writeFileSync(join(folder, name), '');
  utimesSync(join(folder, abandoned), now, new Date(now.getTime() - 2 * dayMs));
  utimesSync(join(folder, underWay), now, now);
  t.same((await applyRetention(folder, { hourly: 0, daily: 1, weekly: 0, monthly: 0 }, now)).sort(), [old, abandoned].sort());
  t.same(readdirSync(folder).sort(), [recent, underWay, ...others].sort());
});
