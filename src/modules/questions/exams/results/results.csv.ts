import { Readable } from 'node:stream';
import type { EntityManager } from '@mikro-orm/postgresql';
import { csvLines } from '../../../../platform/files/csv.ts';
import { formatInstant } from '../../../../shared/dates.ts';
import { atBeginning, nextResults, type ResultLine } from './analysis.repository.ts';

/** Results per statement. */
const batchSize = 1000;

export const endingNames = { candidate: 'Par le candidat', time: 'Fin du temps', site: 'Par le site' };

async function* resultsCsv(em: EntityManager, examId: number, papers: readonly { id: number; titre: string }[]): AsyncGenerator<string> {
  const headers = [
    'Rang',
    'Candidat',
    'Points',
    ...papers.map(({ titre }) => titre),
    'Justes',
    'Fausses',
    'Sans réponse',
    'Début',
    'Remise',
    'Remise faite',
  ];
  const rowOf = ({ rank, username, points, byPaper, rights, wrongs, blanks, startedAt, handedInAt, ending }: ResultLine) => [
    rank,
    username,
    points,
    ...papers.map(({ id }) => byPaper[id] ?? 0),
    rights,
    wrongs,
    blanks,
    formatInstant(startedAt),
    handedInAt ? formatInstant(handedInAt) : '',
    ending ? endingNames[ending] : '',
  ];
  let head = csvLines([headers], true);
  for (let last: Pick<ResultLine, 'rank' | 'userId'> = atBeginning; ; ) {
    const batch = await nextResults(em, examId, last, batchSize);
    yield head + csvLines(batch.map(rowOf));
    if (batch.length < batchSize) return;
    head = '';
    last = batch.at(-1) ?? last;
  }
}

/** Returns the CSV of all results as a stream, by rank. It reads at most one batch ahead of the client, and stops when the client disconnects. */
export const resultsDownload = (em: EntityManager, examId: number, papers: readonly { id: number; titre: string }[]): Readable =>
  Readable.from(resultsCsv(em, examId, papers), { highWaterMark: 1 });
