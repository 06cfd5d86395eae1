import { once } from 'node:events';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ReadCache } from '../../../../platform/database/read-cache.ts';
import { AppError, notFound } from '../../../../platform/errors.ts';
import { attachment } from '../../../../platform/files/attachment.ts';
import { idParams, withZod } from '../../../../platform/http/validators.ts';
import { listAddress, orAbsent } from '../../../../platform/pages/filtered-list.ts';
import { formatInstant } from '../../../../shared/dates.ts';
import { formatPoints } from '../../../../shared/study/points.ts';
import { administratorsOnly } from '../../../identity/index.ts';
import { type ExamRow, findExam } from '../exam/exam.repository.ts';
import { presentAnalysis } from './analysis.presenter.ts';
import { countNetworks, fewestSame, findSimilar, largestNetwork, leastShare, nextResults, sumAnswers } from './analysis.repository.ts';
import { findAnswerTimes } from './answer-times.repository.ts';
import type { MarkedExams } from './marked-exams.ts';
import { resultsDownload } from './results.csv.ts';

declare module '../../../../platform/pages/views.ts' {
  interface PageLocals {
    'questions/exam-analysis': ReturnType<typeof presentAnalysis>;
    'questions/exam-lines': {
      titre: string;
      prepaNom: string;
      held: string;
      back: string;
      possible: string;
      candidates: number;
      lines: { rank: number; username: string; points: string; counts: string }[];
      /** Addresses of the list's beginning and of the following lines; null where there are none. */
      first: string | null;
      next: string | null;
    };
    'questions/exam-similar': {
      titre: string;
      back: string;
      batches: boolean;
      large: number;
      largestNetwork: number;
      fewestSame: number;
      /** In per cent. */
      leastShare: number;
      pairs: { one: string; other: string; same: number; people: number; wrong: string; ranks: string }[];
    };
  }
}

/** Lines of a page of the printed list. */
const pageLines = 500;

async function readSums(em: EntityManager, id: number) {
  const [answers, times] = await Promise.all([sumAnswers(em, id), findAnswerTimes(em, id)]);
  return { answers, times };
}

type Marked = ExamRow & { markedAt: Date };

/** Serves administrators the analysis of a marked exam, its results as a file and as a printed list, and copies that resemble each other. */
export async function analysisPages(instance: FastifyInstance, { exams }: { exams: MarkedExams }): Promise<void> {
  const app = withZod(instance);
  const guarded = administratorsOnly(app);
  const base = '/admin/concours-blancs/:id';
  const analyses = new ReadCache<string, Awaited<ReturnType<typeof readSums>>, { em: EntityManager; id: number }>({
    max: 20,
    fetchMethod: (_key, _stale, { context: { em, id } }) => readSums(em, id),
  });

  /** @throws AppError 404 without such an exam, 409 before its marking */
  const markedExam = async (request: FastifyRequest, id: number): Promise<Marked> => {
    const exam = await findExam(request.em, id);
    if (!exam) throw notFound("Ce concours blanc n'existe pas ou n'existe plus.");
    const { markedAt } = exam;
    if (!markedAt) throw new AppError('EXAM.UNMARKED', 409, 'Les copies de ce concours blanc ne sont pas encore corrigées.');
    return { ...exam, markedAt };
  };

  /** Sums all answers once per marking, also for concurrent requests. */
  const sumsOf = ({ em }: FastifyRequest, { id, markedAt }: Marked) =>
    analyses.forceFetch(`${id} ${markedAt.getTime()}`, { context: { em, id } });

  app.get(`${base}/analyse`, { ...guarded, schema: { params: idParams } }, async (request, reply) => {
    const exam = await markedExam(request, request.params.id);
    const [shared, sums] = await Promise.all([exams.find(request.em, exam), sumsOf(request, exam)]);
    return reply.page('questions/exam-analysis', { area: 'admin', ...presentAnalysis(exam, shared, sums.answers, sums.times) });
  });

  app.get(
    `${base}/resultats.csv`,
    { ...guarded, config: { ...guarded.config, download: true }, schema: { params: idParams } },
    async (request, reply) => {
      const exam = await markedExam(request, request.params.id);
      const { papers } = await exams.find(request.em, exam);
      const rows = resultsDownload(
        request.em,
        exam.id,
        papers.filter(({ subject }) => subject === null),
      );
      // If the first read fails, an error page is sent. A later failure closes the connection, so that a partial file does not look complete.
      await once(rows, 'readable');
      return reply
        .type('text/csv; charset=utf-8')
        .header('cache-control', 'no-store')
        .header('content-disposition', attachment(`${exam.titre}, résultats.csv`))
        .send(rows);
    },
  );

  const querystring = z.object({
    rang: orAbsent(z.coerce.number().int().min(0).max(2_147_483_647)),
    apres: orAbsent(z.uuid()),
  });
  app.get(`${base}/liste`, { ...guarded, schema: { params: idParams, querystring } }, async (request, reply) => {
    const { id } = request.params;
    const exam = await markedExam(request, id);
    const { rang = 0, apres } = request.query;
    const [{ candidates, possible }, rows] = await Promise.all([
      exams.find(request.em, exam),
      nextResults(request.em, id, { rank: rang, userId: apres ?? '00000000-0000-0000-0000-000000000000' }, pageLines + 1),
    ]);
    const last = rows.length > pageLines ? rows[pageLines - 1] : undefined;
    const url = `/admin/concours-blancs/${id}/liste`;
    return reply.page('questions/exam-lines', {
      title: `Résultats : ${exam.titre}`,
      area: 'admin',
      titre: exam.titre,
      prepaNom: exam.prepaNom,
      held: formatInstant(exam.opensAt),
      back: `/admin/concours-blancs/${id}`,
      possible: formatPoints(possible),
      candidates,
      lines: rows.slice(0, pageLines).map(({ rank, username, points, rights, wrongs, blanks }) => ({
        rank,
        username,
        points: formatPoints(points).replace('-', '−'),
        counts: `${rights} / ${wrongs} / ${blanks}`,
      })),
      first: apres === undefined ? null : url,
      next: last ? listAddress(url, { rang: last.rank, apres: last.userId }) : null,
    });
  });

  app.get(`${base}/similitudes`, { ...guarded, schema: { params: idParams } }, async (request, reply) => {
    const { id } = request.params;
    const exam = await markedExam(request, id);
    const [pairs, networks] = await Promise.all([findSimilar(request.em, id), countNetworks(request.em, id)]);
    return reply.page('questions/exam-similar', {
      title: `Copies semblables : ${exam.titre}`,
      area: 'admin',
      titre: exam.titre,
      back: `/admin/concours-blancs/${id}`,
      ...networks,
      largestNetwork,
      fewestSame,
      leastShare: Math.round(100 * leastShare),
      pairs: pairs.map(({ one, other, same, people, oneWrong, otherWrong, oneRank, otherRank }) => ({
        one,
        other,
        same,
        people,
        wrong: `${oneWrong} et ${otherWrong}`,
        ranks: `${oneRank} et ${otherRank}`,
      })),
    });
  });
}
