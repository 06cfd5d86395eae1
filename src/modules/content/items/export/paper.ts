import { letterOf } from '../../../../shared/questions/letter.ts';
import { type QuestionHtml, questionsOf } from '../../../../shared/questions/question-html.ts';
import type { QuestionKey } from '../../../../shared/questions/question-keys.ts';
import { asRead } from '../../../../shared/rich-text/as-read.ts';
import type { ItemWithQuestions } from './export.repository.ts';

/** A question on paper. */
interface PaperQuestion {
  number: number;
  points: string | null;
  /** Whether several choices may be right. */
  isSeveral: boolean;
  /** HTML. */
  statement: string;
  choices: { letter: string; html: string }[];
  /** Unit of a number; '' without one. */
  unit: string;
  /** The right answer: letters, a value, or accepted answers. */
  answer: string;
  /** HTML; null without one. */
  explanation: string | null;
}

export interface PaperPart {
  titre: string;
  questions: PaperQuestion[];
}

/** Returns items with questions as a printed paper, numbered through. Questions that cannot be asked are left out. */
export function presentPaper(items: readonly ItemWithQuestions[]): PaperPart[] {
  let number = 0;
  return items
    .map(({ titre, contenu, keys }) => {
      const byId = new Map(keys.map((key) => [key.id, key]));
      const questions = questionsOf(asRead(contenu)).flatMap((question) => {
        const key = byId.get(question.id);
        if (!key) return [];
        number += 1;
        return [presentQuestion(question, key, number)];
      });
      return { titre, questions };
    })
    .filter(({ questions }) => questions.length > 0);
}

function presentQuestion(question: QuestionHtml, key: QuestionKey, number: number): PaperQuestion {
  const { kind, points, statement, unit } = question;
  const choices = question.choices.map(({ id, html }, index) => ({ id, letter: letterOf(index), html }));
  const right = choices.filter(({ id }) => key.right.includes(id)).map(({ letter }) => letter);
  return {
    number,
    points: points === 1 ? null : `${String(points).replace('.', ',')} ${points < 2 ? 'point' : 'points'}`,
    isSeveral: kind === 'several',
    statement,
    choices: choices.map(({ letter, html }) => ({ letter, html })),
    unit,
    answer: kind === 'number' ? writtenValue(key) : kind === 'text' ? key.accepted.join(' ; ') : right.join(', '),
    explanation: key.explanation && asRead(key.explanation),
  };
}

const writtenValue = ({ value, tolerance, unit }: QuestionKey): string =>
  [value, tolerance && `± ${tolerance}`, unit].filter((part) => part !== '').join(' ');
