import { readNumber, readTolerance } from '../../../../shared/questions/number.ts';
import { maxPoints, type QuestionKind } from '../../../../shared/rich-text/question-kinds.ts';
import type { FileQuestion } from './file-questions.ts';

/** What Moodle's formats cannot say about a question. An exported file says it in a comment, which Moodle leaves aside. */
export interface OwnNote {
  readonly kind?: QuestionKind;
  readonly points?: number;
  readonly fixed?: boolean;
  readonly value?: string;
  readonly tolerance?: string;
  readonly unit?: string;
}

const MARK = 'prepa ';

/** Returns a comment's text. Hyphens are escaped, since two of them end a comment in XML. */
export const commentOf = (note: OwnNote): string => MARK + JSON.stringify(note).replaceAll('-', '\\u002d');

/** Returns the note in one of the comments before a question; null without one. */
export function ownNote(comments: readonly string[]): OwnNote | null {
  for (const comment of comments) {
    const text = comment.trim();
    if (!text.startsWith(MARK)) continue;
    try {
      const note: unknown = JSON.parse(text.slice(MARK.length));
      if (typeof note === 'object' && note !== null) return note;
    } catch {
      // Somebody has changed the comment: the file itself says enough.
    }
  }
  return null;
}

/** Returns a question with what its note says, where the file does not say otherwise. */
export function withOwnNote(question: FileQuestion, note: OwnNote | null): FileQuestion {
  if (!note) return question;
  const { points, fixed, value, tolerance = '', unit } = note;
  const text = (said: unknown): said is string => typeof said === 'string' && said.length <= 200;
  const isSame =
    text(value) && readNumber(value) === readNumber(question.value) && text(tolerance) && isSameTolerance(value, tolerance, question);
  return {
    ...question,
    points: typeof points === 'number' && points > 0 && points <= maxPoints ? points : question.points,
    fixed: fixed === true || question.fixed,
    ...(question.kind === 'number' && isSame && { value, tolerance }),
    ...(question.kind === 'number' && text(unit) && { unit }),
  };
}

function isSameTolerance(value: string, tolerance: string, question: FileQuestion): boolean {
  const own = absoluteTolerance(value, tolerance);
  const other = absoluteTolerance(question.value, question.tolerance);
  return own !== null && other !== null && Math.abs(own - other) <= 1e-9 * Math.max(own, other);
}

/** Returns how far an answer may be from the value; null when one of them is no number. */
export function absoluteTolerance(value: string, typed: string): number | null {
  const number = readNumber(value);
  const tolerance = readTolerance(typed);
  if (number === null || tolerance === null) return null;
  return tolerance.by === 'absolute' ? tolerance.amount : tolerance.amount * Math.abs(number);
}
