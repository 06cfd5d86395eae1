import type { FastifyInstance } from 'fastify';
import { presentMarks } from '../../../shared/study/marks.ts';
import { listMarks } from './mark.repository.ts';

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'training/marks': ReturnType<typeof presentMarks>;
  }
}

/** Serves the list of a learner's marks, by prepa. */
export async function markPages(app: FastifyInstance): Promise<void> {
  app.contributeToLearnerMenu({ href: '/user/epreuves', label: 'Mes épreuves', icon: 'M4 4v16h16M7 15l4-5 3 3 5-7' });
  app.get('/user/epreuves', { preHandler: [app.requireLearner], config: { back: '/user/dashboard' } }, async (request, reply) => {
    const marks = await listMarks(request.em, request.signedInLearner.id, request.context.clock.now());
    return reply.page('training/marks', { noindex: true, learnerCss: true, ...presentMarks(marks) });
  });
}
