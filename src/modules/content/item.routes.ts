import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { notFound } from '../../platform/errors.ts';
import { idParams, withZod } from '../../platform/validators.ts';
import { findDiscipline } from '../catalogue/index.ts';
import { authoriseItem, mayStudy } from './content.policy.ts';
import { presentItem, presentLockedItem } from './item.presenter.ts';
import { findItem, listItems } from './item.repository.ts';
import { itemTypes } from './item-types.ts';

/** Reads of lessons, exercises and past subjects: lists by discipline, and single items. */
export const itemRoutes: FastifyPluginAsync = async (instance) => {
  const app = withZod(instance);
  for (const { kind, path, unknown } of itemTypes) {
    app.get(`/${path}/discipline/:id`, { schema: { params: idParams } }, async (request) => {
      const discipline = await findDiscipline(request.em, request.params.id);
      const full = discipline !== null && (await mayStudy(request.em, discipline.prepa_concours_id, reader(request)));
      if (!discipline || !(full || discipline.is_published)) throw notFound("Cette discipline n'existe pas ou n'est plus disponible.");
      const items = await listItems(request.em, discipline.id, kind);
      return items.map((item, index) => (full || index === 0 ? presentItem(item) : presentLockedItem(item)));
    });

    app.get(`/${path}/:id`, { schema: { params: idParams } }, async (request) => {
      const item = await findItem(request.em, request.params.id, kind);
      if (!item) throw notFound(unknown);
      await authoriseItem(request.em, item, reader(request));
      return presentItem(item);
    });
  }
};

function reader(request: FastifyRequest) {
  return { learner: request.learner, sessionExpired: request.sessionExpired, now: request.context.clock.now() };
}
