import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { withZod } from '../../../platform/http/validators.ts';
import { presentDiscipline, presentPrepa, presentVersionedDiscipline } from './catalogue.presenter.ts';
import { listAllDisciplines, listPublished, listPublishedDisciplines } from './catalogue.repository.ts';
import { listedDiscipline, publishedPrepa } from './catalogue.schemas.ts';

/** Lists of the catalogue. What depends on an enrolment belongs to the enrolment module. */
export const catalogueRoutes: FastifyPluginAsync = async (instance) => {
  const app = withZod(instance);

  app.get(
    '/prepas/published',
    {
      config: { anonymous: true },
      schema: { tags: ['Préparations'], summary: 'Préparations publiées', response: { 200: z.array(publishedPrepa) } },
    },
    async (request) => (await listPublished(request.em)).map(presentPrepa),
  );

  app.get(
    '/disciplines',
    {
      config: { audience: 'shared' },
      schema: {
        tags: ['Disciplines'],
        summary: 'Disciplines des préparations publiées ; toutes pour les administrateurs',
        response: { 200: z.array(listedDiscipline) },
      },
    },
    async (request) => {
      if (request.administrator) return (await listAllDisciplines(request.em)).map(presentVersionedDiscipline);
      return (await listPublishedDisciplines(request.em)).map(presentDiscipline);
    },
  );
};
