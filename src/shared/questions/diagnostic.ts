/** Most questions of a diagnostic. */
export const maxDiagnosticQuestions = 10;
/** Estimate of the time for one question, in minutes. */
const minutesPerQuestion = 1;

/** Returns the path of a discipline's diagnostic. */
export const diagnosticHref = (prepaId: number, disciplineId: number): string =>
  `/user/prepa/consultation/${prepaId}/${disciplineId}/diagnostic`;

/** Returns 'Testez-vous en 10 questions'. */
export const diagnosticTitle = (count: number): string => `Testez-vous en ${count} ${count === 1 ? 'question' : 'questions'}`;

/** Returns 'environ 10 minutes'. */
export const diagnosticTime = (count: number): string => `environ ${count * minutesPerQuestion} ${count === 1 ? 'minute' : 'minutes'}`;

/** A link to a diagnostic; null where the discipline has none. */
export type DiagnosticLink = { href: string; title: string; time: string } | null;

/** @param count of the questions that it asks */
export const diagnosticLink = (prepaId: number, disciplineId: number, count: number): DiagnosticLink =>
  count === 0 ? null : { href: diagnosticHref(prepaId, disciplineId), title: diagnosticTitle(count), time: diagnosticTime(count) };

/** Results of a theme. */
export interface ThemeScore {
  right: number;
  total: number;
}

/** Returns the theme to begin with: the lowest share of right answers, then the most questions, then the first. Null when all are right. */
export function weakestTheme<Theme extends ThemeScore>(themes: readonly Theme[]): Theme | null {
  const [weakest] = themes
    .filter(({ right, total }) => right < total)
    .toSorted((one, other) => one.right / one.total - other.right / other.total || other.total - one.total);
  return weakest ?? null;
}
