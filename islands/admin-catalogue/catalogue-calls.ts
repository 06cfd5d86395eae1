import { type Answer, call } from '../runtime/post.ts';
import type { Discipline, Prepa } from './records.ts';

/** A list, or the response that replaced it; `answer` is null if there was no response. */
type ListAnswer<Row> = { rows: Row[] } | { rows: null; answer: Answer | null };

async function readList<Row>(path: string): Promise<ListAnswer<Row>> {
  const answer = await call('GET', path);
  return answer?.ok && Array.isArray(answer.body) ? { rows: answer.body as Row[] } : { rows: null, answer };
}

export const readPrepas = (address: string) => readList<Prepa>(address);
export const readDisciplines = (prepaId: number) => readList<Discipline>(`/api/prepas/${prepaId}/disciplines`);
