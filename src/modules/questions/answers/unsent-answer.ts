import { z } from 'zod';
import { answerFields, textContexts } from '../../../shared/questions/answer-form.ts';
import type { Given } from '../../../shared/questions/grade.ts';

/** An answer in the query of a page with questions, whose forms begin with it: it was sent after the session had ended. */
export const unsentQuery = {
  /** Its question, where the page has several. */
  question: z.string().max(12).optional().catch(undefined),
  choix: answerFields.choix.catch(undefined),
  texte: answerFields.texte.catch(undefined),
};
export type UnsentAnswer = z.output<z.ZodObject<typeof unsentQuery>>;

/** Returns an unsent answer as the fields of a form show it; null without one. */
export const typedIn = ({ choix, texte }: Pick<UnsentAnswer, 'choix' | 'texte'>): Given | null =>
  texte !== undefined ? { typed: texte } : choix ? { choices: choix } : null;

const sentFields = z.object({ ...unsentQuery, contexte: z.enum(textContexts).optional().catch(undefined) });

/**
 * Returns the address of the page that an answer was sent from, with the answer in its query.
 * @param page path of the page @param body of the request, not validated @param question id, where the page has several
 */
export function pageWithAnswer(page: string, body: unknown, question?: string): string {
  const { choix, texte, contexte } = sentFields.safeParse(body).data ?? {};
  const query = new URLSearchParams([
    ...(question ? [['question', question]] : []),
    ...(contexte ? [['contexte', contexte]] : []),
    ...(texte !== undefined ? [['texte', texte]] : (choix ?? []).map((id) => ['choix', id])),
  ] as [string, string][]);
  const asked = query.size > 0 ? `?${query}` : '';
  return `${page}${asked}${question ? `#q-${question}` : ''}`;
}

/** Returns the address of the page of an attempt or a session, from that of its form for a question. */
export const pageOfForm = ({ url, body }: { url: string; body: unknown }): string => {
  const [page = '', question = ''] = (url.split('?')[0] ?? '').split('/questions/');
  return pageWithAnswer(page, body, encodeURIComponent(question).slice(0, 12));
};

/** Returns the address of a page from that of its form, which has one more segment. */
export const pageAbove = ({ url }: { url: string }): string => (url.split('?')[0] ?? '').replace(/\/[^/]*$/, '');
