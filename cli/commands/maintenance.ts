import { beginMaintenance, endMaintenance, readMaintenance } from '../../src/platform/maintenance/maintenance-state.ts';
import { formatInstant } from '../../src/shared/dates.ts';
import { usageError } from '../failure.ts';
import { KernelCommand } from '../kernel-command.ts';
import { parseInstant } from '../parsers.ts';

/** Maximum length of the message, in characters. */
const longest = 300;

interface OnOptions {
  message?: string;
  until?: Date;
}

/** Closes and reopens the site for visitors, on all servers and without a restart. */
export function maintenanceCommand(): KernelCommand {
  const maintenance = new KernelCommand('maintenance').description(
    'ferme le site aux visiteurs le temps de travaux, et le rouvre ; paiements en cours et administration restent ouverts',
  );

  maintenance
    .command('on')
    .description('ferme le site ; chaque serveur le voit en quelques secondes')
    .option('--message <phrase>', 'ce qui est dit aux visiteurs')
    .option('--until <date>', 'la fin prévue, montrée aux visiteurs ; seul « off » rouvre le site', parseInstant)
    .answers(async ({ fork, clock }, { message, until }: OnOptions) => {
      if (message !== undefined && (message.trim() === '' || message.length > longest))
        throw usageError(`--message attend une phrase de ${longest} caractères au plus.`);
      const now = clock.now();
      if (until && until <= now) throw usageError('--until est déjà passé.');
      await beginMaintenance(fork(), { message: message?.trim() ?? null, until: until ?? null, since: now });
      return [
        { maintenance: true, message: message ?? null, until: until ?? null },
        `Le site est fermé aux visiteurs d'ici quelques secondes${until ? `, jusqu'au ${formatInstant(until)} environ` : ''}. « prepa maintenance off » le rouvre.`,
      ];
    });

  maintenance
    .command('off')
    .description('rouvre le site')
    .answers(async ({ fork }) => {
      const wasClosed = await endMaintenance(fork());
      return [{ maintenance: false, wasClosed }, wasClosed ? "Le site est rouvert d'ici quelques secondes." : "Le site n'était pas fermé."];
    });

  maintenance
    .command('status')
    .description('dit si le site est fermé')
    .answers(async ({ fork }) => {
      const state = await readMaintenance(fork());
      if (!state) return [{ maintenance: false }, 'Le site est ouvert.'];
      const { message, until, since } = state;
      return [
        { maintenance: true, message, until, since },
        [
          `Le site est fermé depuis le ${formatInstant(since)}${until ? `, jusqu'au ${formatInstant(until)} environ` : ''}.`,
          ...(message ? [`Aux visiteurs : ${message}`] : []),
        ].join('\n'),
      ];
    });
  return maintenance;
}
