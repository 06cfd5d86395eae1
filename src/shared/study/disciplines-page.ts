import type { KeepingLink } from '../offline/keeping-link.ts';
import type { presentDisciplineCard } from './cards.ts';
import { type CurveMark, presentCurve } from './marks.ts';
import type { StudyProgress } from './progress.ts';

type Card = ReturnType<typeof presentDisciplineCard>;

/**
 * Returns the disciplines of a prepa as cards with the learner's progress. If they could not be read (null), an error text and a toast
 * replace them.
 */
export function presentDisciplines(cards: readonly Card[] | null, progress: Pick<StudyProgress, 'disciplines'>) {
  const failure = { kind: 'error' as const, message: 'Erreur lors du chargement des disciplines' };
  return {
    disciplines: (cards ?? []).map((card) => ({ ...card, progress: progress.disciplines[card.id] ?? null })),
    error: cards ? null : 'Impossible de charger les disciplines. Veuillez réessayer plus tard.',
    toasts: cards ? [] : [failure],
  };
}

/**
 * Returns the disciplines of a prepa for a learner with access, for `portal/disciplines`.
 * @param keep link for saving the prepa offline
 * @param marks the learner's latest marks, newest first; a device has none
 */
export function presentOpenPrepa(
  prepa: { id: number; nom: string },
  cards: readonly Card[] | null,
  progress: StudyProgress,
  keep: KeepingLink | null,
  marks: readonly CurveMark[],
) {
  return {
    title: prepa.nom,
    plan: null,
    trial: false,
    visitor: false,
    reason: null,
    prepa,
    contents: null,
    ...presentDisciplines(cards, progress),
    progress: progress.prepas[prepa.id] ?? null,
    curve: presentCurve(marks),
    /** Whether the learner has marks in this prepa. */
    hasMarks: marks.length > 0,
    studyLinks: [...progress.links, ...(keep ? [keep] : [])],
    paymentIsland: '',
  };
}
