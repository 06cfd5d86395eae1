import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { errorAnswers } from '../../../../platform/http/answers.ts';
import { idParams, withZod } from '../../../../platform/http/validators.ts';
import { administratorsBeforeBody } from '../../../identity/index.ts';
import { forgetPresence, listOtherPages, notePresence } from './presence.repository.ts';

const body = z.object({
  page: z
    .string()
    .regex(/^[\w-]{8,36}$/)
    .meta({ description: 'Identifiant de la page ouverte, au hasard' }),
  parti: z.boolean().optional().meta({ description: "La page n'a plus le contenu ouvert" }),
});

const answer = z.object({
  autres: z.array(
    z.object({
      nom: z.string().meta({ description: "Nom de l'administrateur" }),
      depuis: z.iso.datetime().meta({ description: 'Quand il a ouvert le contenu' }),
      vous: z.boolean().meta({ description: "Une autre page de l'administrateur qui appelle" }),
    }),
  ),
});

/** Administrators' call on who has an item open (decision 133). */
export const presenceRoutes: FastifyPluginAsync = async (instance) => {
  const app = withZod(instance);
  app.post(
    '/presences/:id',
    {
      ...administratorsBeforeBody(app),
      schema: {
        tags: ['Brouillons'],
        summary: "Dit que cette page a un contenu ouvert ; répond avec les autres pages qui l'ont ouvert",
        params: idParams,
        body,
        response: { 200: answer, ...errorAnswers(400, 401) },
      },
    },
    async ({ em, params, body: { page, parti }, actor }) => {
      const place = { itemId: params.id, page, administratorId: actor.administratorId };
      if (parti) {
        await forgetPresence(em, place);
        return { autres: [] };
      }
      await notePresence(em, place);
      const others = await listOtherPages(em, place);
      return {
        autres: others.map(({ username, openedAt, isOwn }) => ({ nom: username, depuis: new Date(openedAt).toISOString(), vous: isOwn })),
      };
    },
  );
};
