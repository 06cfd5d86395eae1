import { stat, statfs } from 'node:fs/promises';
import type { Kernel } from '../../../src/kernel.ts';
import { type Check, fault, good, notice } from '../check.ts';

const mega = 1024 ** 2;
const giga = 1024 ** 3;
/** Free space, in bytes, below which the check fails: 5 % of the disk, but at least 256 MiB and at most 5 GiB. */
const fullBelow = (size: number) => Math.max(256 * mega, Math.min(0.05 * size, 5 * giga));
const tightBelow = (size: number) => Math.max(giga, Math.min(0.2 * size, 20 * giga));

/** Checks the disks of the uploaded files and, if it is on this machine, of the database. */
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
  /** Bytes available to an account other than root. */
  free: number;
  size: number;
}

async function standOf(folder: string): Promise<Stand | null> {
  const found = await statfs(folder).catch(() => null);
  return found && { folder, free: found.bavail * found.bsize, size: found.blocks * found.bsize };
}

/** Returns the free bytes of the database's disk; null if it is not on this machine. */
export async function databaseSpace(kernel: Kernel): Promise<number | null> {
  const folder = await databaseFolder(kernel);
  return folder === null ? null : ((await standOf(folder))?.free ?? null);
}

/** Returns null if the database is on another machine, or if the role may not read `data_directory`. */
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
