import { type Answer, call } from '../runtime/post.ts';
import type { Discipline, Prepa } from './records.ts';

/** The rows of a list, or the failed response; `answer` is null if no response arrived. */
type ListAnswer<Row> = { rows: Row[] } | { rows: null; answer: Answer | null };

async function readList<Row>(path: string): Promise<ListAnswer<Row>> {
  const answer = await call('GET', path);
  return answer?.ok && Array.isArray(answer.body) ? { rows: answer.body as Row[] } : { rows: null, answer };
}

export const readPrepas = (address: string) => readList<Prepa>(address);
export const readDisciplines = (prepaId: number) => readList<Discipline>(`/api/prepas/${prepaId}/disciplines`);
