import type { FastifyInstance } from 'fastify';
import { notFound } from '../../../platform/errors.ts';
import { idParams, withZod } from '../../../platform/http/validators.ts';
import { itemKinds, kindDetails, labelOf } from '../../../shared/item-kinds.ts';
import { findDisciplineHead } from '../../content/index.ts';
import { administratorsOnly } from '../../identity/index.ts';
import { type ItemReadings, readReadings } from './reading-counts.repository.ts';

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'study/reading-counts': {
      discipline: { id: number; nom: string };
      prepa: { nom: string };
      /** One table for each kind that has items. */
      tables: ReturnType<typeof presentTables>;
    };
  }
}

/** Serves /admin/discipline/:id/lectures: shows authors how many learners opened and finished each item. */
export async function readingCountsPages(instance: FastifyInstance): Promise<void> {
  const app = withZod(instance);
  app.get('/admin/discipline/:id/lectures', { ...administratorsOnly(app), schema: { params: idParams } }, async (request, reply) => {
    const { id } = request.params;
    const [discipline, rows] = await Promise.all([findDisciplineHead(request.em, id), readReadings(request.em, id)]);
    if (!discipline) throw notFound("Cette discipline n'existe pas ou n'existe plus.");
    return reply.page('study/reading-counts', {
      title: `Lectures : ${discipline.nom}`,
      area: 'admin',
      discipline: { id, nom: discipline.nom },
      prepa: { nom: discipline.prepaNom },
      tables: presentTables(id, rows),
    });
  });
}

function presentTables(disciplineId: number, rows: readonly ItemReadings[]) {
  return itemKinds
    .map((kind) => ({
      kind,
      title: kindDetails[kind].list,
      /** Whether learners mark themselves on items of this kind: only kinds with a correction can be marked. */
      marked: kindDetails[kind].hasCorrection === true,
      rows: rows
        .filter((row) => row.kind === kind)
        .map(({ id, titre, numeroPage, annee, opened, finished, toReview, reported }) => ({
          label: labelOf(kind, { numero_page: numeroPage, annee }),
          titre,
          href: `/admin/discipline/${disciplineId}?type=${kind}&item=${id}`,
          opened,
          finished,
          toReview,
          reported,
        })),
    }))
    .filter(({ rows }) => rows.length > 0);
}
