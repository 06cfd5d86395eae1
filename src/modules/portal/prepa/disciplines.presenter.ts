import type { Toast } from '../../../platform/pages/flash.ts';
import { type DisciplineRow, presentDisciplineCard } from '../../catalogue/index.ts';
import type { StudyProgress } from '../../content/index.ts';

/** The disciplines of a prepa as cards, each with what is read of it; what could not be read (null) says so in their place and in a toast. */
export function presentDisciplines(disciplines: DisciplineRow[] | null, progress: StudyProgress) {
  const failure: Toast = { kind: 'error', message: 'Erreur lors du chargement des disciplines' };
  return {
    disciplines: (disciplines ?? []).map((row) => ({ ...presentDisciplineCard(row), progress: progress.disciplines[row.id] ?? null })),
    error: disciplines ? null : 'Impossible de charger les disciplines. Veuillez réessayer plus tard.',
    toasts: disciplines ? [] : [failure],
  };
}
