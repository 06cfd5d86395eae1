import type { AnswerFields } from './answer-form.ts';
import type { Given } from './grade.ts';
import type { QuestionHtml } from './question-html.ts';

/** Returns an answer in French when it cannot be judged: nothing was given, or a choice is not one of the question's. */
export function readGiven(
  { kind, choices }: Pick<QuestionHtml, 'kind' | 'choices'>,
  { choix, texte, passe }: AnswerFields,
): Given | string {
  if (passe) return { skipped: true };
  if (kind === 'number' || kind === 'text') {
    const typed = texte?.trim() ?? '';
    return typed === '' ? 'Écrivez une réponse, ou choisissez «\u00a0Je ne sais pas\u00a0».' : { typed };
  }
  const chosen = [...new Set(choix ?? [])].sort();
  if (chosen.length === 0) return 'Choisissez une réponse, ou «\u00a0Je ne sais pas\u00a0».';
  if (chosen.some((id) => !choices.some((choice) => choice.id === id)))
    return 'Cette question vient de changer : rechargez la page, puis répondez de nouveau.';
  return kind === 'one' && chosen.length > 1 ? 'Choisissez une seule réponse.' : { choices: chosen };
}
