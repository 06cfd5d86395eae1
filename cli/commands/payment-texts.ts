import type { ReconcileCounts, Settlement } from '../../src/modules/payment/index.ts';
import {
  othersName,
  type PaymentSummary,
  type PaymentTotals,
  providerName,
  statusName,
  type Total,
  type WholeStory,
} from '../../src/modules/support/index.ts';
import { formatXaf } from '../../src/shared/money.ts';
import { table } from '../output.ts';

/** The French texts of the payment commands. */

const instant = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'short', timeStyle: 'medium', timeZone: 'Africa/Douala' });

/** @param none the text for an empty list */
export function listing(rows: PaymentSummary[], none?: string): string {
  return table(
    ['Référence', 'Candidat', 'Préparation', 'Montant', 'État', 'Date'],
    rows.map((row) => [
      row.reference,
      row.email,
      row.prepaNom,
      formatXaf(row.amount),
      statusName(row.status),
      instant.format(row.createdAt),
    ]),
    none,
  );
}

/** Replaces control characters other than line feeds: they could move the cursor or change colours. */
const printable = (text: string): string => text.replaceAll(/[^\P{Cc}\n]/gu, '\ufffd');

export function storyText({ payment, story }: WholeStory): string {
  const history = story.entries.flatMap(({ at, title, who, note, texts, badge }) => [
    `${instant.format(at)}  ${[title, badge?.kind === 'error' ? badge.name.toLowerCase() : null, who && `par ${who}`, note].filter(Boolean).join(', ')}`,
    ...texts.map(({ name, text }) => `    ${name} : ${text.replaceAll('\n', '\n      ')}`),
  ]);
  const days = story.days.map(
    ({ at, days, source, own, operator, reason, after }) =>
      `${instant.format(at)}  ${[`${days} (${source})`, own ? 'ce paiement' : null, operator && `par ${operator}`, reason, `accès jusqu'au ${after}`].filter(Boolean).join(', ')}`,
  );
  return printable(
    [
      listing([payment]),
      '',
      story.sentence,
      '',
      ...story.cut,
      ...history,
      '',
      ...(days.length > 0 ? ['Jours de ce candidat pour cette préparation :', ...days] : []),
      `En ce moment : ${story.access}.`,
      payment.nextCheckAt ? `Prochaine vérification : ${instant.format(payment.nextCheckAt)}` : 'Plus aucune vérification prévue.',
    ].join('\n'),
  );
}

/** Returns the provider's response as a sentence, or the reason why the provider was not called. */
export function verified({ answer, payment }: Settlement): string {
  const state = `État du paiement ${payment.reference} : ${statusName(payment.status)}.`;
  if (answer === null) return `${state} Cet état est définitif : le prestataire n'a pas été interrogé.`;
  return answer === 'unknown' ? `Le prestataire n'a pas répondu. ${state}` : state;
}

export const counted = (counts: ReconcileCounts): string =>
  `${counts.checked} paiement(s) vérifié(s) : ${counts.succeeded} réussi(s), ${counts.failed} échoué(s), ${counts.pending} en attente, ` +
  `${counts.refunded} remboursé(s), ${counts.review} à examiner, ${counts.unanswered} sans réponse du prestataire.`;

export const passed = (at: Date, counts: ReconcileCounts): string => `${instant.format(at)}  ${counted(counts)}`;

export function totalsText({ total, days, prepas, otherPrepas, next, providers }: PaymentTotals): string {
  const row = (name: string, { received, receivedAmount, refunded, refundedAmount }: Total) => [
    ...[name, received, formatXaf(receivedAmount), refunded, formatXaf(refundedAmount), formatXaf(receivedAmount - refundedAmount)],
  ];
  const tables: [string, (string | number)[][]][] = [
    ['Jour', days.map((each) => row(each.day, each))],
    [
      'Préparation',
      [...prepas.map((each) => row(each.prepaNom, each)), ...(otherPrepas ? [row(othersName(otherPrepas), otherPrepas)] : [])],
    ],
    ['Prestataire', providers.map((each) => row(providerName(each.provider), each))],
  ];
  const written = tables.map(([first, rows]) =>
    table([first, 'Paiements', 'Encaissé', 'Remboursements', 'Rendu', 'Net'], [...rows, row('Total', total)]),
  );
  const further = next === null ? [] : [`D'autres préparations : --after ${next}. Celles qui ont reçu le plus : --all.`];
  return [...written, ...further].join('\n\n');
}
