import { dayMs, formatInstant, formatTime } from '../../../../shared/dates.ts';
import { type ExamState, examState } from '../../../../shared/exams/exam-state.ts';
import { audienceNames } from '../../../../shared/exams/exam-words.ts';
import { sayRule } from '../../../../shared/questions/marking-rule.ts';
import type { ExamRow } from '../exam/exam.repository.ts';
import { markedFrom } from '../marking/marking.repository.ts';
import { examHref } from './addresses.ts';
import type { ExamNumbers } from './exam.administration.repository.ts';
import { badgeOf, formatCount, instantOf, sayMinutes } from './exam-words.ts';
import { presentPaper } from './paper.presenter.ts';
import type { PaperRow } from './paper.repository.ts';

/** Returns an exam for its page. @param numbers null before the announcement */
export function presentExam(exam: ExamRow, papers: readonly PaperRow[], numbers: ExamNumbers | null, now: Date) {
  const state = examState(exam, now);
  const href = examHref(exam.id);
  const isMarkable = now >= markedFrom(exam);
  return {
    id: exam.id,
    titre: exam.titre,
    href,
    revision: exam.revision,
    state,
    badge: badgeOf(state),
    said: sayState(exam, state, now),
    facts: factsOf(exam),
    consignes: exam.consignes,
    papers: papers.map((paper) => presentPaper(paper, exam, now)),
    // Before the opening there is nothing to count.
    numbers: numbers && state !== 'announced' ? presentNumbers(numbers, state, now) : null,
    // After the publication nothing is decided any more.
    waiting: state === 'published' ? 0 : (numbers?.waiting ?? 0),
    late: numbers?.late ?? 0,
    may: {
      edit: state === 'draft' || state === 'announced' || state === 'open',
      choosePapers: state === 'draft',
      preview: papers.length > 0,
      announce: state === 'draft',
      delete: state === 'draft',
      mark: isMarkable && (state === 'closed' || state === 'marked'),
      publish: state === 'marked',
      questions: state !== 'draft',
      results: state === 'marked' || state === 'published',
    },
  };
}

function factsOf(exam: ExamRow): { name: string; value: string }[] {
  return [
    { name: 'Préparation', value: exam.prepaNom },
    { name: 'Ouverture', value: formatInstant(exam.opensAt) },
    { name: 'Fermeture', value: formatInstant(exam.closesAt) },
    { name: 'Durée', value: `${sayMinutes(exam.duree)} pour chaque candidat, au plus tard jusqu'à la fermeture` },
    { name: 'Délai de réception', value: exam.grace === 0 ? 'Aucun' : `${sayMinutes(exam.grace)} après la fin` },
    { name: 'Barème', value: sayRule(exam.bareme) },
    { name: 'Qui peut composer', value: audienceNames[exam.audience] },
  ];
}

/** Returns what happens now and next, in a sentence. */
function sayState(exam: ExamRow, state: ExamState, now: Date): string {
  const { opensAt, closesAt, markedAt, publishedAt } = exam;
  switch (state) {
    case 'draft':
      return opensAt <= now
        ? "L'heure d'ouverture est passée sans annonce : modifiez-la, puis annoncez le concours blanc."
        : "Personne ne le connaît encore. Choisissez ses épreuves, regardez l'aperçu, puis annoncez-le.";
    case 'announced':
      return `Les candidats le connaissent, et leurs appareils prennent le sujet scellé quand ils ouvrent sa page ou la salle. Ouverture ${sayWhen(opensAt, now)}.`;
    case 'open':
      return `Les candidats composent. Fermeture ${sayWhen(closesAt, now)}.`;
    case 'closed': {
      const from = markedFrom(exam);
      return from > now
        ? `Plus personne ne compose. Des copies coupées du réseau peuvent encore arriver. Correction possible à ${formatTime(from)}.`
        : 'Le délai est passé : corrigez les copies.';
    }
    case 'marked':
      return `Les copies ont été corrigées le ${formatInstant(markedAt ?? now)}. Regardez les questions et les retards, puis publiez les résultats.`;
    case 'published':
      return `Les résultats ont été publiés le ${formatInstant(publishedAt ?? now)}. Une question corrigée maintenant change les rangs aussitôt, et les candidats en sont prévenus.`;
  }
}

/** Returns 'dans 12 min, le 3 mars 2027 à 08:00'. */
function sayWhen(at: Date, now: Date): string {
  const left = at.getTime() - now.getTime();
  const date = `le ${formatInstant(at)}`;
  if (left >= 2 * dayMs) return `dans ${Math.floor(left / dayMs)} jours, ${date}`;
  return `dans ${sayMinutes(Math.max(1, Math.ceil(left / 60_000)))}, ${date}`;
}

function presentNumbers(numbers: ExamNumbers, state: ExamState, now: Date) {
  const { begun, sitting, handedIn, bySite, late, batches, lastBatchAt } = numbers;
  const isLive = state === 'open' || state === 'closed';
  return {
    at: instantOf(now),
    list: [
      { name: 'Ont commencé', value: formatCount(begun) },
      ...(isLive ? [{ name: 'Composent maintenant', value: formatCount(sitting) }] : []),
      { name: 'Copies remises', value: formatCount(handedIn) },
      // Until the marking, the site hands in nobody.
      ...(isLive ? [] : [{ name: 'Remises par le site', value: formatCount(bySite) }]),
      { name: 'En retard', value: formatCount(late) },
      ...(isLive ? [{ name: 'Envois de réponses en 1 min', value: formatCount(batches) }] : []),
    ],
    lastBatch: isLive && lastBatchAt ? instantOf(lastBatchAt) : null,
    /** Candidates compose, and nothing has arrived for three minutes. */
    isSilent: state === 'open' && sitting > 0 && (lastBatchAt === null || now.getTime() - lastBatchAt.getTime() > 180_000),
  };
}
