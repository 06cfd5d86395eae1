import { Command, Option } from 'commander';
import {
  listPayments,
  type PaymentStatus,
  type PaymentStory,
  type PaymentSummary,
  paymentStatuses,
  type ReconcileCounts,
  reconcilePayments,
  showPayment,
} from '../../src/modules/payment/index.ts';
import { formatXaf } from '../../src/shared/money.ts';
import { answer, table, withKernel } from '../door.ts';
import { CliError } from '../failure.ts';
import { parseLimit } from '../parsers.ts';

export function paymentsCommand(): Command {
  const payments = new Command('payments').description('paiements');

  payments
    .command('reconcile')
    .description(
      'demande au prestataire ce que sont devenus les paiements à vérifier et ceux des 10 dernières minutes, et ouvre les accès payés',
    )
    .option('--all', 'tous les paiements suivis, même ceux dont la prochaine vérification est plus tard')
    .option('--limit <n>', 'paiements vérifiés au plus', parseLimit, 200)
    .action(async ({ all, limit }: { all?: boolean; limit: number }, command: Command) => {
      await withKernel(async (kernel) => {
        const onProgress = process.stderr.isTTY
          ? ({ checked }: ReconcileCounts) => process.stderr.write(`\r${checked} vérifié(s)`)
          : undefined;
        const counts = await reconcilePayments(kernel.fork(), kernel.context, kernel.providers, {
          limit,
          all: all ?? false,
          fresh: true,
          ...(onProgress ? { onProgress } : {}),
        });
        if (onProgress && counts.checked > 0) process.stderr.write('\n');
        // Nobody was told anything: whatever calls this should know.
        if (counts.unanswered > 0 && counts.unanswered === counts.checked) process.exitCode = 1;
        answer(
          command,
          counts,
          () =>
            `${counts.checked} paiement(s) vérifié(s) : ${counts.succeeded} réussi(s), ${counts.failed} échoué(s), ${counts.pending} en attente, ` +
            `${counts.review} à examiner, ${counts.unanswered} sans réponse du prestataire.`,
        );
      });
    });

  payments
    .command('list')
    .description("liste les paiements, les plus récents d'abord")
    .addOption(new Option('--status <état>', 'un seul état').choices([...paymentStatuses]))
    .option('--limit <n>', 'nombre de lignes', parseLimit, 50)
    .action(async ({ status, limit }: { status?: PaymentStatus; limit: number }, command: Command) => {
      await withKernel(async (kernel) => {
        const rows = await listPayments(kernel.fork(), { status, limit });
        answer(command, rows, () => (rows.length === 0 ? 'Aucun paiement.' : listing(rows)));
      });
    });

  payments
    .command('show')
    .description("raconte un paiement : tentatives, notifications, vérifications, changements d'état")
    .argument('<référence>', 'référence du paiement, par exemple ZP1768471200000a1b2c3d4')
    .action(async (reference: string, _options, command: Command) => {
      await withKernel(async (kernel) => {
        const payment = await showPayment(kernel.fork(), reference);
        if (!payment) throw new CliError('Aucun paiement ne porte cette référence.');
        answer(command, payment, () => story(payment));
      });
    });
  return payments;
}

const instant = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'short', timeStyle: 'medium', timeZone: 'Africa/Douala' });

function listing(rows: PaymentSummary[]): string {
  return table(
    ['Référence', 'Candidat', 'Préparation', 'Montant', 'État', 'Date'],
    rows.map((row) => [row.reference, row.email, row.prepaNom, formatXaf(row.amount), row.status, instant.format(row.createdAt)]),
  );
}

function story(payment: PaymentStory): string {
  const history = [
    ...payment.events.map((event) => ({
      at: event.at,
      text: [event.type, event.fromStatus && event.toStatus ? `${event.fromStatus} -> ${event.toStatus}` : null, event.actor]
        .filter(Boolean)
        .join(', '),
    })),
    ...payment.notifications.map(({ receivedAt, processedAt }) => ({
      at: receivedAt,
      text: `notification du prestataire, ${processedAt ? 'suivie' : 'à suivre'}`,
    })),
  ].toSorted((a, b) => a.at.getTime() - b.at.getTime());
  return [
    listing([payment]),
    '',
    ...history.map(({ at, text }) => `${instant.format(at)}  ${text}`),
    '',
    payment.nextCheckAt ? `Prochaine vérification : ${instant.format(payment.nextCheckAt)}` : 'Plus aucune vérification prévue.',
  ].join('\n');
}
