import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Command } from 'commander';
import { backupSubject } from '../../src/backup.ts';
import { grantToNamedRoles } from '../../src/database-roles.ts';
import { writeWhole } from '../../src/platform/backup/backup-file.ts';
import { readIdentity } from '../../src/platform/backup/encryption.ts';
import type { Manifest } from '../../src/platform/backup/manifest.ts';
import type { BackupSource } from '../../src/platform/backup/read-backup.ts';
import { restoreBackup } from '../../src/platform/backup/restore-backup.ts';
import { applyRetention, backupName } from '../../src/platform/backup/retention.ts';
import { openSnapshot } from '../../src/platform/backup/snapshot.ts';
import { missingFiles } from '../../src/platform/backup/stored-files.ts';
import { writeBackup } from '../../src/platform/backup/write-backup.ts';
import { connected } from '../../src/platform/database/connections/connected.ts';
import { openDatabaseServer } from '../../src/platform/database/database-server.ts';
import { openFileStores } from '../../src/platform/files/open-stores.ts';
import { recordRunOn } from '../../src/platform/observability/task-runs.ts';
import { openDataFolder } from '../../src/platform/settings/data-folder.ts';
import { drill } from '../drill/drill.ts';
import { describeBackup, describeDrill } from '../drill/drill-texts.ts';
import { CliError, usageError } from '../failure.ts';
import { type Answer, answer } from '../output.ts';
import { loadCommandConfig } from '../settings.ts';

interface BackupOptions {
  media?: true;
  verify?: true;
  identity?: string;
}

export const backupCommand = (): Command =>
  new Command('backup')
    .description('sauvegarde la base de données, et avec --media les images et les documents')
    .argument('<dossier>', 'où la sauvegarde est rangée ; « - » : la sortie standard')
    .option('--media', 'avec les images et les documents')
    .option('--verify', "la restaure aussitôt à part, y démarre le serveur et compare ; rien d'autre n'est touché")
    .option('--identity <fichier>', 'la clé privée age, pour vérifier ce qui est chiffré (BACKUP_RECIPIENT)')
    .action(async (folder: string, options: BackupOptions, command: Command) => {
      const config = loadCommandConfig();
      const { recipients, keep } = config.backup;
      const toStdout = folder === '-';
      if (toStdout && options.verify) throw usageError('--verify demande un dossier.');
      if (toStdout && process.stdout.isTTY)
        throw usageError('La sortie standard est un terminal : dirigez-la vers un fichier ou un programme.');
      if (options.verify && recipients.length > 0 && !options.identity)
        throw usageError('Une sauvegarde chiffrée se vérifie avec sa clé privée : --identity FICHIER.');
      if (!toStdout && (await stat(folder).catch(() => null))?.isDirectory() === false)
        throw usageError(`${folder} est un fichier : donnez le dossier où ranger la sauvegarde.`);
      const identity = options.identity && (await readIdentity(options.identity));
      const subject = backupSubject();
      const stores = openFileStores(config);
      await onDatabase('commands', async (url, ownerUrl) => {
        const snapshot = await openSnapshot(url);
        const write = (sink: NodeJS.WritableStream) =>
          writeBackup(snapshot, subject, sink as never, { stores, media: options.media ?? false, recipients });
        try {
          if (toStdout) {
            const manifest = await write(process.stdout).catch(explainWriting);
            await recordBackup(url, options);
            // Standard output carries the backup itself.
            console.error(describeBackup(manifest, { file: null, bytes: null, removed: [] }));
            return;
          }
          const name = backupName(snapshot.at, { media: options.media ?? false, encrypted: recipients.length > 0 });
          const [file, manifest] = await writeWhole(folder, name, write).catch(explainWriting);
          await snapshot.close();
          await recordBackup(url, options);
          const removed = await applyRetention(folder, keep, new Date());
          const { size: bytes } = await stat(file);
          const said: Answer = [{ file, bytes, removed, ...figuresOf(manifest) }, describeBackup(manifest, { file, bytes, removed })];
          if (!options.verify) return answer(command, ...said);
          const found = await drill({ open: () => createReadStream(file), identity }, { subject, url: ownerUrl, dataDir: config.dataDir });
          answer(command, { ...(said[0] as object), drill: found }, `${said[1]}\n${describeDrill(found)}`);
        } finally {
          await snapshot.close();
        }
      });
    });

/** Records the time of the backup for the metrics and `doctor`, which may not see the folder. A backup with files counts for both tasks. */
const recordBackup = (url: string, { media }: BackupOptions): Promise<void> =>
  connected(url, async (client) => {
    const at = new Date();
    await recordRunOn(client, 'backup', at);
    if (media) await recordRunOn(client, 'backup-media', at);
  });

interface RestoreOptions {
  identity?: string;
  overwrite?: true;
  verify?: true;
}

export const restoreCommand = (): Command =>
  new Command('restore')
    .description('restaure une sauvegarde dans une base de données vide et un dossier vide (DATABASE_URL, DATA_DIR)')
    .argument('<fichier>', "la sauvegarde ; « - » : l'entrée standard")
    .option('--identity <fichier>', "la clé privée age d'une sauvegarde chiffrée")
    .option('--overwrite', 'remplace la base de données ; les fichiers déjà là restent')
    .option('--verify', 'restaure à part, y démarre le serveur et compare ; la base et le dossier ne sont pas touchés')
    .action(async (path: string, options: RestoreOptions, command: Command) => {
      if (options.verify && options.overwrite) throw usageError('--verify ne remplace rien : sans --overwrite.');
      const config = loadCommandConfig();
      const { dataDir } = config;
      const stores = openFileStores(config);
      const identity = options.identity && (await readIdentity(options.identity));
      await openDataFolder(dataDir);
      await withSource(path, dataDir, identity, (source) =>
        onDatabase('migrations', async (url) => {
          const subject = backupSubject();
          if (options.verify) {
            const found = await drill(source, { subject, url, dataDir });
            return answer(command, found, describeDrill(found));
          }
          const began = performance.now();
          const manifest = await restoreBackup(source, subject, { url, stores, overwrite: options.overwrite ?? false });
          await grantToNamedRoles(config, url);
          const missing = await missingFiles(url, stores, subject);
          const seconds = Math.round((performance.now() - began) / 100) / 10;
          answer(
            command,
            { seconds, ...figuresOf(manifest), missing },
            [
              `Restauré en ${seconds} s.`,
              describeBackup(manifest, { file: null, bytes: null, removed: [] }),
              ...(missing.length > 0
                ? [
                    `${missing.length} fichier(s) nommés par la base manquent dans ${stores.place} : restaurez-les d'une sauvegarde faite avec --media.`,
                  ]
                : []),
            ].join('\n'),
          );
        }),
      );
    });

const figuresOf = ({ snapshot, tables, totals, parts, absent }: Manifest) => ({
  snapshot,
  rows: tables.reduce((sum, { rows }) => sum + rows, 0),
  files: parts.filter(({ name }) => !name.startsWith('tables')).length,
  totals,
  absent,
});

/** @param work gets the address for its work, and the owner's address for operations that only the owner may do */
async function onDatabase(role: 'commands' | 'migrations', work: (url: string, ownerUrl: string) => Promise<unknown>): Promise<void> {
  const config = loadCommandConfig();
  const database = await openDatabaseServer(config, role);
  try {
    await work(database.url, config.migrationsDatabaseUrl ?? config.databaseUrl ?? database.url);
  } finally {
    await database.close();
  }
}

/** Saves a backup from standard input to a file first, because it is read twice. */
async function withSource(
  path: string,
  dataDir: string,
  identity: string | undefined,
  work: (source: BackupSource) => Promise<void>,
): Promise<void> {
  if (path !== '-') {
    const found = await stat(path).catch(() => null);
    if (!found?.isFile()) throw new CliError(`Il n'y a pas de sauvegarde ${path}.`);
    return work({ open: () => createReadStream(path), identity });
  }
  const folder = await mkdtemp(join(dataDir, '.restore-'));
  try {
    const kept = join(folder, 'backup');
    await pipeline(process.stdin, createWriteStream(kept, { mode: 0o600 }));
    await work({ open: () => createReadStream(kept), identity });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function explainWriting(error: NodeJS.ErrnoException): never {
  if (error.code === 'ENOSPC') throw new CliError("Le disque est plein : la sauvegarde n'est pas faite, et les précédentes sont restées.");
  if (error.code === 'EPIPE') throw new CliError("Qui lisait la sauvegarde s'est arrêté : elle est incomplète.");
  if (error.code === 'EEXIST') throw new CliError('Une sauvegarde du même instant est en cours dans ce dossier.');
  if (['EACCES', 'EROFS', 'ENOTDIR'].includes(error.code ?? '')) throw new CliError(`Impossible d'écrire la sauvegarde : ${error.message}`);
  throw error;
}
