import type { FastifyPluginAsync } from 'fastify';
import { presentDiscipline, presentPrepa } from './catalogue.presenter.ts';
import { listPublished, listPublishedDisciplines } from './catalogue.repository.ts';

/** Reads that are the same for everybody. Those that depend on an enrolment belong to the enrolment module. */
export const catalogueRoutes: FastifyPluginAsync = async (app) => {
  app.get('/prepas/published', { config: { anonymous: true } }, async (request) => (await listPublished(request.em)).map(presentPrepa));

  app.get('/disciplines', { config: { anonymous: true } }, async (request) =>
    (await listPublishedDisciplines(request.em)).map(presentDiscipline),
  );
};
