import type { EntityManager } from '@mikro-orm/postgresql';
import { standingNames } from '../../../../shared/exams/exam-words.ts';
import { beginningOf } from '../../../../shared/questions/beginning.ts';
import { letterOf } from '../../../../shared/questions/letter.ts';
import { type QuestionHtml, questionsOf } from '../../../../shared/questions/question-html.ts';
import { asRead } from '../../../../shared/rich-text/as-read.ts';
import { findPapers } from '../papers/paper.repository.ts';
import { examHref } from './addresses.ts';
import type { AnswerCounts, FrozenQuestionRow } from './exam.administration.repository.ts';

/** Most characters of a statement in the list, and of a choice. */
const shown = { statement: 160, choice: 90 };

const share = new Intl.NumberFormat('fr', { style: 'percent', maximumFractionDigits: 1 });

/** Returns the questions of frozen texts, by id. */
export const questionTexts = (texts: readonly { contenu: string }[]): Map<string, QuestionHtml> =>
  new Map(texts.flatMap(({ contenu }) => questionsOf(contenu).map((question) => [question.id, question] as const)));

/** Returns a question for the list. @param html its text; undefined if the paper has lost it @param counts null before the marking */
export function presentQuestion(examId: number, row: FrozenQuestionRow, html: QuestionHtml | undefined, counts: AnswerCounts | null) {
  const { questionId, position, standing, paperTitre } = row;
  const { answered, right } = counts?.questions.get(questionId) ?? { answered: 0, right: 0 };
  return {
    href: `${examHref(examId)}/questions/${questionId}`,
    id: questionId,
    position,
    paper: paperTitre,
    statement: beginningOf(asRead(html?.statement ?? ''), shown.statement) || '[énoncé sans texte]',
    /** HTML of the right answer within a line. */
    key: sayKey(row, html),
    standing: standing === 'counted' ? null : standingNames[standing],
    /** '41,7 %'; null before the marking. */
    facility: counts === null || counts.copies === 0 ? null : share.format(right / counts.copies).replaceAll(/\s/g, ' '),
    answered,
  };
}

function sayKey({ key }: FrozenQuestionRow, html: QuestionHtml | undefined): string {
  const plain = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  if (key.kind === 'number') return plain([key.value, key.unit, key.tolerance && `(± ${key.tolerance})`].filter(Boolean).join(' '));
  if (key.kind === 'text') return plain(key.accepted.join(' · '));
  return choicesOf(html)
    .filter(({ id }) => key.right.includes(id))
    .map(({ letter, html: text }) => `${letter}. ${text}`)
    .join(' · ');
}

/** Returns the choices with their letters in the order of the text. */
export const choicesOf = (html: QuestionHtml | undefined) =>
  (html?.choices ?? []).map((choice, index) => ({
    id: choice.id,
    letter: letterOf(index),
    html: beginningOf(asRead(choice.html), shown.choice) || '[choix sans texte]',
  }));

/** Returns the choices of a question of an announced exam, with their letters. */
export const findChoices = async (em: EntityManager, examId: number, questionId: string) =>
  choicesOf(questionTexts(await findPapers(em, examId)).get(questionId));
