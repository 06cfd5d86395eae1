import { escapeHtml } from '../escapes.ts';
import { maxAnswerLength } from '../rich-text/question-kinds.ts';
import type { Given } from './grade.ts';
import { type QuestionHtml, replaceQuestions } from './question-html.ts';

/** Where a question's form is sent without scripts, and which page asks it alone. */
export const questionHref = (id: string): string => `/user/questions/${id}`;

const hints: Partial<Record<QuestionHtml['kind'], string>> = { several: 'Plusieurs réponses possibles' };

/** Returns the line above a statement. @param number of the question in its text; null when it is asked alone */
export function questionHead({ kind, points }: QuestionHtml, number: number | null): string {
  const parts = [
    `<strong>Question${number === null ? '' : ` ${number}`}</strong>`,
    ...(points === 1 ? [] : [`<span>${String(points).replace('.', ',')} ${points < 2 ? 'point' : 'points'}</span>`]),
    ...(hints[kind] ? [`<span>${hints[kind]}</span>`] : []),
  ];
  return `<p class="question__head">${parts.join(' ')}</p>`;
}

/** Returns the content of a choice that is a single paragraph, since a label can hold inline content only; null for any other choice. */
export function inlineChoice(html: string): string | null {
  const [, inner] = /^<p>((?:(?!<\/?p[ >]).)*)<\/p>$/s.exec(html) ?? [];
  return inner ?? null;
}

function choiceField({ kind }: QuestionHtml, { id, html }: QuestionHtml['choices'][number], isChosen: boolean): string {
  const input = `<input type="${kind === 'one' ? 'radio' : 'checkbox'}" name="choix" value="${id}"${isChosen ? ' checked' : ''}`;
  const inline = inlineChoice(html);
  return inline === null
    ? `<div class="question__choice">${input} aria-labelledby="t-${id}"><div id="t-${id}">${html}</div></div>`
    : `<label class="question__choice">${input}><span>${inline}</span></label>`;
}

/**
 * Returns the fields of a question: choices, or a field for a number or a short text.
 * @param order ids of the choices in the order shown
 * @param given an answer to begin with
 */
export function questionFields(
  question: QuestionHtml,
  order: readonly string[] = question.choices.map(({ id }) => id),
  given: Given | null = null,
): string {
  const { id, kind, unit, choices } = question;
  if (kind === 'number' || kind === 'text') {
    return `<p class="question__typed"><label><span>Votre réponse</span> <input class="input" name="texte" maxlength="${maxAnswerLength}" autocomplete="off" autocapitalize="off"${given && 'typed' in given ? ` value="${escapeHtml(given.typed)}"` : ''}></label>${unit ? ` <span>${unit}</span>` : ''}</p>`;
  }
  const chosen = given && 'choices' in given ? given.choices : [];
  const shown = order.flatMap((at) => choices.filter((choice) => choice.id === at));
  const rows = shown.map((choice) => choiceField(question, choice, chosen.includes(choice.id)));
  return `<div role="${kind === 'one' ? 'radiogroup' : 'group'}" aria-labelledby="e-${id}">${rows.join('')}</div>`;
}

/** How a question is asked; by default alone, in a text. */
export interface Asking {
  /** Ids of the choices in the order shown. */
  order?: readonly string[];
  /** Further fields, as HTML. */
  hidden?: string;
  /** Where the form is sent without scripts, and the call for scripts. */
  action?: string;
  call?: string;
  /** The answer is kept and not judged; `given` is the one kept so far. */
  kept?: { given: Given | null };
}

/** Returns a question as a form. */
export function askedQuestion(question: QuestionHtml, number: number | null, asking: Asking = {}): string {
  const { order, hidden = '', action = questionHref(question.id), call, kept } = asking;
  const { id, statement } = question;
  const [send, skip] = kept ? ['Garder ma réponse', 'Sans réponse'] : ['Vérifier', 'Je ne sais pas'];
  const attributes = `${call ? ` data-reponse="${call}"` : ''}${kept ? ' data-plain' : ''}`;
  return `<form class="question" id="q-${id}" method="post" action="${action}"${attributes}>${questionHead(question, number)}<div id="e-${id}">${statement}</div>${questionFields(question, order, kept?.given)}${hidden}<div class="actions"><button class="button button--secondary" type="submit">${send}</button><button class="button button--quiet" type="submit" name="passe" value="1">${skip}</button></div></form>`;
}

/** Returns a text as read, with its questions as forms. */
export const withQuestions = (html: string): string => replaceQuestions(html, (question, number) => askedQuestion(question, number));
