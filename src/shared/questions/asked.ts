import type { ItemKind } from '../item-kinds.ts';
import { maxAnswerLength } from '../rich-text/question-kinds.ts';
import type { AnswerContext } from './answer-form.ts';
import { letterOf } from './letter.ts';
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
  return `<p class="field__hint question__head">${parts.join(' ')}</p>`;
}

/** Returns the content of a choice that is a single paragraph, since a label can hold inline content only; null for any other choice. */
export function inlineChoice(html: string): string | null {
  const [, inner] = /^<p>((?:(?!<\/?p[ >]).)*)<\/p>$/s.exec(html) ?? [];
  return inner ?? null;
}

function choiceField({ kind }: QuestionHtml, { id, html }: QuestionHtml['choices'][number], index: number): string {
  const input = `<input type="${kind === 'one' ? 'radio' : 'checkbox'}" name="choix" value="${id}"`;
  const inline = inlineChoice(html);
  const letter = `<strong>${letterOf(index)}.</strong>`;
  return inline === null
    ? `<div class="question__choice">${input} aria-labelledby="l-${id} t-${id}"><span id="l-${id}">${letter}</span><div id="t-${id}">${html}</div></div>`
    : // Programs without style sheets give each choice a line of its own. The letter also names a choice that is a formula or a picture.
      `<div><label class="question__choice">${input}><span>${letter} ${inline}</span></label></div>`;
}

/** Returns the fields of a question: choices, or a field for a number or a short text. */
export function questionFields(question: QuestionHtml): string {
  const { id, kind, unit, choices } = question;
  if (kind === 'number' || kind === 'text') {
    return `<p class="question__typed"><label><span>Votre réponse</span> <input class="input" type="text" name="texte" aria-describedby="e-${id}" maxlength="${maxAnswerLength}" autocomplete="off" autocapitalize="off"></label>${unit ? ` <span>${unit}</span>` : ''}</p>`;
  }
  const rows = choices.map((choice, index) => choiceField(question, choice, index));
  return `<div role="${kind === 'one' ? 'radiogroup' : 'group'}" aria-labelledby="e-${id}">${rows.join('')}</div>`;
}

/** Returns a question as a form. @param context where it is asked, if not in its text */
export function askedQuestion(question: QuestionHtml, number: number | null, context?: AnswerContext): string {
  const { id, statement } = question;
  const hidden = context ? `<input type="hidden" name="contexte" value="${context}">` : '';
  return `<form class="question" id="q-${id}" method="post" action="${questionHref(id)}">${questionHead(question, number)}<div id="e-${id}">${statement}</div>${questionFields(question)}${hidden}<div class="actions"><button class="button button--secondary" type="submit">Vérifier</button> <button class="button button--quiet" type="submit" name="passe" value="1">Je ne sais pas</button></div></form>`;
}

/** Said before the questions of a series that are asked in its text, as the trial and kept pages do. */
const inText = (id: number, trial: boolean): string =>
  trial
    ? `<p>Répondez ici pour essayer : chaque réponse est corrigée aussitôt. La note et le mode « Comme à l'examen » viennent avec l'inscription à cette préparation.</p>`
    : `<p>Répondez ici, même sans réseau : chaque réponse est corrigée aussitôt. Pour une note, ou pour répondre comme à l'examen, <a href="/user/series/${id}">ouvrez la série avec le réseau</a>.</p>`;

/**
 * Returns a text as read, with its questions as forms. The site's own text of a series has no questions (`seriesText`); that of a kept copy
 * has. @param of the text's item
 */
export function withQuestionForms(html: string, of?: { type: ItemKind; id: number } | null, trial = false): string {
  const text = of?.type === 'quiz' ? html.replace('<section class="question"', (first) => inText(of.id, trial) + first) : html;
  return replaceQuestions(text, (question, number) => askedQuestion(question, number));
}
