import { daysBetween, formatDate } from '../../shared/dates.ts';
import { escapeMarkup } from '../../shared/escapes.ts';
import { formatXaf } from '../../shared/money.ts';

/** A prepa as a message names it; without id when it is gone. */
interface Named {
  prepaId: number | null;
  prepaNom: string;
}

/** What notifications say: HTML of ours, every value escaped, with a link to where the learner goes on. */

export function enrolmentMessage({ renewed, dateExpiration, ...prepa }: Named & { renewed: boolean; dateExpiration: Date }): string {
  const what = renewed ? 'renouvelée' : 'confirmée';
  return `Votre inscription à ${linkTo(prepa)} est ${what} : vous y avez accès jusqu'au ${formatDate(dateExpiration)}.`;
}

/** @param days announced ahead; 0: it has ended */
export function endMessage({ days, dateExpiration, ...prepa }: Named & { days: number; dateExpiration: Date }, at: Date): string {
  if (days === 0)
    return `Votre accès à ${strong(prepa.prepaNom)} a pris fin le ${formatDate(dateExpiration)}. ${renewal(prepa, 'Renouveler')}`;
  const ahead = daysBetween(at, dateExpiration);
  const when = ahead > 1 ? `dans ${ahead} jours` : ahead === 1 ? 'demain' : "aujourd'hui";
  return `Votre accès à ${linkTo(prepa)} prend fin ${when}, le ${formatDate(dateExpiration)}. Renouvelé avant, il est prolongé de 30 jours. ${renewal(prepa, 'Renouveler')}`;
}

/** After a message that told of an end too early. */
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

/** Days taken back: by a refund, or by the support, whose reason is told. */
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
  /** In the operator's own words, or the provider's. */
  reason: string;
  ended: boolean;
  dateExpiration: Date;
}

/** To whoever has reported an error in an item. */
export function reportMessage({ titre, href, answer }: { titre: string; href: string; answer: string | null }): string {
  const item = `<a href="${escapeMarkup(href)}">${strong(titre)}</a>`;
  return answer === null
    ? `Merci : votre signalement sur ${item} a été examiné.`
    : `Merci : votre signalement sur ${item} a été examiné. Réponse : ${escapeMarkup(answer)}`;
}

/** Begins with the count, which `contentPublished` in notification.subscriptions.ts raises. */
export const contentMessage = (prepa: Named) => ({
  one: `1 nouveau contenu dans ${linkTo(prepa)}.`,
  /** Behind the count. */
  more: ` nouveaux contenus dans ${linkTo(prepa)}.`,
});

const dashboard = '<a href="/user/dashboard">Voir mon espace</a>';

const strong = (text: string): string => `<strong>${escapeMarkup(text)}</strong>`;

const linkTo = ({ prepaId, prepaNom }: Named): string =>
  prepaId === null ? strong(prepaNom) : `<a href="/user/prepa/${prepaId}">${strong(prepaNom)}</a>`;

/** To the payment of a prepa that is still there. */
const renewal = ({ prepaId }: Named, text: string): string =>
  prepaId === null ? dashboard : `<a href="/user/dashboard?paiement=${prepaId}">${text}</a>`;
