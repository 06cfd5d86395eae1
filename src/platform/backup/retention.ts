import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { dayMs } from '../../shared/dates.ts';

const hourMs = 3_600_000;

/** Number of periods of which the last backup is kept. */
export interface Keep {
  /** Hours back from the newest backup, of each of which the last one is kept as well. */
  hourly: number;
  daily: number;
  weekly: number;
  monthly: number;
}

/** `prepa-2026-11-22T101500Z.media.tar.age`: time of the snapshot, whether it contains files, and whether it is encrypted. */
const fileName = /^prepa-(\d{4}-\d{2}-\d{2})T(\d{2})(\d{2})(\d{2})Z(\.media)?\.tar(\.age)?$/;
/** Suffix of a backup that is being written, or was interrupted. */
export const partSuffix = '.part';
/** Age after which an unfinished backup counts as interrupted, in ms. */
const abandonedAfter = dayMs;

export const backupName = (at: Date, { media, encrypted }: { media: boolean; encrypted: boolean }): string =>
  `prepa-${at.toISOString().replaceAll(/\.\d+|:/g, '')}${media ? '.media' : ''}.tar${encrypted ? '.age' : ''}`;

/** Returns time, content and encryption of backups, from their names. Other files are ignored. */
export const backupsAmong = (names: readonly string[]): { name: string; at: Date; media: boolean; encrypted: boolean }[] =>
  names.flatMap((name) => {
    const [, day, hours, minutes, seconds, media, encrypted] = fileName.exec(name) ?? [];
    const at = new Date(`${day}T${hours}:${minutes}:${seconds}Z`);
    return day ? [{ name, at, media: media !== undefined, encrypted: encrypted !== undefined }] : [];
  });

/**
 * Returns the names of backups that are no longer needed. Backups with files and without files are counted separately, since neither
 * replaces the other. The newest of each is always kept. Other files are ignored.
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

/** Deletes superfluous and interrupted backups in a folder. Returns their names. */
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
