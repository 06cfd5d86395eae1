import { answeredQuestion } from '../../../../src/shared/questions/answered.ts';
import { type Given, isRight } from '../../../../src/shared/questions/grade.ts';
import type { QuestionHtml } from '../../../../src/shared/questions/question-html.ts';
import type { QuestionKey } from '../../../../src/shared/questions/question-keys.ts';
import { asRead } from '../../../../src/shared/rich-text/as-read.ts';
import { withFigureLinks } from '../../../../src/shared/rich-text/figure-links.ts';
import type { Judged } from '../../../questions/answer.ts';

/** Judges an answer as the site does, and returns the judged question with unsigned pictures. @param number shown with the question; null without */
export function judge(question: QuestionHtml, key: QuestionKey, given: Given, number: number | null): Judged {
  const juste = isRight(key, given);
  return { juste, html: withFigureLinks(asRead(answeredQuestion({ question, key, given, isRight: juste, number, isListed: true }))) };
}
