import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { errorAnswers } from '../../../../platform/http/answers.ts';
import { idSchema, withZod } from '../../../../platform/http/validators.ts';
import { administratorsBeforeBody } from '../../../identity/index.ts';
import { mostMoved } from './move.repository.ts';
import { moveToDiscipline } from './move.service.ts';

const moveBody = z.object({
  ids: z.array(idSchema).min(1).max(mostMoved).meta({ description: 'Contenus publiés et brouillons' }),
  discipline_id: idSchema.meta({ description: 'Leur nouvelle discipline' }),
});
const moveAnswer = z.object({
  deplaces: z.array(z.int()).meta({ description: 'Ceux qui sont maintenant dans la discipline' }),
  absents: z.array(z.int()).meta({ description: "Ceux qui n'existent plus" }),
});

/** The administrators' call that moves items to another discipline. */
export const moveRoutes: FastifyPluginAsync = async (instance) => {
  const app = withZod(instance);
  app.post(
    '/contenus/deplacement',
    {
      ...administratorsBeforeBody(app),
      schema: {
        tags: ['Rédaction'],
        summary: "Déplace des contenus et des brouillons à la fin des listes d'une autre discipline",
        body: moveBody,
        response: { 200: moveAnswer, ...errorAnswers(400, 401) },
      },
    },
    async (request) => {
      const { ids, discipline_id } = request.body;
      const { moved, missing } = await moveToDiscipline(request.em, request.context, request.actor, { ids, disciplineId: discipline_id });
      return { deplaces: moved, absents: missing };
    },
  );
};
