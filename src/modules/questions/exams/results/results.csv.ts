import { Readable } from 'node:stream';
import type { EntityManager } from '@mikro-orm/postgresql';
import { csvLines } from '../../../../platform/files/csv.ts';
import { atBeginning, nextResults, type ResultLine } from './analysis.repository.ts';

/** Results per statement. */
const batchSize = 1000;

const endingNames = { candidate: 'Par le candidat', time: 'Fin du temps', site: 'Par le site' };

/** Returns '2026-12-05 08:00:12', in Douala (UTC+1 all year): text that sorts by time, and that spreadsheets read as a time. */
const isoInDouala = (at: Date): string => new Date(at.getTime() + 3_600_000).toISOString().slice(0, 19).replace('T', ' ');

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
    isoInDouala(startedAt),
    handedInAt ? isoInDouala(handedInAt) : '',
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
