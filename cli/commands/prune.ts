import { recordRun } from '../../src/platform/observability/task-runs.ts';
import { prune } from '../../src/platform/pruning/pruning.ts';
import { KernelCommand } from '../kernel-command.ts';

export function pruneCommand(): KernelCommand {
  return new KernelCommand('prune')
    .description(
      'retire ce qui ne sert plus : sessions et liens terminés, compteurs, vieilles notifications, anciennes versions, fichiers que rien ne nomme (à lancer chaque jour)',
    )
    .option('--dry-run', 'compte seulement, ne retire rien')
    .answers(async (kernel, { dryRun = false }: { dryRun?: boolean }) => {
      const { prunings } = kernel;
      const progress = process.stderr.isTTY
        ? { onProgress: (label: string, removed: number) => process.stderr.write(`\r\u001b[K${removed} ${label}`) }
        : {};
      const counts = await prune(kernel.fork(), kernel.context, prunings, { retention: kernel.config.retention, dryRun, ...progress });
      if (!dryRun) await recordRun(kernel.fork(), 'prune', kernel.clock.now());
      if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
      const lines = prunings.map(({ name, label }) => `  ${counts[name]} ${label}`);
      return [{ ...counts, dryRun }, [dryRun ? 'À retirer :' : 'Retiré :', ...lines].join('\n')];
    });
}
