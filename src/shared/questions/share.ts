import type { ItemKind } from '../item-kinds.ts';
import { readableBeginningOf } from './beginning.ts';

/** Most characters of a statement in a message. */
const statementLength = 200;

/** Where a question stands, and who may read it. */
export interface SharedPlace {
  prepaId: number;
  /** Whether visitors may see the prepa's public page. */
  isPublished: boolean;
  /** The question's text, if visitors may read it. */
  open?: { disciplineId: number; kind: ItemKind; itemId: number } | null;
}

/**
 * Returns a link that shares a question on WhatsApp: the beginning of its statement, and a public page. It has neither the key nor anything
 * about the learner.
 * @param origin of the site, the page for questions of a prepa that is not published
 */
export function shareQuestionHref(question: { id: string; statement: string }, place: SharedPlace, origin: string): string {
  const text = `${readableBeginningOf(question.statement, statementLength)}\n\nEt vous, que répondez-vous ? ${publicPage(question.id, place, origin)}`;
  return `https://wa.me/?text=${encodeURIComponent(text)}`;
}

function publicPage(id: string, { prepaId, isPublished, open }: SharedPlace, origin: string): string {
  if (!isPublished) return origin;
  const trial = `${origin}/user/prepa/consultation/${prepaId}`;
  return open ? `${trial}/${open.disciplineId}?type=${open.kind}&item=${open.itemId}#q-${id}` : trial;
}
