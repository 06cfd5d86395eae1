import { readdir } from 'node:fs/promises';
import type { Kernel } from '../../../src/kernel.ts';
import { backupsAmong } from '../../../src/platform/backup/retention.ts';
import { lastRuns } from '../../../src/platform/observability/task-runs.ts';
import { dayMs, formatInstant } from '../../../src/shared/dates.ts';
import { type Check, fault, good, notice, type Verdict } from '../check.ts';

/** Maximum age of the newest backup, in ms: backups are hourly, and a run may be late. */
const oldAfterMs = 3 * 3_600_000;
/** Maximum age of the newest backup with files, in ms: these are made every night, and a run may be late. */
const filesOldAfterMs = 2 * dayMs + 2 * 3_600_000;
/** Time after its first payment during which a site counts as new and may lack backups, in ms. */
const newForMs = 2 * dayMs;

const everyHour = 'lancez « prepa backup » chaque heure (minuterie systemd, cron ; docs/backups.md)';
const everyNight = 'lancez « prepa backup --media » chaque nuit (minuterie systemd, cron ; docs/backups.md)';

/** Checks the newest backups in BACKUP_DIR. Without BACKUP_DIR, checks when the backup commands last ran. */
export const backups: Check = {
  name: 'Sauvegardes',
  inProduction: true,
  async look({ kernel }) {
    const { folder } = kernel.config.backup;
    const now = kernel.clock.now();
    if (folder === null) {
      const { backup, 'backup-media': withFiles } = await lastRuns(kernel.fork());
      const unknown = notice('BACKUP_DIR ne dit pas où elles sont', 'réglez-y le dossier que la sauvegarde de chaque heure remplit');
      return tooOld({ newest: backup, withFiles }, now) ?? unknown;
    }
    const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? [] : error));
    if (names instanceof Error)
      return fault(`${folder} est illisible (${names.code})`, 'donnez-en la lecture au compte qui lance cette commande');
    const found = backupsAmong(names).toSorted((a, b) => b.at.getTime() - a.at.getTime());
    const [newest] = found;
    if (!newest) return none(folder, await hasPaymentsFrom(kernel, new Date(now.getTime() - newForMs)));
    const withFiles = found.find(({ media }) => media);
    const late = tooOld({ newest: newest.at, withFiles: withFiles?.at }, now);
    if (late) return late;
    const said = saidOf(newest.at);
    if (!withFiles) return notice(`${said}, aucune n'a les images et les documents`, 'faites-en une par jour avec --media');
    if (!newest.encrypted) return notice(`${said} et n'est pas chiffrée`, 'réglez BACKUP_RECIPIENT (age-keygen ; docs/backups.md)');
    return good(said);
  },
};

const saidOf = (at: Date): string => `la dernière date du ${formatInstant(at)}`;

/** Returns a fault if the newest backup, or the newest backup with files, is too old; null otherwise, also without any backup. */
function tooOld(made: { newest: Date | undefined; withFiles: Date | undefined }, now: Date): Verdict | null {
  const isOlder = (at: Date | undefined, ms: number): at is Date => at !== undefined && now.getTime() - at.getTime() > ms;
  if (isOlder(made.newest, oldAfterMs)) return fault(saidOf(made.newest), everyHour);
  if (isOlder(made.withFiles, filesOldAfterMs))
    return fault(`la dernière avec les images et les documents date du ${formatInstant(made.withFiles)}`, everyNight);
  return null;
}

const none = (folder: string, isOld: boolean): Verdict => {
  const detail = `aucune dans ${folder}`;
  return isOld ? fault(detail, everyHour) : notice(detail, everyHour);
};

async function hasPaymentsFrom({ orm }: Kernel, before: Date): Promise<boolean> {
  const [row] = await orm.em
    .getConnection()
    .execute<{ some: boolean }[]>('select exists (select from payment where created_at < ?) as some', [before]);
  return row?.some ?? false;
}
