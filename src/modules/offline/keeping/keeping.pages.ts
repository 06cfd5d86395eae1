import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { idSchema, withZod } from '../../../platform/http/validators.ts';
import { findEnrolment, flashNotEnrolled, isActive } from '../../enrolment/index.ts';
import { type AskedChoice, presentKeeping } from './keeping.presenter.ts';
import { readSizes } from './sizes.service.ts';

const params = z.object({ prepaId: idSchema });
const ticked = z
  .literal('oui')
  .optional()
  .catch(undefined)
  .transform((value) => value === 'oui');

const ids = z
  .union([idSchema.transform((id) => [id]), z.array(idSchema).max(200)])
  .optional()
  .catch(undefined)
  .transform((found) => found ?? []);

/** What is not understood counts as absent. */
const querystring = z.object({
  /** In links. */
  discipline: ids,
  /** The same in the form, which has several. */
  'discipline[]': ids,
  images: ticked,
  documents: ticked,
  garder: ticked,
});

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'offline/keep': ReturnType<typeof presentKeeping> & {
      /** The form came back to the server: no script has taken it, and nothing can be kept. */
      unable: boolean;
    };
    /** What the device keeps: its store says it, to the script. */
    'offline/on-device': object;
  }
}

/** Where a learner keeps a prepa, sees what this device keeps, and removes it. All of it happens in the browser (islands/offline/keeping). */
export async function keepingPages(instance: FastifyInstance): Promise<void> {
  const app = withZod(instance);

  app.get(
    '/user/prepa/:prepaId/hors-ligne',
    { preHandler: [app.requireLearner], schema: { params, querystring }, config: { back: '/user/prepa/:prepaId' } },
    async (request, reply) => {
      const { prepaId } = request.params;
      const userId = request.signedInLearner.id;
      const enrolment = await findEnrolment(request.em, userId, prepaId);
      if (!enrolment || !isActive(enrolment, request.context.clock.now())) {
        // The trial page says itself that an access has ended.
        if (!enrolment) await flashNotEnrolled(request, reply, prepaId);
        return reply.redirect(`/user/prepa/consultation/${prepaId}`, 303);
      }
      const sizes = await readSizes(request.em, request.context, userId, prepaId);
      const { discipline, 'discipline[]': disciplines, images, documents, garder } = request.query;
      // Pictures belong to what is read; documents weigh the most.
      const asked: AskedChoice = { disciplines: [...discipline, ...disciplines], pictures: garder ? images : true, documents };
      return reply.framedPage('offline/keep', {
        title: `Garder hors ligne : ${sizes.prepa.nom}`,
        noindex: true,
        learnerCss: true,
        ...presentKeeping(sizes, asked, request.context.clock.now()),
        unable: garder,
      });
    },
  );

  app.get('/user/hors-ligne', { preHandler: [app.requireLearner], config: { back: '/user/dashboard' } }, async (_request, reply) =>
    reply.sharedPage('offline/on-device', { title: 'Gardé sur cet appareil', noindex: true, learnerCss: true }),
  );
}
