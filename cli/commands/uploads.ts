import { Option } from 'commander';
import { backupSubject } from '../../src/backup.ts';
import type { Kernel } from '../../src/kernel.ts';
import { namedFiles, pathOf } from '../../src/platform/backup/stored-files.ts';
import { moveFiles } from '../../src/platform/files/move-files.ts';
import { folderStores, remoteStores } from '../../src/platform/files/open-stores.ts';
import { formatBytes } from '../../src/shared/bytes.ts';
import { CliError, usageError } from '../failure.ts';
import { KernelCommand } from '../kernel-command.ts';

interface MoveOptions {
  to: 'folder' | 's3';
  dryRun?: boolean;
  removeSource?: boolean;
}

export function uploadsCommand(): KernelCommand {
  const uploads = new KernelCommand('uploads').description('images et documents');

  uploads
    .command('move')
    .description(
      "copie tous les fichiers du dossier vers le magasin S3, ou l'inverse, et relit chaque copie ; à côté du site en marche, et autant de fois qu'il faut",
    )
    .addOption(new Option('--to <lieu>', 'où ils doivent être').choices(['folder', 's3']).makeOptionMandatory())
    .option('--dry-run', 'compte et compare seulement')
    .option(
      '--remove-source',
      "retire de l'ancien lieu ce qui a été relu à l'identique dans le nouveau, une fois que le site y lit (UPLOADS)",
    )
    .answers(async (kernel, { to, dryRun = false, removeSource = false }: MoveOptions) => {
      const { config } = kernel;
      if (!config.uploads.s3)
        throw new CliError(
          'Les réglages ne nomment aucun magasin S3 : réglez S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID et S3_SECRET_ACCESS_KEY (UPLOADS peut rester tel quel).',
        );
      if (removeSource && config.uploads.kept !== to)
        throw usageError(`Le site lit encore dans l'ancien lieu : réglez UPLOADS=${to} et redémarrez les serveurs avant --remove-source.`);
      const [folder, store] = [folderStores(config.dataDir), remoteStores(config.uploads)];
      const [from, into] = to === 's3' ? [folder, store] : [store, folder];
      const { arrived, ...moved } = await moveFiles(from, into, {
        dryRun,
        removeSource,
        isLive: config.uploads.kept === to,
        ...(process.stderr.isTTY && { onProgress: (files: number) => process.stderr.write(`\r${files} fichier(s)`) }),
      });
      if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
      // The database is read again: an editor may have deleted a file during the move.
      const missing: string[] = [];
      for (const file of await named(kernel)) {
        const isThere =
          arrived.has(pathOf(file)) ||
          moved.damaged.includes(pathOf(file)) ||
          (await into[file.folder].has(file.name)) ||
          (dryRun && (await from[file.folder].has(file.name)));
        if (!isThere) missing.push(pathOf(file));
      }
      if (moved.damaged.length + moved.differing.length + missing.length > 0) process.exitCode = 1;
      return [
        { from: from.place, to: into.place, ...moved, missing, dryRun },
        [
          `De ${from.place} vers ${into.place} :`,
          `  ${moved.files} fichier(s), ${formatBytes(moved.bytes)}`,
          `  ${moved.copied} ${dryRun ? 'à copier' : 'copié(s) et relu(s)'}`,
          `  ${moved.alreadyThere} déjà là, à l'identique`,
          ...(moved.replaced > 0 ? [`  ${moved.replaced} ${dryRun ? 'à remplacer' : 'remplacé(s)'} : autre chose était là`] : []),
          ...(removeSource ? [`  ${moved.removed} retiré(s) de l'ancien lieu`] : []),
          ...moved.damaged.map((path) => `ABÎMÉ    ${path} : ce n'est plus le fichier que dit son nom ; laissé où il est`),
          ...moved.differing.map(
            (path) =>
              `DIFFÈRE  ${path} : le site en lit un autre dans le nouveau lieu ; les deux sont laissés : retirez celui qui est abîmé, puis relancez`,
          ),
          ...missing.map((path) => `MANQUE   ${path} : la base le nomme, et il n'est dans aucun des deux lieux`),
          ...(dryRun || config.uploads.kept === to
            ? []
            : [`Réglez maintenant UPLOADS=${to}, redémarrez les serveurs, puis relancez cette commande.`]),
        ].join('\n'),
      ];
    });
  return uploads;
}

const named = ({ fork }: Kernel) => {
  const em = fork();
  return namedFiles((query) => em.execute<{ name: string }[]>(query), backupSubject());
};
