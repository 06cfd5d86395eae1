import type { AnswerFields } from './answer-form.ts';
import { type Given, withoutUnit } from './grade.ts';
import { readNumber } from './number.ts';
import type { QuestionHtml } from './question-html.ts';

/** Returns a text without what PostgreSQL cannot store: NUL, and halves of pairs (an emoji of which one half was deleted). */
export const storable = (text: string): string => text.replaceAll(/\0|\p{Cs}/gu, '');

/**
 * Returns an answer in French when it cannot be judged: nothing was given, a choice is not one of the question's, or a text is no number.
 * @param numbersOnly false where nobody can be asked again: such a text is then a wrong answer
 */
export function readGiven(
  { kind, choices, unit }: Pick<QuestionHtml, 'kind' | 'choices' | 'unit'>,
  { choix, texte, passe }: AnswerFields,
  { numbersOnly = true } = {},
): Given | string {
  if (passe) return { skipped: true };
  if (kind === 'number' || kind === 'text') {
    const typed = storable(texte ?? '').trim();
    if (typed === '') return 'Écrivez une réponse, ou choisissez «\u00a0Je ne sais pas\u00a0».';
    if (numbersOnly && kind === 'number' && readNumber(withoutUnit(typed, unit)) === null)
      return `Écrivez un nombre, par exemple 12 ou 3,5${unit && `, seul ou suivi de ${unit}`}.`;
    return { typed };
  }
  const chosen = [...new Set(choix ?? [])].sort();
  if (chosen.length === 0) return 'Choisissez une réponse, ou «\u00a0Je ne sais pas\u00a0».';
  if (chosen.some((id) => !choices.some((choice) => choice.id === id)))
    return 'Cette question vient de changer : rechargez la page, puis répondez de nouveau.';
  return kind === 'one' && chosen.length > 1 ? 'Choisissez une seule réponse.' : { choices: chosen };
}
