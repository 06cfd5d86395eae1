import type { FastifyInstance } from 'fastify';
import { presentExams } from './announced.presenter.ts';
import { listExams } from './announced.repository.ts';

declare module '../../../../platform/pages/views.ts' {
  interface PageLocals {
    'questions/exam-list': ReturnType<typeof presentExams>;
  }
}

/** Serves /user/concours-blancs: the mock exams that a learner may take, and those that they have taken. */
export async function examListPages(app: FastifyInstance): Promise<void> {
  app.contributeToLearnerMenu({
    href: '/user/concours-blancs',
    label: 'Concours blancs',
    icon: 'M12 3v9l5 3M21 12a9 9 0 1 1-9-9 9 9 0 0 1 9 9',
  });
  app.get('/user/concours-blancs', { preHandler: [app.requireLearner], config: { back: '/user/dashboard' } }, async (request, reply) => {
    const now = request.context.clock.now();
    return reply.page('questions/exam-list', {
      title: 'Concours blancs',
      noindex: true,
      learnerCss: true,
      ...presentExams(await listExams(request.em, request.signedInLearner.id, now), now),
    });
  });
}
