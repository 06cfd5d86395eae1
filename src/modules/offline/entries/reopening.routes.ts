import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { errorAnswers } from '../../../platform/http/answers.ts';
import { idParams, withZod } from '../../../platform/http/validators.ts';
import { transact } from '../../../platform/use-cases/transaction.ts';
import { finishBody, type ReadingJournal, studyParams } from '../../study/index.ts';
import { lockLearner } from '../devices/device.repository.ts';
import { takeEntries } from './entry.repository.ts';

/**
 * Marks an item as unfinished, by an entry like those of a device's outbox: a device that later sends an older 'termine' entry then changes
 * nothing.
 */
async function reopen(request: FastifyRequest, journal: ReadingJournal, item: number): Promise<void> {
  const { em, context, signedInLearner } = request;
  const now = context.clock.now();
  await journal.flush();
  await transact(em, context, async (tx) => {
    await lockLearner(tx, signedInLearner.id);
    await takeEntries(tx, signedInLearner.id, now, [{ cle: randomUUID(), type: 'rouvert', item, le: now.getTime() }]);
  });
}

/** POST /api/items/:id/rouvert, called by the study page. */
export const reopeningRoutes: FastifyPluginAsync<{ journal: ReadingJournal }> = async (instance, { journal }) => {
  withZod(instance).post(
    '/items/:id/rouvert',
    {
      preHandler: [instance.requireLearner],
      config: { load: 'deferrable' },
      schema: {
        tags: ['Lecture'],
        summary: "Note qu'un contenu n'est pas terminé ; sans effet sur ce que le candidat ne peut pas lire et sur un exercice corrigé",
        params: idParams,
        response: { 204: z.null(), ...errorAnswers(400, 401) },
      },
    },
    async (request, reply) => {
      await reopen(request, journal, request.params.id);
      return reply.code(204).send(null);
    },
  );
};

/** The same as a plain form, without scripts, on the page shown after an item is finished. */
export async function reopeningPages(instance: FastifyInstance, { journal }: { journal: ReadingJournal }): Promise<void> {
  const app = withZod(instance);
  app.post(
    '/user/prepa/:prepaId/:disciplineId/rouvert',
    { onRequest: [app.requireLearner], schema: { params: studyParams, body: finishBody } },
    async (request, reply) => {
      const { prepaId, disciplineId } = request.params;
      const { type, item } = request.body;
      await reopen(request, journal, item);
      return reply.redirect(`/user/prepa/${prepaId}/${disciplineId}?type=${type}&item=${item}`, 303);
    },
  );
}
