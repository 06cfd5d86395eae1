import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { dayMs } from '../../shared/dates.ts';

const hourMs = 3_600_000;

/** Of how many days, weeks and months the last backup is kept. */
export interface Keep {
  /** Hours back from the newest one, of each of which the last is kept as well. */
  hourly: number;
  daily: number;
  weekly: number;
  monthly: number;
}

/** `prepa-2026-11-22T101500Z.media.tar.age`: when the snapshot was taken, what is in it, how it is read. */
const fileName = /^prepa-(\d{4}-\d{2}-\d{2})T(\d{2})(\d{2})(\d{2})Z(\.media)?\.tar(\.age)?$/;
/** Of a backup under way, or of one that was broken off. */
export const partSuffix = '.part';
/** What nobody has finished for so long, nobody will; in ms. */
const abandonedAfter = dayMs;

export const backupName = (at: Date, { media, encrypted }: { media: boolean; encrypted: boolean }): string =>
  `prepa-${at.toISOString().replaceAll(/\.\d+|:/g, '')}${media ? '.media' : ''}.tar${encrypted ? '.age' : ''}`;

/** What their names say of backups: when, whether with pictures and documents, whether encrypted. What is called otherwise is not ours. */
export const backupsAmong = (names: readonly string[]): { name: string; at: Date; media: boolean; encrypted: boolean }[] =>
  names.flatMap((name) => {
    const [, day, hours, minutes, seconds, media, encrypted] = fileName.exec(name) ?? [];
    const at = new Date(`${day}T${hours}:${minutes}:${seconds}Z`);
    return day ? [{ name, at, media: media !== undefined, encrypted: encrypted !== undefined }] : [];
  });

/**
 * Which of these backups are needed no more. Those with files and those without are counted apart: neither replaces the other. The last of each is always
 * kept, and what is called otherwise is not ours.
 */
export function superfluous(names: readonly string[], keep: Keep): string[] {
  const ours = backupsAmong(names);
  const kept = new Set<string>();
  for (const media of [true, false]) {
    const newestFirst = ours.filter((backup) => backup.media === media).sort((a, b) => b.at.getTime() - a.at.getTime());
    const [newest] = newestFirst;
    const recent = newest ? newestFirst.filter(({ at }) => newest.at.getTime() - at.getTime() < keep.hourly * hourMs) : [];
    const hours = new Set<string>();
    for (const { name, at } of recent) {
      const hour = at.toISOString().slice(0, 13);
      if (!hours.has(hour)) kept.add(name);
      hours.add(hour);
    }
    const periods: [number, (at: Date) => string][] = [
      [Math.max(keep.daily, 1), (at) => at.toISOString().slice(0, 10)],
      [keep.weekly, (at) => String(Math.floor((at.getTime() / dayMs + 3) / 7))],
      [keep.monthly, (at) => at.toISOString().slice(0, 7)],
    ];
    for (const [count, periodOf] of periods) {
      const seen = new Set<string>();
      for (const { name, at } of newestFirst) {
        if (seen.has(periodOf(at))) continue;
        if (seen.size === count) break;
        seen.add(periodOf(at));
        kept.add(name);
      }
    }
  }
  return ours.filter(({ name }) => !kept.has(name)).map(({ name }) => name);
}

/** Removes what is superfluous in a folder, and what was broken off long ago. Answers the names. */
export async function applyRetention(folder: string, keep: Keep, now: Date): Promise<string[]> {
  const names = await readdir(folder);
  const removed = superfluous(names, keep);
  for (const name of names.filter((other) => other.endsWith(partSuffix) && fileName.test(other.slice(0, -partSuffix.length)))) {
    const changed = await stat(join(folder, name)).catch(() => null);
    if (changed && now.getTime() - changed.mtimeMs > abandonedAfter) removed.push(name);
  }
  await Promise.all(removed.map((name) => rm(join(folder, name), { force: true })));
  return removed;
}
