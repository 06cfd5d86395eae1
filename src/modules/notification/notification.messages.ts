import { daysBetween, formatDate } from '../../shared/dates.ts';
import { escapeMarkup } from '../../shared/escapes.ts';
import { examName, formatOpening } from '../../shared/exams/announcement.ts';
import type { QuestionStanding } from '../../shared/exams/exam-words.ts';
import { formatXaf } from '../../shared/money.ts';
import { examHref } from '../questions/index.ts';

/** A prepa as a message names it; `prepaId` is null when it was deleted. */
interface Named {
  prepaId: number | null;
  prepaNom: string;
}

/** The notifications' texts: server-written HTML with all values escaped, and a link to the matching page. */

export function enrolmentMessage({ renewed, dateExpiration, ...prepa }: Named & { renewed: boolean; dateExpiration: Date }): string {
  const what = renewed ? 'renouvelée' : 'confirmée';
  return `Votre inscription à ${linkTo(prepa)} est ${what} : vous y avez accès jusqu'au ${formatDate(dateExpiration)}.`;
}

/** @param days days of the announcement; 0: the access has ended */
export function endMessage({ days, dateExpiration, ...prepa }: Named & { days: number; dateExpiration: Date }, at: Date): string {
  if (days === 0)
    return `Votre accès à ${strong(prepa.prepaNom)} a pris fin le ${formatDate(dateExpiration)}. ${renewal(prepa, 'Renouveler')}`;
  const ahead = daysBetween(at, dateExpiration);
  const when = ahead > 1 ? `dans ${ahead} jours` : ahead === 1 ? 'demain' : "aujourd'hui";
  return `Votre accès à ${linkTo(prepa)} prend fin ${when}, le ${formatDate(dateExpiration)}. Renouvelé avant, il est prolongé de 30 jours. ${renewal(prepa, 'Renouveler')}`;
}

/** Corrects a message that announced an end too early. */
export const restoredMessage = ({ dateExpiration, ...prepa }: Named & { dateExpiration: Date }): string =>
  `Votre accès à ${linkTo(prepa)} continue : vous y avez accès jusqu'au ${formatDate(dateExpiration)}. Le message qui annonçait sa fin était une erreur de notre part.`;

export function paymentFailedMessage({ reason, ...prepa }: Named & { reason: 'failed' | 'cancelled' | 'expired' }): string {
  const what = { failed: 'a échoué', cancelled: 'a été annulé', expired: 'a expiré sans être validé' }[reason];
  return `Votre paiement pour ${strong(prepa.prepaNom)} ${what} : aucun jour d'accès n'a été ajouté. ${renewal(prepa, 'Réessayer')}`;
}

export function paymentLateMessage(prepa: Named): string {
  const late = `Votre paiement pour ${strong(prepa.prepaNom)} n'est pas encore confirmé.`;
  return `${late} Si vous l'avez validé sur votre téléphone, ne payez pas une seconde fois : vos 30 jours s'ajouteront dès sa confirmation. ${dashboard}`;
}

export const partlyRefundedMessage = ({ prepaNom, amount }: Named & { amount: number }): string =>
  `Sur votre paiement pour ${strong(prepaNom)}, ${formatXaf(amount)} vous ont été rendus. Vos jours d'accès ne changent pas. <a href="/user/paiements">Voir mes paiements</a>`;

/** Returns the message about days reversed by a refund, or withdrawn by the support with a reason. */
export function shortenedMessage({ source, reason, ended, dateExpiration, ...prepa }: Named & Shortened): string {
  const why =
    source === 'refund'
      ? `Votre paiement pour ${strong(prepa.prepaNom)} a été remboursé`
      : `Le support a retiré des jours d'accès à ${strong(prepa.prepaNom)}`;
  const what = ended ? 'votre accès est terminé' : `vous y avez accès jusqu'au ${formatDate(dateExpiration)}`;
  const because = source === 'withdrawal' ? ` Raison : ${escapeMarkup(reason.replace(/[.\s]+$/, ''))}.` : '';
  return `${why} : ${what}.${because} ${ended ? renewal(prepa, 'Renouveler') : dashboard}`;
}

interface Shortened {
  source: 'withdrawal' | 'refund';
  /** Reason in the operator's or the provider's words. */
  reason: string;
  ended: boolean;
  dateExpiration: Date;
}

/** Returns the message for a learner who reported an error in an item. */
export function reportMessage({ titre, href, answer }: { titre: string; href: string; answer: string | null }): string {
  const item = `<a href="${escapeMarkup(href)}">${strong(titre)}</a>`;
  return answer === null
    ? `Merci : votre signalement sur ${item} a été examiné.`
    : `Merci : votre signalement sur ${item} a été examiné. Réponse : ${escapeMarkup(answer)}`;
}

/** Returns the message about new contents. It starts with the count, which `contentPublished` in notification.subscriptions.ts raises. */
export const contentMessage = (prepa: Named) => ({
  one: `1 nouveau contenu dans ${linkTo(prepa)}.`,
  /** Text after the count. */
  more: ` nouveaux contenus dans ${linkTo(prepa)}.`,
});

/** Returns the message about an announced mock exam. */
export const examAnnouncedMessage = ({ examId, titre, opensAt }: NamedExam & { opensAt: Date }): string =>
  `${strong(examName(titre))} : ${formatOpening(opensAt)}. <a href="${examHref(examId)}">Voir et se préparer</a>`;

/** Returns the message about an announced mock exam with another opening, or only another closing. */
export const examMovedMessage = ({
  examId,
  titre,
  opensAt,
  closesAt,
  isPostponed,
}: NamedExam & { opensAt: Date; closesAt: Date; isPostponed: boolean }): string =>
  `${strong(examName(titre))} : ${isPostponed ? `reporté au ${formatOpening(opensAt)}` : `ouvert plus longtemps, jusqu'au ${formatOpening(closesAt)}`}. <a href="${examHref(examId)}">Voir ${isPostponed ? 'et se préparer' : 'le concours blanc'}</a>`;

/** Returns the message about the published results of a mock exam. */
export const examResultsMessage = (exam: NamedExam): string =>
  `${strong(examName(exam.titre))} : les résultats sont publiés. ${ownMark(exam)}`;

/** Returns the message about a correction after the publication of a mock exam's results. */
export const examCorrectedMessage = (exam: NamedExam & { position: number; standing: QuestionStanding }): string =>
  `${strong(examName(exam.titre))} : question ${exam.position} ${corrected[exam.standing]}, notes et rangs recalculés. ${ownMark(exam)}`;

const corrected: Record<QuestionStanding, string> = { neutralised: 'neutralisée', given: 'donnée à tous', counted: 'corrigée' };

const ownMark = ({ examId }: NamedExam): string => `<a href="${examHref(examId)}/resultat">Voir ma note et mon rang</a>`;

interface NamedExam {
  examId: number;
  titre: string;
}

const dashboard = '<a href="/user/dashboard">Voir mon espace</a>';

const strong = (text: string): string => `<strong>${escapeMarkup(text)}</strong>`;

const linkTo = ({ prepaId, prepaNom }: Named): string =>
  prepaId === null ? strong(prepaNom) : `<a href="/user/prepa/${prepaId}">${strong(prepaNom)}</a>`;

/** Returns a link to the payment of a prepa; to the dashboard when the prepa was deleted. */
const renewal = ({ prepaId }: Named, text: string): string =>
  prepaId === null ? dashboard : `<a href="/user/dashboard?paiement=${prepaId}">${text}</a>`;
