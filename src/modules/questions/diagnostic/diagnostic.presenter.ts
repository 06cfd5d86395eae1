import { escapeHtml } from '../../../shared/escapes.ts';
import { answeredQuestion } from '../../../shared/questions/answered.ts';
import { askedTogether } from '../../../shared/questions/asked-together.ts';
import { diagnosticHref, diagnosticTime, diagnosticTitle, weakestTheme } from '../../../shared/questions/diagnostic.ts';
import type { Given } from '../../../shared/questions/grade.ts';
import { outcomeOf } from '../../../shared/questions/series.ts';
import { asRead } from '../../../shared/rich-text/as-read.ts';
import { planParts } from '../../../shared/rich-text/plan.ts';
import { studyHref } from '../../../shared/study/place.ts';
import type { DiagnosticRow } from './diagnostic.repository.ts';
import type { Diagnostic, Judged } from './diagnostic.service.ts';

export interface Place {
  prepaId: number;
  disciplineId: number;
}

/** A part of the discipline's texts that questions are about. */
interface Theme {
  /** HTML of its name. */
  label: string;
  /** Address of its passage. */
  href: string;
}

const studyOf = ({ prepaId, disciplineId }: Place, { access }: DiagnosticRow): string =>
  access ? studyHref(prepaId, disciplineId) : `/user/prepa/consultation/${prepaId}/${disciplineId}`;

const headOf = (place: Place, { head, questions }: Diagnostic) => ({
  /** Name of prepa and discipline. */
  place: `${head.prepaNom} > ${head.disciplineNom}`,
  study: studyOf(place, head),
  base: diagnosticHref(place.prepaId, place.disciplineId),
  name: diagnosticTitle(questions.length),
});

/** Returns a diagnostic for `questions/diagnostic`; steps are HTML with unsigned pictures. @param given the answers that the fields begin with */
export function presentDiagnostic(place: Place, diagnostic: Diagnostic, given: ReadonlyMap<string, Given>) {
  const { questions } = diagnostic;
  const head = headOf(place, diagnostic);
  return {
    ...head,
    title: `${head.name} : ${diagnostic.head.disciplineNom}`,
    time: diagnosticTime(questions.length),
    ids: questions.map(({ id }) => id).join(','),
    steps: questions.map(({ html, id }, index) => askedTogether(html, index + 1, given.get(id) ?? null)),
  };
}

/**
 * Returns a function that gives the theme of a question: the part of the text's plan that it stands in, else its item.
 * @param base address of the discipline's page @param access whether that page is the study page
 */
export function themesOf(base: string, access: boolean) {
  const parts = new Map<number, ReturnType<typeof planParts>>();
  return ({ id, item }: { id: string; item: Pick<DiagnosticRow, 'itemId' | 'kind' | 'titre' | 'contenu'> }): Theme => {
    const known = parts.get(item.itemId) ?? planParts(item.contenu);
    parts.set(item.itemId, known);
    const at = item.contenu.indexOf(`<section class="question" data-id="${id}"`);
    const part = known.findLast(({ from }) => from < at);
    const address = `${base}?type=${item.kind}&item=${item.itemId}`;
    // The study page of a series shows its introduction only; the trial shows its text.
    const anchor = item.kind === 'quiz' && access ? '' : `#${part?.id ?? `q-${id}`}`;
    return { label: asRead(part?.label ?? escapeHtml(item.titre)), href: `${address}${anchor}` };
  };
}

/** Returns the score of each theme, in the order of the questions. */
function scoresOf(judged: readonly Judged[], themeOf: ReturnType<typeof themesOf>) {
  const themes = new Map<string, Theme & { right: number; total: number; said: string }>();
  for (const question of judged) {
    const theme = themeOf(question);
    // Questions of an item without parts have addresses of their own.
    const key = `${question.item.itemId} ${theme.label}`;
    const before = themes.get(key) ?? { ...theme, right: 0, total: 0 };
    const [right, total] = [before.right + (question.answer.isRight ? 1 : 0), before.total + 1];
    themes.set(key, { ...before, right, total, said: `${right} sur ${total}` });
  }
  return [...themes.values()];
}

/** Returns a result for `questions/diagnostic-result`; steps are HTML with unsigned pictures. */
export function presentDiagnosticResult(place: Place, diagnostic: Diagnostic, judged: readonly Judged[]) {
  const head = headOf(place, diagnostic);
  const themes = scoresOf(judged, themesOf(head.study, diagnostic.head.access));
  const weakest = weakestTheme(themes);
  return {
    ...head,
    title: `Résultat : ${diagnostic.head.disciplineNom}`,
    score: `${judged.filter(({ answer }) => answer.isRight).length} sur ${judged.length}`,
    themes,
    /** The theme to begin with, its name in guillemets; null when all is right. */
    weakest: weakest && { ...weakest, quoted: asRead(`« ${weakest.label} »`) },
    access: diagnostic.head.access,
    mistakes: judged.filter(({ answer }) => !answer.isRight).length,
    steps: judged.map(({ html, key, answer }, index) =>
      key ? answeredQuestion({ question: html, key, ...answer, number: index + 1, inSeries: true }) : '',
    ),
    outcomes: judged.map(({ answer }) => outcomeOf(answer)),
    /** Ids of the questions' elements. */
    anchors: judged.map(({ id }) => `q-${id}`),
  };
}
