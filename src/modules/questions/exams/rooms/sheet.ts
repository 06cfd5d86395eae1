import type { PaperPart, PaperStep } from '../../../../shared/exams/paper-html.ts';

/** Questions of a page. */
const pageLength = 10;

/** A page of the paper for candidates without scripts. */
export interface SheetPage {
  /** HTML: title of the paper. */
  head: string;
  steps: PaperStep[];
  /** HTML after the last question of a paper, else ''. */
  tail: string;
}

/** Splits papers into pages. Each paper begins a page. */
export const sheetPagesOf = (parts: readonly PaperPart[]): SheetPage[] =>
  parts.flatMap(({ head, steps, tail }) => {
    const count = Math.max(1, Math.ceil(steps.length / pageLength));
    return Array.from({ length: count }, (_, page) => ({
      head,
      steps: steps.slice(page * pageLength, (page + 1) * pageLength),
      tail: page === count - 1 ? tail : '',
    }));
  });

/** Returns the questions without an answer, with their page. */
export const unansweredOf = (
  pages: readonly SheetPage[],
  given: ReadonlyMap<string, unknown>,
): { number: number; questionId: string; page: number }[] =>
  pages.flatMap(({ steps }, index) =>
    steps.filter(({ questionId }) => !given.has(questionId)).map(({ number, questionId }) => ({ number, questionId, page: index + 1 })),
  );
