import { formatInstant } from '../../../../shared/dates.ts';
import { type ExamState, examStateNames } from '../../../../shared/exams/exam-state.ts';
import type { PaperKind } from '../../../../shared/exams/exam-words.ts';

export const paperKindNames: Record<PaperKind, string> = {
  quiz: 'Série notée par le site',
  pastExam: 'Ancien sujet noté par le candidat',
};

const badgeKinds: Record<ExamState, 'info' | 'success' | 'warning'> = {
  draft: 'info',
  announced: 'success',
  open: 'warning',
  closed: 'warning',
  marked: 'info',
  published: 'success',
};

export const badgeOf = (state: ExamState) => ({ kind: badgeKinds[state], name: examStateNames[state] });

/** Returns '1 copie', '3 copies'. French counts 0 and 1 as singular. */
export const counted = (count: number, one: string, several = `${one}s`): string => `${whole.format(count)} ${count < 2 ? one : several}`;

const whole = new Intl.NumberFormat('fr');
/** Returns '8 930', with an ordinary space. */
export const formatCount = (count: number): string => whole.format(count).replaceAll(/\s/g, ' ');

export const instantOf = (at: Date) => ({ machine: at.toISOString(), text: formatInstant(at) });

/** Returns '2 h 30', '45 min'. @param minutes whole minutes */
export function sayMinutes(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  if (hours === 0) return `${rest} min`;
  return rest === 0 ? `${hours} h` : `${hours} h ${String(rest).padStart(2, '0')}`;
}
