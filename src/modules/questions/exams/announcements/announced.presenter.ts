import { examName, formatOpening, formatWindow, startsIn, stateForCandidate } from '../../../../shared/exams/announcement.ts';
import { withFrenchSpaces } from '../../../../shared/rich-text/french-spaces.ts';
import { examHref, sayMinutes } from '../rooms/exam.presenter.ts';
import type { FreeExam, ListedExam, UpcomingExam } from './announced.repository.ts';

/** Returns the lines about coming exams on the dashboard. */
export const presentUpcomingExams = (exams: readonly UpcomingExam[], now: Date) =>
  exams.map(({ id, titre, isFree, ...times }) => {
    const [opensAt, closesAt] = [new Date(times.opensAt), new Date(times.closesAt)];
    const isOpen = now >= opensAt;
    return {
      href: examHref(id),
      nom: examName(titre),
      /** `samedi 5 décembre à 8 h`; null once it is open. */
      date: isOpen ? null : formatOpening(opensAt),
      when: startsIn({ opensAt, closesAt }, now),
      action: isOpen ? 'Composer' : 'Se préparer',
      isFree,
    };
  });

/** Returns the links to coming exams on a prepa's page. */
export const presentExamLinks = (exams: readonly UpcomingExam[], now: Date) =>
  presentUpcomingExams(exams, now).map(({ href, nom, date, when, isFree }) => ({
    href,
    label: `${nom} : ${date ?? when.toLowerCase()}`,
    isFree,
  }));

/** Returns the links to coming exams in the trial of their prepa, each with who may take it. */
export const presentTrialExams = (exams: readonly UpcomingExam[], now: Date) =>
  presentExamLinks(exams, now).map(({ href, label, isFree }) => ({
    href,
    label: `${label} (${isFree ? 'gratuit' : 'pour les inscrits'})`,
  }));

/** Returns what a visitor comes for: the end of 'Connectez-vous pour …'. */
export const sittingPurpose = (titre: string): string => withFrenchSpaces(`composer : ${examName(titre)}`);

/** Returns the exams that everybody may take, for the landing page. */
export const presentFreeExams = (exams: readonly FreeExam[], now: Date) =>
  exams
    .filter(({ closesAt }) => now < closesAt)
    .map(({ id, titre, prepaNom, duree, ...times }) => ({
      href: examHref(id),
      nom: examName(titre),
      purpose: sittingPurpose(titre),
      prepa: prepaNom,
      window: `${formatWindow(times)}, durée ${sayMinutes(duree)}`,
    }));

/** Returns the exams of the list: those to come, the next one first, and those that have closed, the newest first. */
export function presentExams(rows: readonly ListedExam[], now: Date) {
  const exams = rows.map((row) => {
    const { state, label } = stateForCandidate(row, row.hasSat, now);
    const isComing = state === 'announced' || state === 'open';
    return {
      isComing,
      nom: examName(row.titre),
      prepa: row.prepaNom,
      href: state === 'published' && row.hasSat ? `${examHref(row.id)}/resultat` : examHref(row.id),
      label,
      kind: state === 'open' || state === 'published' ? ('success' as const) : ('info' as const),
      window: formatWindow(row),
      duration: sayMinutes(row.duree),
      when: isComing && row.handedInAt === null ? startsIn(row, now) : null,
      handedIn: row.handedInAt === null ? null : `Copie remise le ${formatOpening(row.handedInAt)}`,
      action:
        state === 'published' && row.hasSat
          ? 'Voir mon résultat'
          : state === 'announced'
            ? 'Se préparer'
            : state === 'open' && row.handedInAt === null
              ? 'Composer'
              : 'Ouvrir',
    };
  });
  return { coming: exams.filter(({ isComing }) => isComing).reverse(), past: exams.filter(({ isComing }) => !isComing) };
}
