import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { notFound } from '../../../platform/errors.ts';
import { errorAnswers } from '../../../platform/http/answers.ts';
import { idParams, withZod } from '../../../platform/http/validators.ts';
import { presentContents } from './contents.presenter.ts';
import { findContents } from './contents.repository.ts';

const contentsAnswer = z.object({
  contenu: z.string().nullable().meta({ description: '18 leçons, 24 exercices, 2 anciens sujets ; null tant que la préparation est vide' }),
  mise_a_jour: z.string().nullable().meta({ description: 'Le jour du dernier changement, en toutes lettres' }),
});

/**
 * Call on the contents of a published prepa. The payment dialog requests it when it opens, since no list has these counts
 * (docs/decisions/054-before-paying.md).
 */
export const contentsRoutes: FastifyPluginAsync = async (instance) => {
  const app = withZod(instance);
  app.get(
    '/prepas/:id/contenu',
    {
      config: { anonymous: true },
      schema: {
        tags: ['Préparations'],
        summary: "Ce que contient une préparation publiée, dit en mots avant l'inscription",
        params: idParams,
        response: { 200: contentsAnswer, ...errorAnswers(400, 404) },
      },
    },
    async (request) => {
      const contents = await findContents(request.em, request.params.id);
      if (!contents) throw notFound("Cette préparation n'existe pas ou n'est plus disponible.");
      return presentContents(contents);
    },
  );
};
