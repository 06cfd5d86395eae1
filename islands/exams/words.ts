import { formatBytes } from '../../src/shared/bytes.ts';
import { formatHour } from '../../src/shared/exams/announcement.ts';
import type { SittingState } from '../../src/shared/exams/phone/sitting-view.ts';

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
  if (seconds < 60) return `Commence dans ${seconds}\u00a0s`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 60) return `Commence dans ${minutes}\u00a0min`;
  const [hours, days] = [Math.floor(minutes / 60), Math.floor(minutes / 1440)];
  if (days > 1) return `Commence dans ${days} jours`;
  return `Commence dans ${hours}\u00a0h${minutes % 60 ? `\u00a0${two(minutes % 60)}` : ''}`;
}

/** Returns that the device has the sealed paper. */
export const readyWords = (bytes: number): string => `Sujet prêt sur cet appareil (${formatBytes(bytes).replace(' ', '\u00a0')}).`;

/** Returns when the time ends: 'fin à 1 h 10'. @param end in ms */
export const endWords = (end: number): string => `fin à ${formatHour(new Date(end))}`;

/** Returns where the answers are, in one line of a narrow screen while all is well. */
export function keptWords({ isStored, isKept, unsent, record, others }: SittingState): string {
  const waiting = `${count(unsent, 'réponse')} à envoyer`;
  if (!isStored) return `Ce navigateur ne garde rien : ${unsent > 0 ? `ne fermez pas la page. ${waiting}.` : 'tout est arrivé au site.'}`;
  if (!isKept) return '';
  if (unsent > 0) return `Gardé sur cet appareil. ${waiting}.`;
  if (others) return otherDevice;
  return Object.keys(record.answers).length > 0 ? 'Gardé sur cet appareil et envoyé.' : '';
}

export const otherDevice = 'Copie ouverte aussi sur un autre appareil.';
export const elsewhere = 'Cette copie continue dans un autre onglet de ce navigateur. Pour revenir ici, rechargez la page.';

const lateCopy = "Votre copie est arrivée après le délai : elle attend la décision de l'organisateur.";

/**
 * Returns what happened to the copy after the hand-in; '' before. A copy that the site handed in has no receipt.
 * @param now the site's time, in ms
 * @param grace in minutes
 */
export function handedInWords(
  { record: { remis, rendu, isArrived, isLate }, end, trouble }: SittingState,
  now: number,
  grace: number,
): string {
  if (remis) {
    const by = remis.fin === 'candidate' ? 'Copie remise' : 'Temps écoulé : copie remise';
    const first = isLate ? lateCopy : `${by} à ${formatHour(new Date(remis.le))}.`;
    return remis.recu ? `${first} Reçu : ${remis.recu}. Notez ces huit signes. Une notification annoncera votre note.` : first;
  }
  if (isArrived) return lateCopy;
  if (!rendu) return '';
  const first = rendu === 'time' ? 'Le temps est écoulé. ' : '';
  const until = (end ?? 0) + grace * 60_000;
  const taken = now < until ? ` Elle est prise jusqu'à ${formatHour(new Date(until))}.` : '';
  return trouble === 'network'
    ? `${first}Copie gardée sur cet appareil. Elle part d'elle-même dès le retour du réseau : rouvrez cette page au plus tôt.${taken}`
    : `${first}Votre copie part…`;
}

/** Returns the question of the dialog before the hand-in. @param missing questions without an answer */
export const confirmWords = (missing: number): string =>
  missing === 0
    ? 'Vous avez répondu à toutes les questions. Après la remise, rien ne peut plus changer.'
    : `Il reste ${count(missing, 'question')} sans réponse. Après la remise, rien ne peut plus changer.`;
