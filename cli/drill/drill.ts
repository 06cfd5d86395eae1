import { createHash, randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { damaged } from '../../src/platform/backup/backup-errors.ts';
import type { BackupSubject } from '../../src/platform/backup/backup-subject.ts';
import type { Manifest } from '../../src/platform/backup/manifest.ts';
import type { BackupSource } from '../../src/platform/backup/read-backup.ts';
import { restoreBackup } from '../../src/platform/backup/restore-backup.ts';
import { connect } from '../../src/platform/backup/snapshot.ts';
import { copyOut, rowsIn } from '../../src/platform/backup/tables.ts';
import { folderStores } from '../../src/platform/files/open-stores.ts';
import { CliError } from '../failure.ts';
import { readPages } from './drill-pages.ts';
import { startDrillServer } from './drill-server.ts';

export interface Drill {
  snapshot: string;
  tables: number;
  rows: number;
  files: number;
  totals: Manifest['totals'];
  /** Addresses of the restored site whose pages matched the restored rows. */
  pages: string[];
  /** Age of the snapshot in seconds: the data that would be lost if the site were lost now. */
  rpoSeconds: number;
  /** Seconds from the first byte read until the restored server is ready, without the comparison of rows. */
  rtoSeconds: number;
}

/**
 * Restores a backup into a temporary database and folder, compares every row, starts the server on it and reads pages. Then deletes them.
 * @throws AppError, CliError when the restored site differs from the backup
 */
export async function drill(
  source: BackupSource,
  { subject, url, dataDir }: { subject: BackupSubject; url: string; dataDir: string },
): Promise<Drill> {
  const began = performance.now();
  const startedAt = Date.now();
  const id = randomBytes(6).toString('hex');
  const name = `prepa_essai_${id}`;
  const restored = Object.assign(new URL(url), { pathname: `/${name}` }).href;
  const folder = join(dataDir, `.essai-${id}`);
  await onServer(url, `create database ${name}`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    let comparing = 0;
    const inspect = async (client: pg.Client, manifest: Manifest) => {
      const from = performance.now();
      await compareRows(client, manifest);
      comparing = performance.now() - from;
    };
    const manifest = await restoreBackup(source, subject, { url: restored, stores: folderStores(folder), inspect });
    const server = await startDrillServer({ databaseUrl: restored, dataDir: folder });
    try {
      const rtoMs = performance.now() - began - comparing;
      const pages = await readPages(server.origin, restored, manifest);
      return {
        snapshot: manifest.snapshot,
        tables: manifest.tables.length,
        rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
        files: manifest.parts.filter((part) => !part.name.startsWith('tables')).length,
        totals: manifest.totals,
        pages,
        rpoSeconds: Math.round((startedAt - Date.parse(manifest.snapshot)) / 100) / 10,
        rtoSeconds: Math.round(rtoMs / 100) / 10,
      };
    } finally {
      await server.stop();
    }
  } finally {
    await onServer(url, `drop database if exists ${name} with (force)`);
    await rm(folder, { recursive: true, force: true });
  }
}

/** Compares the restored tables with the manifest: COPY must write the same rows in the same order again. */
async function compareRows(client: pg.Client, { tables }: Manifest): Promise<void> {
  for (const table of tables) {
    const hash = createHash('sha256');
    let rows = 0;
    for await (const lines of copyOut(client, table)) {
      hash.update(lines);
      rows += rowsIn(lines);
    }
    if (rows !== table.rows || hash.digest('hex') !== table.sha256) throw damaged(`${table.name} n'est pas restaurée comme elle était`);
  }
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = await connect(url);
  try {
    await client.query(statement);
  } catch (error) {
    if ((error as { code?: string }).code !== '42501') throw error;
    throw new CliError(
      "Ce rôle ne peut pas créer de base de données pour l'essai : donnez-lui CREATEDB, ou faites l'essai sur un autre serveur avec « prepa restore --verify ».",
    );
  } finally {
    await client.end();
  }
}
