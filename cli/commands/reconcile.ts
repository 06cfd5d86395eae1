import { Command } from 'commander';
import type { Kernel } from '../../src/kernel.ts';
import { createAlerts, type ReconcileCounts, reconcilePayments, watchPayments } from '../../src/modules/payment/index.ts';
import { endWithin } from '../../src/platform/work/hard-end.ts';
import { answer } from '../output.ts';
import { parseLimit } from '../parsers.ts';
import { withKernel } from '../with-kernel.ts';
import { counted, passed } from './payment-texts.ts';

interface Options {
  all?: boolean;
  watch?: boolean;
  limit: number;
}

/** Runs once, for cron, or with `--watch` as a long-running process. */
export function reconcileCommand(): Command {
  return new Command('reconcile')
    .description(
      'demande au prestataire ce que sont devenus les paiements à vérifier et ceux des 10 dernières minutes, et ouvre les accès payés',
    )
    .option('--all', 'tous les paiements suivis, même ceux dont la prochaine vérification est plus tard')
    .option('--limit <n>', 'paiements vérifiés au plus', parseLimit, 200)
    .option('--watch', "recommence toutes les RECONCILE_EVERY_SECONDS secondes, jusqu'à son arrêt")
    .action((options: Options, command: Command) =>
      withKernel((kernel) => (options.watch ? watch(kernel, command) : once(kernel, command, options)), { brief: true }),
    );
}

async function once(kernel: Kernel, command: Command, { all = false, limit }: Options): Promise<void> {
  const onProgress = process.stderr.isTTY ? ({ checked }: ReconcileCounts) => process.stderr.write(`\r${checked} vérifié(s)`) : undefined;
  const counts = await reconcilePayments(kernel.fork(), kernel.context, kernel.providers, {
    limit,
    all,
    fresh: true,
    ...(onProgress ? { onProgress } : {}),
  });
  if (onProgress && counts.checked > 0) process.stderr.write('\n');
  await createAlerts().look(kernel.fork(), kernel.context);
  // If no payment could be verified, the exit code tells the caller.
  if (counts.unanswered > 0 && counts.unanswered === counts.checked) process.exitCode = 1;
  answer(command, counts, counted(counts));
}

/** Runs until SIGINT or SIGTERM, then finishes the current pass if it ends within `shutdownTimeoutMs`. */
async function watch({ config, clock, context, log, providers, fork }: Kernel, command: Command): Promise<void> {
  const stop = new AbortController();
  const end = () => {
    endWithin(config.shutdownTimeoutMs, log);
    stop.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);
  const json = Boolean(command.optsWithGlobals().json);
  const onPass = (counts: ReconcileCounts) => {
    const at = clock.now();
    // A service's log already has the payments: print a pass only for a program, for a terminal or if payments were checked.
    if (json) console.log(JSON.stringify({ at, ...counts }));
    else if (process.stdout.isTTY || counts.checked > 0) console.log(passed(at, counts));
  };
  try {
    await watchPayments(fork, context, providers, { everyMs: config.reconcile.everySeconds * 1000, signal: stop.signal, onPass });
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, end);
  }
}
