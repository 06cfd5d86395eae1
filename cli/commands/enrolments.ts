import type { Command } from 'commander';
import type { Kernel } from '../../src/kernel.ts';
import {
  announceEnds,
  countEndsToAnnounce,
  countWronglyEnded,
  type Enrolment,
  expireEnrolments,
  grantEnrolment,
  listForOperator,
  restoreEnrolments,
  withdrawDays,
} from '../../src/modules/enrolment/index.ts';
import { recordRun } from '../../src/platform/observability/task-runs.ts';
import { clockAt } from '../../src/platform/use-cases/clock.ts';
import { requireRightClock } from '../../src/platform/use-cases/clock-check.ts';
import { formatDate } from '../../src/shared/dates.ts';
import { CliError } from '../failure.ts';
import { KernelCommand } from '../kernel-command.ts';
import { answer, asColumns, cutTo, table } from '../output.ts';
import { parseDays, parseId, parseInstant, parseLimit, parseReason } from '../parsers.ts';
import { loadCommandConfig } from '../settings.ts';
import { withKernel } from '../with-kernel.ts';

/** Maximum number of days that one command grants or withdraws. */
const maxDays = 366;

export function enrolmentsCommand(): Command {
  const enrolments = new KernelCommand('enrolments').description('inscriptions');

  enrolments
    .command('expire')
    .description(
      'marque les inscriptions dont la fin est passée, rétablit celles qui ont été terminées trop tôt et prévient les candidats 7, 3 et 1 jours avant (à lancer chaque jour)',
    )
    .option('--dry-run', 'compte seulement, ne change rien')
    .option('--at <date>', "comme s'il était cette date ; refusé en production", parseInstant)
    .action(async (options: { dryRun?: boolean; at?: Date }, command: Command) => {
      if (options.at && loadCommandConfig().environment === 'production') throw new CliError('« --at » est refusé en production.');
      await withKernel(
        async (kernel) => {
          await requireRightClock(kernel.fork());
          const dryRun = options.dryRun ?? false;
          const restored = dryRun
            ? await countWronglyEnded(kernel.fork(), kernel.clock.now())
            : await restoreEnrolments(kernel.fork(), kernel.context);
          const expired = await expireEnrolments(kernel.fork(), kernel.clock.now(), { dryRun });
          const announced = dryRun ? await countEndsToAnnounce(kernel.fork(), kernel.clock.now()) : await announce(kernel);
          if (!dryRun) await recordRun(kernel.fork(), 'expire', kernel.clock.now());
          answer(
            command,
            { expired, restored, announced, dryRun },
            dryRun
              ? `${expired} inscription(s) à expirer, ${restored > 0 ? `${restored} à rétablir, ` : ''}${announced} message(s) à envoyer.`
              : `${expired} inscription(s) expirée(s), ${restored > 0 ? `${restored} rétablie(s), ` : ''}${announced} message(s) envoyé(s).`,
          );
        },
        options.at ? { clock: clockAt(options.at) } : {},
      );
    });

  enrolments
    .command('grant')
    .description('donne des jours à un candidat, sans paiement')
    .requiredOption('--email <adresse>', 'adresse électronique du candidat')
    .requiredOption('--prepa <id>', 'identifiant de la préparation', parseId)
    .option('--days <n>', 'nombre de jours', parseDays(maxDays), 30)
    .requiredOption('--reason <texte>', "raison, gardée dans l'historique", parseReason)
    .answers(async (kernel, { email, prepa, days, reason }: DayOptions) => {
      const enrolment = await grantEnrolment(kernel.fork(), kernel.context, { email, prepaId: prepa, days, reason });
      const end = `accès jusqu'au ${formatDate(enrolment.dateExpiration)}`;
      return [changed(enrolment, prepa), `${counted(days, 'accordé')} pour « ${enrolment.prepaNom} » : ${end}.`];
    });

  enrolments
    .command('withdraw')
    .description('retire des jours à un candidat ; il en est prévenu')
    .requiredOption('--email <adresse>', 'adresse électronique du candidat')
    .requiredOption('--prepa <id>', 'identifiant de la préparation', parseId)
    .requiredOption('--days <n>', 'nombre de jours', parseDays(maxDays))
    .requiredOption('--reason <texte>', "raison, gardée dans l'historique et dite au candidat", parseReason)
    .answers(async (kernel, { email, prepa, days, reason }: DayOptions) => {
      const enrolment = await withdrawDays(kernel.fork(), kernel.context, { email, prepaId: prepa, days, reason });
      const ended = enrolment.dateExpiration <= kernel.clock.now();
      const end = ended ? "l'accès est terminé" : `accès jusqu'au ${formatDate(enrolment.dateExpiration)}`;
      return [changed(enrolment, prepa), `${counted(days, 'retiré')} pour « ${enrolment.prepaNom} » : ${end}.`];
    });

  enrolments
    .command('list')
    .description('liste les inscriptions')
    .option('--email <adresse>', "d'un candidat")
    .option('--prepa <id>', "d'une préparation", parseId)
    .option('--limit <n>', 'nombre de lignes', parseLimit, 50)
    .answers(async (kernel, { email, prepa, limit }: { email?: string; prepa?: number; limit: number }) => {
      const rows = cutTo(await listForOperator(kernel.fork(), { email, prepaId: prepa, limit: limit + 1 }), limit);
      return [
        asColumns(rows),
        table(
          ['Id', 'Candidat', 'Préparation', 'Statut', 'Début', 'Fin'],
          rows.map((row) => [row.id, row.email, row.prepaNom, row.statut, formatDate(row.dateInscription), formatDate(row.dateExpiration)]),
          'Aucune inscription.',
        ),
      ];
    });
  return enrolments;
}

interface DayOptions {
  email: string;
  prepa: number;
  days: number;
  reason: string;
}

const changed = (enrolment: Enrolment, prepa: number) => ({
  id: enrolment.id,
  prepa_id: prepa,
  date_expiration: enrolment.dateExpiration.toISOString(),
});

const counted = (days: number, done: string): string => (days === 1 ? `1 jour ${done}` : `${days} jours ${done}s`);

/** Notifies learners that their access ends soon or has ended. Shows its progress on a terminal. */
async function announce(kernel: Kernel): Promise<number> {
  if (!process.stderr.isTTY) return announceEnds(kernel.fork(), kernel.context);
  const announced = await announceEnds(kernel.fork(), kernel.context, {
    onProgress: (count) => process.stderr.write(`\r${count} message(s) envoyé(s)`),
  });
  if (announced > 0) process.stderr.write('\n');
  return announced;
}
