import { escapeHtml } from '../escapes.ts';
import { questionFields, questionHead } from './asked.ts';
import type { Given } from './grade.ts';
import type { QuestionHtml } from './question-html.ts';

interface Asking {
  /** Ids of the choices in the order shown. */
  order: readonly string[];
  /** Where the form is sent without scripts, and the call for scripts. */
  action: string;
  call: string;
  /** In the exam, which keeps answers without judging them: the answer kept so far. */
  kept: { given: Given | null } | null;
  /** What the fields begin with before anything was sent or kept. */
  typed?: Given | null;
}

/** Returns a question of a series as a form. Apart from `askedQuestion`, which study pages load in their scripts. */
export function askedInSeries(question: QuestionHtml, number: number, { order, action, call, kept, typed = null }: Asking): string {
  const { id, statement } = question;
  const choices = order.flatMap((at) => question.choices.filter((choice) => choice.id === at));
  const fields = withGiven(questionFields({ ...question, choices }), kept?.given ?? typed);
  const [send, skip] = kept ? ['Garder ma réponse', 'Sans réponse'] : ['Vérifier', 'Je ne sais pas'];
  return `<form class="question" id="q-${id}" method="post" action="${action}" data-reponse="${call}"${kept ? ' data-plain' : ''}>${questionHead(question, number)}<div id="e-${id}">${statement}</div>${fields}<div class="actions"><button class="button button--secondary" type="submit">${send}</button><button class="button button--quiet" type="submit" name="passe" value="1">${skip}</button></div></form>`;
}

/** Returns fields that begin with an answer. */
export function withGiven(fields: string, given: Given | null): string {
  if (!given || 'skipped' in given) return fields;
  if ('typed' in given) return fields.replace('name="texte"', () => `name="texte" value="${escapeHtml(given.typed)}"`);
  return given.choices.reduce((html, id) => html.replace(`name="choix" value="${id}"`, `$& checked`), fields);
}
