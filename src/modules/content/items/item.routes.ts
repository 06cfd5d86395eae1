import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { notFound } from '../../../platform/errors.ts';
import { idParams, withZod } from '../../../platform/http/validators.ts';
import { findDiscipline } from '../../catalogue/index.ts';
import { mayStudy, viewerOf } from '../../enrolment/index.ts';
import { authoriseItem, readerOf } from './item.policy.ts';
import {
  presentItem,
  presentItemForEditor,
  presentItemForReader,
  presentListedItem,
  presentLockedItem,
  withItsKeys,
  withoutFaults,
} from './item.presenter.ts';
import { findItem, listItems, listOutlines } from './item.repository.ts';
import { itemTypes } from './item-types.ts';
import type { ReadsLimit } from './reads-limit.ts';

const listQuery = z.object({
  textes: z.enum(['oui', 'non']).optional().meta({ description: "'non' : la liste sans ses textes, pour les administrateurs" }),
});

/** Reads of lessons, exercises and past exams: lists by discipline, and single items. */
export const itemRoutes: FastifyPluginAsync<{ reads: ReadsLimit }> = async (instance, { reads }) => {
  const app = withZod(instance);
  const shared = { config: { audience: 'shared' as const } };
  for (const { kind, path, unknown } of itemTypes) {
    app.get(`/${path}/discipline/:id`, { ...shared, schema: { params: idParams, querystring: listQuery } }, async (request) => {
      const discipline = await findDiscipline(request.em, request.params.id);
      const full = discipline !== null && (await mayStudy(request.em, discipline.prepaId, viewerOf(request)));
      if (!discipline || !(full || discipline.isPublished)) throw notFound("Cette discipline n'existe pas ou n'est plus disponible.");
      if (request.administrator && request.query.textes === 'non')
        return (await listOutlines(request.em, discipline.id, [kind])).map(presentListedItem);
      const items = await listItems(request.em, discipline.id, kind, request.administrator !== null);
      const { learner } = request;
      if (full && learner) {
        const ids = items.map(({ id }) => id);
        await reads.take(request, learner.id, ids, request.context.clock.now());
      }
      const shown = request.administrator ? withItsKeys : withoutFaults;
      return items.map((item, index) => (full || index === 0 ? presentItem(shown(item)) : presentLockedItem(item)));
    });

    app.get(`/${path}/:id`, { ...shared, schema: { params: idParams } }, async (request) => {
      const item = await findItem(request.em, request.params.id, kind);
      if (!item) throw notFound(unknown);
      await authoriseItem(request.em, item, readerOf(request));
      const { learner } = request;
      if (learner) await reads.take(request, learner.id, [item.id], request.context.clock.now());
      return request.administrator ? presentItemForEditor(item) : presentItemForReader(withoutFaults(item));
    });
  }
};
