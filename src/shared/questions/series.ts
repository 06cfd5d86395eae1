import type { Given } from './grade.ts';
import { type MarkingRule, sayRule } from './marking-rule.ts';
import { introOf, type QuestionHtml, questionsOf } from './question-html.ts';
import { mayShuffle, shuffled } from './shuffle.ts';

/** How a series is taken: with feedback after each question, or with a time and feedback at the end. */
export const seriesModes = ['learn', 'exam'] as const;
export type SeriesMode = (typeof seriesModes)[number];
export const modeNames: Record<SeriesMode, string> = { learn: 'Apprendre', exam: "Comme à l'examen" };

const wordsOf = (html: string): string => html.replaceAll(/<[^>]*>/g, ' ');

/**
 * Returns the ids of a question's choices in the order of an attempt: computed anew it is the same.
 * @param lettered whether its explanation or a remark names a choice by its letter (`letteredSql`)
 */
export function orderIn(attempt: string, { id, fixed, choices }: QuestionHtml, lettered: boolean): string[] {
  const ids = choices.map((choice) => choice.id);
  return fixed || lettered || !mayShuffle(choices.map(({ html }) => wordsOf(html))) ? ids : shuffled(ids, `${attempt}.${id}`);
}

export type Outcome = 'right' | 'wrong' | 'none';

/** Returns the outcome of a question. 'Je ne sais pas' is no answer. */
export const outcomeOf = (answer: { given: Given; isRight: boolean } | null): Outcome =>
  answer === null || 'skipped' in answer.given ? 'none' : answer.isRight ? 'right' : 'wrong';

export interface Score {
  points: number;
  possible: number;
  counts: Record<Outcome, number>;
}

/** Returns the score of a series by its rule; each question counts with its points. */
export function scoreOf(results: readonly { outcome: Outcome; points: number }[], rule: MarkingRule): Score {
  const factor: Record<Outcome, number> = { right: rule.juste, wrong: rule.faux, none: rule.sans };
  const counts: Score['counts'] = { right: 0, wrong: 0, none: 0 };
  let [points, possible] = [0, 0];
  for (const result of results) {
    counts[result.outcome] += 1;
    points += result.points * factor[result.outcome];
    possible += result.points * rule.juste;
  }
  const rounded = (sum: number): number => Math.round(sum * 100) / 100;
  return { points: rounded(points), possible: rounded(possible), counts };
}

interface Series {
  id: number;
  /** Number of its questions. */
  count: number;
  /** Minutes of 'Comme à l'examen'; null for no limit. */
  duree: number | null;
  bareme: MarkingRule;
}

/** Returns '10 questions' and, with a time, '10 questions, 20 min à l'examen'. */
const describeSeries = ({ count, duree }: Pick<Series, 'count' | 'duree'>): string =>
  `${count} ${count === 1 ? 'question' : 'questions'}${duree === null ? '' : `, ${duree} min à l'examen`}`;

/** Returns HTML: what a series has, its rule, and the two ways to begin. @param replaces what becomes of the open attempt; null without one */
export function seriesStart({ id, bareme, ...series }: Series, replaces: string | null = null): string {
  if (series.count === 0) return '<p>Cette série est en préparation.</p>';
  return `<p><strong>${describeSeries(series)}</strong></p><p>Barème : ${sayRule(bareme)}</p>${replaces === null ? '' : `<p><strong>${replaces}</strong></p>`}<form class="actions" method="post" action="/user/series/${id}/tentatives">${replaces === null ? '' : '<input type="hidden" name="recommencer" value="oui">'}<button class="button${replaces === null ? '' : ' button--secondary'}" type="submit" name="mode" value="learn">${modeNames.learn}</button><button class="button button--secondary" type="submit" name="mode" value="exam">${modeNames.exam}</button></form><p>« ${modeNames.learn} » explique après chaque question. « ${modeNames.exam} » ${series.duree === null ? '' : 'compte le temps et '}ne corrige qu'à la fin.</p>`;
}

/** Returns a series' text as its study page shows it: the introduction, and how to begin. Its questions are asked on pages of their own. */
export const seriesText = (contenu: string, series: Omit<Series, 'count'>): string =>
  `${introOf(contenu)}${seriesStart({ ...series, count: questionsOf(contenu).length })}`;
