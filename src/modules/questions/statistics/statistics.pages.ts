import { once } from 'node:events';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { notFound } from '../../../platform/errors.ts';
import { attachment } from '../../../platform/files/attachment.ts';
import { idParams, withZod } from '../../../platform/http/validators.ts';
import { listAddress, orAbsent } from '../../../platform/pages/filtered-list.ts';
import { findDisciplineHead } from '../../content/index.ts';
import { administratorsOnly } from '../../identity/index.ts';
import { figuresDownload } from './statistics.csv.ts';
import { presentFigures, type ShownFigures } from './statistics.presenter.ts';
import { type ListedFigures, listFigures, pageSize } from './statistics.repository.ts';

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'questions/statistics': {
      discipline: { id: number; nom: string };
      prepa: { nom: string };
      /** Questions that may be asked, those with a mark, and answers to all of them. */
      total: number;
      toLookAt: number;
      answered: number;
      /** Only questions with a mark are listed. */
      onlyMarked: boolean;
      questions: ShownFigures[];
      /** Addresses of the lists, the file, and the pages before and after; null where there is none. */
      all: string;
      marked: string;
      csv: string;
      page: number;
      pages: number;
      previous: string | null;
      next: string | null;
    };
  }
}

/** Most pages of a list. */
const maxPages = 10_000;
const querystring = z.object({
  vue: orAbsent(z.enum(['a-regarder'])),
  page: orAbsent(z.coerce.number().int().min(1).max(maxPages)),
});

/** Serves /admin/discipline/:id/questions: what learners answered to each question of a discipline, also as CSV. */
export async function statisticsPages(instance: FastifyInstance): Promise<void> {
  const app = withZod(instance);
  const guarded = administratorsOnly(app);

  app.get('/admin/discipline/:id/questions', { ...guarded, schema: { params: idParams, querystring } }, async (request, reply) => {
    const { id } = request.params;
    const { vue, page = 1 } = request.query;
    const [{ nom, prepaNom }, found] = await Promise.all([
      requireDiscipline(request.em, id),
      listFigures(request.em, id, vue === 'a-regarder', page),
    ]);
    const address = (filters: { vue?: string | undefined; page?: number | undefined }) =>
      listAddress(`/admin/discipline/${id}/questions`, filters);
    // The requested page lies beyond the last question.
    if (found.rows.length === 0 && page > 1) return reply.redirect(address({ vue }), 303);
    const pages = pagesOf(found, vue !== undefined);
    return reply.page('questions/statistics', {
      title: `Réponses aux questions : ${nom}`,
      area: 'admin',
      discipline: { id, nom },
      prepa: { nom: prepaNom },
      total: found.total,
      toLookAt: found.toLookAt,
      answered: found.answered,
      onlyMarked: vue !== undefined,
      questions: found.rows.map((row) => presentFigures(id, row)),
      all: address({}),
      marked: address({ vue: 'a-regarder' }),
      csv: `/admin/discipline/${id}/questions.csv`,
      page,
      pages,
      previous: page > 1 ? address({ vue, page: page === 2 ? undefined : page - 1 }) : null,
      next: page < pages ? address({ vue, page: page + 1 }) : null,
    });
  });

  app.get(
    '/admin/discipline/:id/questions.csv',
    { ...guarded, config: { ...guarded.config, download: true }, schema: { params: idParams } },
    async (request, reply) => {
      const { id } = request.params;
      const { nom } = await requireDiscipline(request.em, id);
      const rows = figuresDownload(request.em, id);
      // If the first read fails, an error page is sent. A later failure closes the connection, so that a partial file does not look
      // complete.
      await once(rows, 'readable');
      return reply
        .type('text/csv; charset=utf-8')
        .header('cache-control', 'no-store')
        .header('content-disposition', attachment(`${nom}, réponses.csv`))
        .send(rows);
    },
  );
}

const pagesOf = ({ total, toLookAt }: ListedFigures, onlyMarked: boolean): number => Math.ceil((onlyMarked ? toLookAt : total) / pageSize);

/** @throws AppError 404 without such a discipline */
async function requireDiscipline(em: EntityManager, id: number) {
  const discipline = await findDisciplineHead(em, id);
  if (!discipline) throw notFound("Cette discipline n'existe pas ou n'existe plus.");
  return discipline;
}
