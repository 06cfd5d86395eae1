import { stat, statfs } from 'node:fs/promises';
import type { Kernel } from '../../src/kernel.ts';
import { type Check, fault, good, notice } from './check.ts';

const mega = 1024 ** 2;
const giga = 1024 ** 3;
/** Below the greater of these nothing is left for an upload or a backup; of large disks no more is asked for. */
const fullBelow = (size: number) => Math.max(256 * mega, Math.min(0.05 * size, 5 * giga));
const tightBelow = (size: number) => Math.max(giga, Math.min(0.2 * size, 20 * giga));

/** The disks of uploaded files, and of the database where it is on this machine and says where. */
export const disk: Check = {
  name: 'Disque',
  async look({ kernel }) {
    const folders = [kernel.config.dataDir, await databaseFolder(kernel)].filter((folder) => folder !== null);
    const stands = await Promise.all(folders.map(standOf));
    const known = stands.filter((stand) => stand !== null);
    if (known.length === 0) return null;
    const said = (of: Stand[]) =>
      of.map(({ folder, free, size }) => `${folder} : ${inWords(free)} libres sur ${inWords(size)}`).join(' ; ');
    const remedy = 'faites de la place (anciennes sauvegardes, journaux) ou agrandissez-le';
    const full = known.filter(({ free, size }) => free < fullBelow(size));
    if (full.length > 0) return fault(`presque plein, ${said(full)}`, remedy);
    const tight = known.filter(({ free, size }) => free < tightBelow(size));
    return tight.length > 0 ? notice(`se remplit, ${said(tight)}`, remedy) : good(said(known));
  },
};

interface Stand {
  folder: string;
  /** In bytes, of what an ordinary account may take. */
  free: number;
  size: number;
}

async function standOf(folder: string): Promise<Stand | null> {
  const found = await statfs(folder).catch(() => null);
  return found && { folder, free: found.bavail * found.bsize, size: found.blocks * found.bsize };
}

/** Null on another machine, and where this role may not ask. */
async function databaseFolder({ config, orm }: Kernel): Promise<string | null> {
  const { databaseUrl } = config;
  if (databaseUrl && !/^(localhost|127\.0\.0\.1|\[::1\]|)$/.test(new URL(databaseUrl).hostname)) return null;
  const rows = await orm.em
    .getConnection()
    .execute<{ folder: string }[]>(
      "select current_setting('data_directory') as folder where pg_has_role(current_user, 'pg_read_all_settings', 'usage')",
    )
    .catch(() => []);
  const folder = rows[0]?.folder ?? '/var/lib/postgresql';
  return (await stat(folder).catch(() => null)) ? folder : null;
}

const inWords = (bytes: number): string => (bytes < giga ? `${Math.round(bytes / mega)} Mo` : `${Math.round(bytes / giga)} Go`);
