import { type Answer, call } from '../../runtime/post.ts';
import { saveTimeoutMs } from '../items/calls.ts';

export interface Place {
  id: number;
  nom: string;
}

/** Most prepas that one search lists. */
export const mostPrepas = 50;

/** Returns the prepas whose name or description contains `text`; null if they could not be read. */
export const findPrepas = (text: string): Promise<Place[] | null> =>
  read(`/api/prepas?${new URLSearchParams({ limite: String(mostPrepas), ...(text && { q: text }) })}`);
export const findDisciplines = (prepaId: number): Promise<Place[] | null> => read(`/api/prepas/${prepaId}/disciplines`);

async function read(path: string): Promise<Place[] | null> {
  const answer = await call('GET', path);
  return answer?.ok && Array.isArray(answer.body) ? (answer.body as Place[]) : null;
}

/** Most contents that one request moves. */
const perRequest = 200;

interface Moved {
  deplaces: number[];
  absents: number[];
}

/**
 * Moves contents, in their order, to another discipline.
 * @returns those that are there now; and the failed response (null if none arrived), after which the others stay where they were
 */
export async function moveContents(ids: readonly number[], discipline_id: number): Promise<Moved & { failed?: Answer | null }> {
  const moved: Moved = { deplaces: [], absents: [] };
  for (let from = 0; from < ids.length; from += perRequest) {
    const body = { ids: ids.slice(from, from + perRequest), discipline_id };
    const answer = await call<Moved>('POST', '/api/contenus/deplacement', body, saveTimeoutMs);
    if (!answer?.ok) return { ...moved, failed: answer };
    moved.deplaces.push(...(answer.body.deplaces ?? []));
    moved.absents.push(...(answer.body.absents ?? []));
  }
  return moved;
}
