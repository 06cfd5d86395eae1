import { dayIn, dayMs, formatDate, formatInstant, formatTime } from '../../../shared/dates.ts';
import { formatXaf } from '../../../shared/money.ts';
import { enrolmentDays, presentExtension, willAddDays } from '../../enrolment/index.ts';
import type { Learner } from '../../identity/index.ts';
import { isOpen, isSettled, type PaymentProviders, type PaymentStatus, prepaGone, refusalCause } from '../../payment/index.ts';
import type { LearnerPayment, ReceiptRow } from './receipt.repository.ts';

const notPaidTwice = "Ne payez pas une deuxième fois : votre accès s'ouvrira dès la confirmation.";
const unseenYet = 'Si vous avez validé ce paiement, ne payez pas une deuxième fois ; sinon, vous pouvez recommencer.';
const debited = 'Si votre compte a tout de même été débité, donnez la référence au support.';

/** The learner's text for each state, and its meaning. `tone`: colour of the badge. */
const words: Record<PaymentStatus, { label: string; tone: 'success' | 'warning' | 'error' | null; means: string }> = {
  created: { label: 'En attente de confirmation', tone: 'warning', means: notPaidTwice },
  pending: { label: 'En attente de confirmation', tone: 'warning', means: notPaidTwice },
  succeeded: { label: 'Payé', tone: 'success', means: `Ce paiement a ouvert ${enrolmentDays} jours d'accès.` },
  failed: { label: 'Échoué', tone: 'error', means: `Ce paiement n'a pas abouti. ${debited}` },
  cancelled: { label: 'Annulé', tone: null, means: `Ce paiement a été annulé avant d'être confirmé. ${debited}` },
  expired: { label: 'Expiré', tone: null, means: `Ce paiement n'a pas été validé à temps. ${debited}` },
  refunded: { label: 'Remboursé', tone: null, means: "Cette somme vous a été rendue, et les jours d'accès correspondants ont été repris." },
  review: {
    label: "À l'examen par le support",
    tone: 'warning',
    means: 'Le support examine ce paiement. Donnez-lui la référence pour aller plus vite.',
  },
};

type Names = Pick<PaymentProviders, 'get'>;
const nameOf = (providers: Names, slug: string): string => providers.get(slug)?.label ?? slug;

/**
 * Returns a learner's payments, newest first, as cards: an ended attempt joins the card of the next attempt for the same prepa, as its
 * history. Open, reviewed and paid ones have a card each.
 * @param payments one page of the list, newest first; attempts on another page are not joined
 */
export function presentOwnPayments(payments: readonly LearnerPayment[], providers: Names, now: Date) {
  const cards: (ReturnType<typeof presentOwnPayment> & { history: ReturnType<typeof presentOwnPayment>[] })[] = [];
  const later = new Map<number | string, (typeof cards)[number]>();
  for (const payment of payments) {
    const shown = presentOwnPayment(payment, providers, now);
    const prepa = payment.prepaId ?? payment.prepaNom;
    const card = later.get(prepa);
    if (card && isEnded(payment.status)) {
      card.history.push(shown);
      continue;
    }
    const own = { ...shown, history: [] };
    cards.push(own);
    later.set(prepa, own);
  }
  return cards;
}

/** Returns whether a payment ended without being paid. */
const isEnded = (status: PaymentStatus): boolean => status === 'failed' || status === 'cancelled' || status === 'expired';

/** Returns a payment for the learner's list. */
function presentOwnPayment(payment: LearnerPayment, providers: Names, now: Date) {
  const { reference, provider, status, prepaNom, amount, createdAt, settledAt, nextCheckAt } = payment;
  const { label, tone } = words[status];
  const asked = isSettled(status) ? null : nextCheckAt;
  return {
    reference,
    prepa: prepaNom,
    montant: formatXaf(amount),
    prestataire: nameOf(providers, provider),
    date: formatInstant(isSettled(status) && settledAt ? settledAt : createdAt),
    label,
    tone,
    next: whatNext(payment, asked, now),
    // An ended payment is verified by reconciliation alone: a learner would read a decided result as undecided.
    verifiable: isOpen(status) || status === 'review',
    receipt: isSettled(status) && settledAt !== null,
  };
}

/** Returns the meaning of the state, and the time of the next check; for an open payment the time comes first. */
function whatNext(payment: LearnerPayment, asked: Date | null, now: Date): string {
  const { status, settledAt, refundedAmount } = payment;
  if (status === 'refunded' && settledAt === null) return 'Cette somme vous a été rendue.';
  const means = isOpen(status) ? openMeans(payment, now) : endedMeans(payment);
  if (status === 'succeeded' && refundedAmount > 0) return `${means} ${formatXaf(refundedAmount)} vous ont été rendus depuis.`;
  if (asked === null) return means;
  const when = timeOf(asked, now);
  if (isOpen(status)) return `Nous interrogeons le prestataire ; prochaine vérification ${when}. ${means}`;
  if (status === 'review') return `${means} Prochaine vérification ${when}.`;
  return `${means} Par prudence, nous revérifions ${when}.`;
}

/** Returns the meaning of a state with an outcome, with the reason of a refusal. */
function endedMeans({ status, refusal }: LearnerPayment): string {
  const cause = status === 'failed' ? refusalCause(refusal) : null;
  return cause ? `Ce paiement n'a pas abouti : ${cause}. ${debited}` : words[status].means;
}

/** Returns the effect of an open payment on the learner's present access. */
function openMeans({ prepaId, statut, dateExpiration, unseen }: LearnerPayment, now: Date): string {
  if (prepaId === null) return prepaGone;
  const extension = statut && dateExpiration && presentExtension({ statut, dateExpiration }, now);
  if (!extension) return unseen ? unseenYet : notPaidTwice;
  return unseen ? `${willAddDays(extension)} Sans paiement, il expire de lui-même.` : willAddDays(extension);
}

/** Returns `vers 14:05`, `le 22 novembre 2026 à 14:05` or `dans un instant`. */
function timeOf(at: Date, now: Date): string {
  if (at <= now) return 'dans un instant';
  return dayIn(at) === dayIn(now) ? `vers ${formatTime(at)}` : `le ${formatInstant(at)}`;
}

/** Returns a receipt, for the page and for printing. */
export function presentReceipt(row: ReceiptRow, providers: Names, { username, email }: Learner) {
  const { reference, provider, status, prepaNom, amount, refundedAmount, method, settledAt, openedUntil, days, refundedAt } = row;
  return {
    reference,
    date: formatInstant(settledAt),
    nom: username,
    email,
    prepa: prepaNom,
    // A refunded payment shows no period: the refund has reversed its days.
    acces:
      status !== 'refunded' && openedUntil && days
        ? { days, du: formatDate(new Date(openedUntil.getTime() - days * dayMs)), au: formatDate(openedUntil) }
        : null,
    montant: formatXaf(amount),
    prestataire: nameOf(providers, provider),
    // The provider's name has its own line.
    moyen: method && method !== provider ? method : null,
    statut: words[status].label,
    // A full refund has no line for the refunded amount: it would repeat the amount of the payment.
    rendu: status === 'succeeded' && refundedAmount > 0 ? formatXaf(refundedAmount) : null,
    rembourse: status === 'refunded' ? (refundedAt ? formatInstant(refundedAt) : '') : null,
  };
}

/** Returns the message after 'Vérifier ce paiement'. @param status null when the provider has not answered in time */
export function verificationMessage(status: PaymentStatus | null, answered: boolean): ['success' | 'info' | 'error' | 'warning', string] {
  if (status === 'succeeded') return ['success', 'Paiement réussi ! Votre inscription est confirmée.'];
  if (status === 'refunded') return ['info', 'Ce paiement a été remboursé.'];
  if (status === null || !answered)
    return ['warning', 'Le prestataire ne répond pas pour le moment. Nous continuons de lui demander : rien ne sera perdu.'];
  if (status === 'review') return ['info', 'Ce paiement est examiné par le support. Donnez-lui sa référence.'];
  if (isOpen(status)) return ['info', "Le prestataire n'a pas encore confirmé ce paiement. Nous continuons de lui demander."];
  return ['error', 'Paiement échoué ou annulé'];
}
