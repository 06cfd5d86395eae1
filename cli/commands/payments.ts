import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { terminal } from '../../src/modules/identity/index.ts';
import {
  decidePayment,
  type PaymentDecision,
  type PaymentStatus,
  paymentStatuses,
  providerSlugs,
  settlePayment,
} from '../../src/modules/payment/index.ts';
import {
  decisionNames,
  findWholeStory,
  listPayments,
  type PaymentFilter,
  type Period,
  paymentsCsv,
  paymentsJson,
  paymentTotals,
  readPeriod,
  readSearch,
  recordExport,
} from '../../src/modules/support/index.ts';
import { CliError, explain, usageError } from '../failure.ts';
import { KernelCommand } from '../kernel-command.ts';
import { answer, cutTo } from '../output.ts';
import { parseAmount, parseDay, parseId, parseLimit, parseReason } from '../parsers.ts';
import { withKernel } from '../with-kernel.ts';
import { listing, storyText, totalsText, verified } from './payment-texts.ts';
import { reconcileCommand } from './reconcile.ts';

const reference = ['<référence>', 'référence du paiement, par exemple ZP1768471200000a1b2c3d4'] as const;

export function paymentsCommand(): Command {
  const payments = new KernelCommand('payments').description('paiements');
  payments.addCommand(reconcileCommand());

  narrowed(payments.command('list').description("liste les paiements, les plus récents d'abord"))
    .option('--limit <n>', 'nombre de lignes', parseLimit, 50)
    .answers(async (kernel, { limit, ...asked }: Narrowing & { limit: number }) => {
      const rows = cutTo(await listPayments(kernel.fork(), { ...conditionOf(asked), limit: limit + 1 }), limit);
      return [rows, listing(rows, 'Aucun paiement.')];
    });

  payments
    .command('find')
    .description("cherche un paiement par ce que l'on en sait")
    .argument('<texte>', 'référence, identifiant du prestataire, adresse électronique du candidat, ou 4 derniers chiffres de son téléphone')
    .option('--limit <n>', 'nombre de lignes', parseLimit, 50)
    .action(async (text: string, { limit }: { limit: number }, command: Command) => {
      const search = readSearch(text);
      if (!search) throw usageError('Que faut-il chercher ?');
      await withKernel(async (kernel) => {
        const rows = cutTo(await listPayments(kernel.fork(), { search, limit: limit + 1 }), limit);
        answer(command, rows, listing(rows, 'Aucun paiement ne correspond.'));
      });
    });

  payments
    .command('show')
    .description("raconte un paiement : tentatives, notifications, vérifications, changements d'état, décisions et jours")
    .argument(...reference)
    .answers(async (kernel, key: string) => {
      const whole = await findWholeStory(kernel.fork(), kernel.providers, key, kernel.clock.now());
      if (!whole) throw new CliError('Aucun paiement ne porte cette référence.');
      const { payment, access, story } = whole;
      return [{ ...payment, sentence: story.sentence, access }, storyText(whole)];
    });

  payments
    .command('verify')
    .description("vérifie un paiement : demande au prestataire ce qu'il devient")
    .argument(...reference)
    .answers(async (kernel, key: string) => {
      const settlement = await settlePayment(kernel.fork(), kernel.context, kernel.providers, key, 'operator', terminal.name);
      if (settlement.answer === 'unknown') process.exitCode = 1;
      const { payment, answer: said } = settlement;
      const { status, nextCheckAt } = payment;
      return [{ reference: payment.reference, answer: said, status, nextCheckAt }, verified(settlement)];
    });

  payments.addCommand(decisionCommand('review', "met un paiement à l'examen : il reste signalé jusqu'à une décision"));
  payments.addCommand(decisionCommand('close', "classe sans suite un paiement à l'examen, quand on sait qu'aucun argent n'est arrivé"));
  payments.addCommand(
    decisionCommand(
      'refund',
      "enregistre qu'un paiement, réussi ou à l'examen, a été remboursé : quand tout est rendu, les jours qu'il a ouverts sont repris",
    ).option('--amount <xaf>', "montant rendu d'un paiement réussi ; tout ce qui reste sans elle", parseAmount),
  );
  payments.addCommand(decisionCommand('acknowledge', "note qu'un remboursement partiel a été vu : l'accès reste ouvert"));

  inPeriod(
    payments
      .command('totals')
      .description('additionne les paiements par jour, préparation et prestataire')
      .option('--after <id>', "de plus de 50 préparations, celles d'après celle-ci ; les premières sans elle", parseId, 0)
      .option('--all', "additionne toutes les préparations : les 50 qui ont reçu le plus, et l'ensemble des autres"),
    async (period, command) => {
      const { after, all = false } = command.opts<{ after: number; all?: boolean }>();
      await withKernel(async (kernel) => {
        const { du, au } = period(kernel.clock.now());
        const totals = await paymentTotals(kernel.fork(), { du, au, after: all ? null : after });
        answer(command, { du, au, ...totals }, `Du ${du} au ${au}\n\n${totalsText(totals)}`);
      });
    },
  );

  const exported = payments.command('export').description('écrit les paiements commencés dans une période en CSV sur la sortie standard');
  inPeriod(narrowed(exported), async (period, command) => {
    await withKernel(async (kernel) => {
      const { from, until, du, au } = period(kernel.clock.now());
      const { status: etat, provider: prestataire, prepa } = command.opts<Narrowing>();
      const format = command.optsWithGlobals().json ? 'JSON' : 'CSV';
      const filter = { ...conditionOf(command.opts<Narrowing>()), from, until };
      const write = format === 'JSON' ? paymentsJson : paymentsCsv;
      try {
        await recordExport(kernel.fork(), kernel.context, terminal, format, { du, au, etat, prestataire, prepa });
        await pipeline(Readable.from(write(kernel.fork(), filter), { highWaterMark: 1 }), process.stdout, { end: false });
      } catch (error) {
        throw new CliError(`L'export s'est arrêté avant la fin, ce qui est écrit est incomplet. ${explain(error)}`);
      }
    });
  });
  return payments;
}

interface Narrowing {
  status?: PaymentStatus;
  provider?: string;
  prepa?: number;
}

/** Parses a provider's slug. */
function parseSlug(value: string): string {
  if (!/^[a-z]{1,20}$/.test(value)) throw new InvalidArgumentError(`Un nom comme ${providerSlugs[0]} est attendu.`);
  return value;
}

/** Adds the filters of the payments list. */
const narrowed = (command: KernelCommand): KernelCommand =>
  command
    .addOption(new Option('--status <état>', 'un seul état').choices([...paymentStatuses]))
    .option('--provider <nom>', `d'un seul prestataire, comme ${providerSlugs.join(' ou ')}`, parseSlug)
    .option('--prepa <id>', "d'une seule préparation", parseId);

const conditionOf = ({ status, provider, prepa }: Narrowing): PaymentFilter => ({ status, provider, prepaId: prepa });

/** Adds `--du` and `--au`. The default period depends on the time when the command runs. */
function inPeriod(command: Command, act: (period: (now: Date) => Period, command: Command) => Promise<void>): void {
  command
    .option('--du <jour>', 'premier jour, comme 2026-11-01 ; 30 jours avant la fin sans elle', parseDay)
    .option('--au <jour>', "dernier jour ; aujourd'hui sans elle", parseDay)
    .action((asked: { du?: string; au?: string }, self: Command) => {
      const period = (now: Date): Period => {
        const read = readPeriod(asked, now);
        if (!read.period) throw usageError(read.errors.map(({ field, message }) => `option '--${field} <jour>' : ${message}`).join(' '));
        return read.period;
      };
      // Refuses an invalid period before a database connection is opened.
      period(new Date());
      return act(period, self);
    });
}

function decisionCommand(decision: PaymentDecision, description: string): Command {
  return new KernelCommand(decision)
    .description(description)
    .argument(...reference)
    .requiredOption('--reason <texte>', "raison, gardée dans l'historique", parseReason)
    .answers(async (kernel, key: string, { reason, amount }: { reason: string; amount?: number }) => {
      const decided = await decidePayment(kernel.fork(), kernel.context, { payment: key, decision, reason, amount }, terminal);
      const { id, reference, status, refundedAmount } = decided;
      return [
        { id, reference, status, ...(decision === 'refund' ? { refundedAmount } : {}) },
        `${reference} : ${decisionNames[decision]}.`,
      ];
    });
}
