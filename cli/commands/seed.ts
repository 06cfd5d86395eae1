import { join } from 'node:path';
import { Command } from 'commander';
import { contentFolders } from '../../src/modules/content/index.ts';
import { projectRoot } from '../../src/platform/settings/project-root.ts';
import { CliError } from '../failure.ts';
import { answer } from '../output.ts';
import { withKernel } from '../with-kernel.ts';

export function seedCommand(): Command {
  return new Command('seed')
    .description('charge des préparations depuis un dossier de contenus (sans dossier : la démonstration)')
    .argument('[dossier]', 'dossier de contenus, voir docs/content-format.md')
    .action(async (folder: string | undefined, _options, command: Command) => {
      const { formatFault, loadSeed, readContentFolder } = await contentFolders();
      await withKernel(async (kernel) => {
        const read = await readContentFolder(folder ?? join(projectRoot, 'demo'), kernel.clock.now().getFullYear());
        if ('faults' in read) {
          if (command.optsWithGlobals().json) console.log(JSON.stringify({ faults: read.faults }, null, 2));
          const shown = command.optsWithGlobals().json ? [] : read.faults.map(formatFault);
          throw new CliError([...shown, `${read.faults.length} défaut(s) : rien n'a été chargé.`].join('\n'));
        }
        // Standard output carries only the report.
        for (const warning of read.warnings) console.error(`Attention : ${formatFault(warning)}`);
        const report = await loadSeed(kernel.fork(), kernel.context, read.plan, { store: kernel.context.files, progress: showProgress() });
        answer(
          command,
          report,
          `${report.prepas} préparation(s), ${report.disciplines} discipline(s), ${report.items} contenu(s) : ${report.changed} ajouté(s) ou modifié(s).`,
        );
      });
    });
}

/** Returns a function that prints a progress counter, or undefined if standard error is no terminal. */
function showProgress(): ((done: number, total: number) => void) | undefined {
  if (!process.stderr.isTTY) return undefined;
  return (done, total) => {
    process.stderr.write(`\r${done}/${total}${done === total ? '\n' : ''}`);
  };
}
