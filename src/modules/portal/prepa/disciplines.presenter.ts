import type { Toast } from '../../../platform/pages/flash.ts';
import { formatDate } from '../../../shared/dates.ts';
import { type DisciplineRow, presentDisciplineCard } from '../../catalogue/index.ts';
import type { StudyProgress } from '../../content/index.ts';
import type { PrepaContents } from './prepa.repository.ts';

/** The disciplines of a prepa as cards, each with what is read of it; what could not be read (null) says so in their place and in a toast. */
export function presentDisciplines(disciplines: DisciplineRow[] | null, progress: StudyProgress) {
  const failure: Toast = { kind: 'error', message: 'Erreur lors du chargement des disciplines' };
  return {
    disciplines: (disciplines ?? []).map((row) => ({ ...presentDisciplineCard(row), progress: progress.disciplines[row.id] ?? null })),
    error: disciplines ? null : 'Impossible de charger les disciplines. Veuillez réessayer plus tard.',
    toasts: disciplines ? [] : [failure],
  };
}

/** What is paid for, in words; null of a prepa without contents. */
export function presentContents({ lecons, exercices, sujets, changedAt }: PrepaContents) {
  const counted = [
    [lecons, 'leçon', 'leçons'],
    [exercices, 'exercice', 'exercices'],
    [sujets, 'ancien sujet', 'anciens sujets'],
  ] as const;
  const parts = counted.filter(([count]) => count > 0).map(([count, one, many]) => `${count} ${count > 1 ? many : one}`);
  return parts.length > 0 ? { contenu: parts.join(', '), changed: formatDate(changedAt) } : null;
}
