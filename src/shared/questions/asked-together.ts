import { questionFields, questionHead } from './asked.ts';
import { withGiven } from './asked-in-series.ts';
import type { Given } from './grade.ts';
import type { QuestionHtml } from './question-html.ts';

/** Beginning of the name of a question's field in a form with several questions; its id follows. */
export const fieldPrefix = 'r-';
/** Value of the choice 'Je ne sais pas'. */
export const notKnown = '';

// Text has no `<`: only the fields match.
const fieldName = /(<input[^>]*?) name="(?:choix|texte)"/g;

/**
 * Returns a question as a part of a form with several questions, each with fields of its own name. A question with one right choice also
 * offers 'Je ne sais pas', since a radio button that was chosen stays chosen.
 * @param given the answer that the fields begin with
 */
export function askedTogether(question: QuestionHtml, number: number, given: Given | null): string {
  const { id, kind, statement } = question;
  const fields = withGiven(questionFields(question), given);
  const isNotKnown = given !== null && 'skipped' in given;
  const own = `<label class="question__choice"><input type="radio" name="choix" value="${notKnown}"${isNotKnown ? ' checked' : ''}><span>Je ne sais pas</span></label>`;
  const all = kind === 'one' ? fields.replace(/<\/div>$/, () => `${own}</div>`) : fields;
  return `<div class="question" id="q-${id}" data-asked>${questionHead(question, number)}<div id="e-${id}">${statement}</div>${all.replaceAll(fieldName, `$1 name="${fieldPrefix}${id}"`)}</div>`;
}
