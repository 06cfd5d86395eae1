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

/** Invalid values count as absent. */
const querystring = z.object({
  /** Used in links. */
  discipline: ids,
  /** Used in the form, once per ticked discipline. */
  'discipline[]': ids,
  images: ticked,
  documents: ticked,
  garder: ticked,
});

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'offline/keep': ReturnType<typeof presentKeeping> & {
      /** True when the form reached the server: the script did not run, so nothing was kept. */
      unable: boolean;
    };
    /** Empty: the script reads the copies from the browser's store. */
    'offline/on-device': object;
  }
}

/** Serves the pages where a learner keeps a prepa and sees this device's copies. The browser does the work (islands/offline/page/keeping). */
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
        // The trial page itself explains that an access has ended.
        if (!enrolment) await flashNotEnrolled(request, reply, prepaId);
        return reply.redirect(`/user/prepa/consultation/${prepaId}`, 303);
      }
      const sizes = await readSizes(request.em, request.context, userId, prepaId);
      const { discipline, 'discipline[]': disciplines, images, documents, garder } = request.query;
      // Pictures are ticked at first, since texts need them. Documents are not, since they are the largest part.
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
