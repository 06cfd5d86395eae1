import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { answerPage, listPageQuery } from '../../../platform/http/listed-page.ts';
import { withZod } from '../../../platform/http/validators.ts';
import { presentDiscipline, presentPrepa, presentVersionedDiscipline } from './catalogue.presenter.ts';
import { listAllDisciplines, listPublished, listPublishedDisciplines } from './catalogue.repository.ts';
import { listedDiscipline, publishedPrepa } from './catalogue.schemas.ts';

/** The catalogue's lists. Reads that depend on an enrolment are in the enrolment module. */
export const catalogueRoutes: FastifyPluginAsync = async (instance) => {
  const app = withZod(instance);

  app.get(
    '/prepas/published',
    {
      config: { anonymous: true },
      schema: {
        tags: ['Préparations'],
        summary: 'Préparations publiées, par pages (Link)',
        querystring: listPageQuery,
        response: { 200: z.array(publishedPrepa) },
      },
    },
    async (request, reply) =>
      (await answerPage(request, reply, request.query, ({ after, limit }) => listPublished(request.em, limit, after))).map(presentPrepa),
  );

  app.get(
    '/disciplines',
    {
      config: { audience: 'shared' },
      schema: {
        tags: ['Disciplines'],
        summary: 'Disciplines des préparations publiées ; toutes pour les administrateurs ; par pages (Link)',
        querystring: listPageQuery,
        response: { 200: z.array(listedDiscipline) },
      },
    },
    async (request, reply) => {
      const { em, query } = request;
      if (request.administrator) {
        return (await answerPage(request, reply, query, (page) => listAllDisciplines(em, page))).map(presentVersionedDiscipline);
      }
      return (await answerPage(request, reply, query, (page) => listPublishedDisciplines(em, page))).map(presentDiscipline);
    },
  );
};
