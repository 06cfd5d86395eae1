import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { errorAnswers } from '../../../platform/http/answers.ts';
import { idParams, withZod } from '../../../platform/http/validators.ts';
import { itemKinds } from '../../../shared/item-kinds.ts';
import type { ItemMark } from './item-mark.ts';
import { marksQuery } from './reading.repository.ts';
import type { ReadingJournal } from './reading-journal.ts';

const ids = z.array(z.int());
const marksAnswer = (marks: readonly ItemMark[]) =>
  z.object({
    ouverts: ids,
    termines: ids.meta({ description: "Lus jusqu'à la fin ou dits terminés ; un exercice corrigé, une fois noté" }),
    ...Object.fromEntries(marks.map(({ field, description }) => [field, ids.meta({ description })])),
    dernier: z
      .object({ type: z.enum(itemKinds), id: z.int() })
      .nullable()
      .meta({ description: 'Le dernier ouvert' }),
  });

/** Serves the calls on opened and finished items. The study page uses them when it shows another item without a page load. */
export const readingRoutes: FastifyPluginAsync<{ journal: ReadingJournal; marks: readonly ItemMark[] }> = async (
  instance,
  { journal, marks },
) => {
  const app = withZod(instance);
  const tags = ['Lecture'];
  const findMarks = marksQuery(marks);

  app.post(
    '/items/:id/lu',
    {
      preHandler: [app.requireLearner],
      config: { load: 'deferrable' },
      schema: {
        tags,
        summary: "Note qu'un contenu a été ouvert ; sans effet sur ce que le candidat ne peut pas lire",
        params: idParams,
        response: { 204: z.null(), ...errorAnswers(400, 401) },
      },
    },
    async (request, reply) => {
      journal.note({ userId: request.signedInLearner.id, itemId: request.params.id, at: request.context.clock.now(), asked: true });
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/items/:id/termine',
    {
      preHandler: [app.requireLearner],
      config: { load: 'deferrable' },
      schema: {
        tags,
        summary:
          "Note qu'un contenu est terminé ; sans effet sur ce que le candidat ne peut pas lire et sur un exercice corrigé, qui se note",
        params: idParams,
        response: { 204: z.null(), ...errorAnswers(400, 401) },
      },
    },
    async (request, reply) => {
      const opening = { userId: request.signedInLearner.id, itemId: request.params.id, at: request.context.clock.now(), asked: true };
      journal.note({ ...opening, finished: true });
      return reply.code(204).send(null);
    },
  );

  app.get(
    '/disciplines/:id/lus',
    {
      preHandler: [app.requireLearner],
      config: { load: 'deferrable' },
      schema: {
        tags,
        summary: "Ce que le candidat a ouvert et terminé d'une discipline ; rien s'il ne peut pas la lire",
        params: idParams,
        response: { 200: marksAnswer(marks), ...errorAnswers(400, 401) },
      },
    },
    async (request) => {
      await journal.flushSoon();
      const { ouverts, termines, marked, dernier } = await findMarks(
        request.em,
        request.signedInLearner.id,
        request.params.id,
        request.context.clock.now(),
      );
      return { ouverts, termines, ...marked, dernier };
    },
  );
};
