import type { SittingState } from '../../src/shared/exams/phone/sitting-view.ts';

const timeZone = 'Africa/Douala';
const hour = new Intl.DateTimeFormat('fr-FR', { hour: 'numeric', minute: '2-digit', timeZone });

/** Minutes left at which screen readers are told. */
export const announcedMinutes = [10, 5, 1];

const count = (number: number, noun: string): string => `${number} ${noun}${number > 1 ? 's' : ''}`;
const two = (number: number): string => String(number).padStart(2, '0');

/** Returns a time as '1:05:09' or '5:09'. @param ms rounded up to a second */
export function timer(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
}

/** Returns when the exam begins: 'Commence dans 12 min'. @param ms until the opening */
export function begins(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 60) return `Commence dans ${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 60) return `Commence dans ${minutes} min`;
  const [hours, days] = [Math.floor(minutes / 60), Math.floor(minutes / 1440)];
  if (days > 1) return `Commence dans ${days} jours`;
  return `Commence dans ${hours} h${minutes % 60 ? ` ${two(minutes % 60)}` : ''}`;
}

/** Returns where the answers are, in few words. */
export function keptWords({ isStored, isKept, unsent, record }: SittingState): string {
  const waiting = `${count(unsent, 'réponse')} pas encore ${unsent > 1 ? 'envoyées' : 'envoyée'}`;
  if (!isStored)
    return `Ce navigateur ne garde rien : ne fermez pas la page avant que vos réponses arrivent au site. ${unsent > 0 ? `${waiting}.` : 'Tout est arrivé.'}`;
  if (!isKept) return '';
  if (unsent > 0) return `Gardé sur ce téléphone. ${waiting}.`;
  return Object.keys(record.answers).length > 0 ? 'Gardé sur ce téléphone et envoyé.' : '';
}

export const otherDevice = 'Cette copie est aussi ouverte sur un autre appareil : la réponse la plus récente compte.';
export const elsewhere = 'Cette copie continue dans un autre onglet de ce navigateur. Pour revenir ici, rechargez la page.';

const lateCopy = "Votre copie est arrivée après le délai : elle attend la décision de l'organisateur.";

/** Returns what happened to the copy after the hand-in; '' before. A copy that the site handed in has no receipt. */
export function handedInWords({ record: { remis, rendu, isArrived, isLate }, trouble }: SittingState): string {
  if (remis) {
    const by = remis.fin === 'candidate' ? 'Copie remise' : 'Temps écoulé : copie remise';
    const first = isLate ? lateCopy : `${by} à ${hour.format(remis.le).replace(':', ' h ')}.`;
    const receipt = remis.recu ? ` Reçu : ${remis.recu}. Notez ces huit signes.` : '';
    return `${first}${receipt} Vos réponses restent lisibles ci-dessous.`;
  }
  if (isArrived) return lateCopy;
  if (!rendu) return '';
  const first = rendu === 'time' ? 'Le temps est écoulé. ' : '';
  return trouble === 'network'
    ? `${first}Votre copie est gardée sur ce téléphone. Elle part d'elle-même dès le retour du réseau : rouvrez cette page au plus tôt.`
    : `${first}Votre copie part…`;
}

/** Returns the question of the dialog before the hand-in. @param missing questions without an answer */
export const confirmWords = (missing: number): string =>
  missing === 0
    ? 'Vous avez répondu à toutes les questions. Après la remise, rien ne peut plus changer.'
    : `Il reste ${count(missing, 'question')} sans réponse. Après la remise, rien ne peut plus changer.`;
