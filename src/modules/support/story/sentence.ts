import { formatDate, formatInstant } from '../../../shared/dates.ts';
import { formatXaf } from '../../../shared/money.ts';
import { isOpen } from '../../payment/index.ts';
import { neverSeen, noteName } from '../payments/words.ts';
import type { AccessStory } from './access.repository.ts';
import type { PaymentStory, StoryEvent } from './story.repository.ts';

/** Returns one French sentence that support can read to the learner: the payment's outcome, and the next step. */
export function sentenceOf(payment: PaymentStory, access: AccessStory | null, now: Date): string {
  const last = lastChange(payment);
  switch (payment.status) {
    case 'created':
    case 'pending':
      return `${whyOpen(payment)} ; ${nextLook(payment.nextCheckAt, now)}.`;
    case 'succeeded':
      return `Payé le ${formatInstant(payment.settledAt ?? payment.updatedAt)} : ${returnedPart(payment)}${accessNow(access, now)}.${toLookAt(payment)}`;
    case 'refunded':
      return `Remboursé le ${formatInstant(last?.at ?? payment.updatedAt)} : ${afterRefund(payment, access, now)}.`;
    case 'review':
      return `Paiement à l'examen depuis le ${formatInstant(last?.at ?? payment.updatedAt)} : ${whyReview(last)}. Le support doit décider.`;
    case 'failed':
      return last?.type === 'decision'
        ? `Classé sans suite le ${formatInstant(last.at)} : ${reasonOf(last)}.`
        : `Le prestataire a refusé ce paiement le ${formatInstant(last?.at ?? payment.updatedAt)} : le candidat peut recommencer.`;
    case 'cancelled':
      return `Paiement annulé le ${formatInstant(last?.at ?? payment.updatedAt)} chez le prestataire : le candidat peut recommencer.`;
    case 'expired':
      if (last?.detail?.note === neverSeen)
        return `Paiement expiré le ${formatInstant(last.at)} : le prestataire ne l'a jamais vu, le candidat n'a sans doute pas commencé à payer. Il peut recommencer.`;
      return `Le délai pour payer a expiré le ${formatInstant(last?.at ?? payment.updatedAt)} : le candidat peut recommencer.`;
  }
}

/** Returns the refunded part of a succeeded payment, as a part of its sentence; empty without a refund. */
const returnedPart = ({ refundedAmount, amount }: PaymentStory): string =>
  refundedAmount === 0 ? '' : `${formatXaf(refundedAmount)} sur ${formatXaf(amount)} ont été rendus, `;

function toLookAt({ needsLook, events }: PaymentStory): string {
  if (!needsLook) return '';
  const answer = events.findLast(({ type }) => type === 'verification')?.detail;
  const unsaid = answer?.kind === 'partly_refunded' && answer.returned == null ? ' sans dire combien' : '';
  return ` Le prestataire dit avoir rendu une partie de la somme${unsaid} : le support doit regarder ce paiement.`;
}

/** Returns the state of the access now, as the end of a sentence. */
export function accessNow(access: AccessStory | null, now: Date): string {
  if (!access) return "aucun accès n'a été ouvert";
  if (access.statut === 'cancelled') return "l'accès a été annulé";
  const open = access.statut === 'active' && access.dateExpiration > now;
  return open ? `accès ouvert jusqu'au ${formatDate(access.dateExpiration)}` : `l'accès a pris fin le ${formatDate(access.dateExpiration)}`;
}

/** Returns the effect of a refund on the access. Refunding a payment under review removes no days, since it had added none. */
function afterRefund(payment: PaymentStory, access: AccessStory | null, now: Date): string {
  const opened = access?.changes.some(({ source, paymentId }) => source === 'payment' && paymentId === payment.id) ?? false;
  if (opened) return `les jours de ce paiement ont été repris, ${accessNow(access, now)}`;
  return access ? `ce paiement n'avait ouvert aucun jour, ${accessNow(access, now)}` : accessNow(access, now);
}

function whyOpen({ events }: PaymentStory): string {
  const kind = events.findLast(({ type }) => type === 'verification')?.detail?.kind;
  if (kind === 'not_found') return "Le prestataire ne connaît pas encore ce paiement : le candidat n'a sans doute pas fini de payer";
  if (kind === 'incomplete') return "Le prestataire n'a reçu qu'une partie de la somme";
  if (kind === 'unknown') return "Le prestataire n'a pas répondu à la dernière vérification";
  return "Le prestataire n'a pas encore confirmé ce paiement";
}

function nextLook(next: Date | null, now: Date): string {
  if (next === null) return "aucune autre vérification n'est prévue";
  return next > now ? `prochaine vérification le ${formatInstant(next)}` : `une vérification est due depuis le ${formatInstant(next)}`;
}

/** Returns the event that led to the present state. */
const lastChange = ({ events, status }: PaymentStory): StoryEvent | undefined =>
  isOpen(status) ? undefined : events.findLast(({ toStatus }) => toStatus === status);

function whyReview(change: StoryEvent | undefined): string {
  if (change?.type === 'decision') return reasonOf(change);
  const note = change?.detail?.note;
  return typeof note === 'string' ? noteName(note) : 'une personne doit le regarder';
}

/** Returns the reason without its full stop, since the sentence ends with one. */
const reasonOf = ({ detail }: StoryEvent): string => String(detail?.reason ?? 'sans raison').replace(/\.+$/, '');
