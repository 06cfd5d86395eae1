import { readdir } from 'node:fs/promises';
import type { Kernel } from '../../src/kernel.ts';
import { backupsAmong } from '../../src/platform/backup/retention.ts';
import { dayMs, formatInstant } from '../../src/shared/dates.ts';
import { type Check, fault, good, notice, type Verdict } from './check.ts';

/** A day, and time for one that is late, in ms. */
const oldAfterMs = dayMs + 2 * 3_600_000;
/** A site that has taken payments for so long, in ms, is not new any more. */
const newForMs = 2 * dayMs;

const everyDay = 'lancez « prepa backup » chaque jour (minuterie systemd, cron ; docs/backups.md)';

/** The newest backup in the folder that the settings name. */
export const backups: Check = {
  name: 'Sauvegardes',
  inProduction: true,
  async look({ kernel }) {
    const { folder } = kernel.config.backup;
    const now = kernel.clock.now().getTime();
    if (folder === null)
      return notice('BACKUP_DIR ne dit pas où elles sont', 'réglez-y le dossier que la sauvegarde de chaque jour remplit');
    const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? [] : error));
    if (names instanceof Error)
      return fault(`${folder} est illisible (${names.code})`, 'donnez-en la lecture au compte qui lance cette commande');
    const found = backupsAmong(names).toSorted((a, b) => b.at.getTime() - a.at.getTime());
    const [newest] = found;
    if (!newest) return none(folder, await hasPaymentsFrom(kernel, new Date(now - newForMs)));
    const said = `la dernière date du ${formatInstant(newest.at)}`;
    if (now - newest.at.getTime() > oldAfterMs) return fault(said, everyDay);
    if (!found.some(({ media }) => media))
      return notice(`${said}, aucune n'a les images et les documents`, 'faites-en une par jour avec --media');
    if (!newest.encrypted) return notice(`${said} et n'est pas chiffrée`, 'réglez BACKUP_RECIPIENT (age-keygen ; docs/backups.md)');
    return good(said);
  },
};

const none = (folder: string, isOld: boolean): Verdict => {
  const detail = `aucune dans ${folder}`;
  return isOld ? fault(detail, everyDay) : notice(detail, everyDay);
};

async function hasPaymentsFrom({ orm }: Kernel, before: Date): Promise<boolean> {
  const [row] = await orm.em
    .getConnection()
    .execute<{ some: boolean }[]>('select exists (select from payment where created_at < ?) as some', [before]);
  return row?.some ?? false;
}
