import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { idSchema, withZod } from '../../../platform/http/validators.ts';
import { dayIn } from '../../../shared/dates.ts';
import { listPlans } from '../plan/plan.repository.ts';
import { readStudied } from '../session/questions.repository.ts';
import { presentProgress } from './progress.presenter.ts';
import { readProgress } from './progress.repository.ts';

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'revision/progress':
      | (ReturnType<typeof presentProgress> & { renewHref: null; others: { href: string; nom: string }[] })
      | {
          title: string;
          prepaNom: string;
          countdown: null;
          /** Address of the payment that opens the prepa again. */
          renewHref: string;
          others: { href: string; nom: string }[];
        }
      | { title: string; prepaNom: null; others: [] };
  }
}

const query = z.object({ prepa: idSchema.optional().catch(undefined) });

/** Serves the learner's progress: what is solid, what to expect on the day, and the days of study. */
export async function progressPages(instance: FastifyInstance): Promise<void> {
  const app = withZod(instance);
  app.contributeToLearnerMenu({ href: '/user/progression', label: 'Ma progression', icon: 'M5 20V11M12 20V4M19 20v-6' });
  app.get(
    '/user/progression',
    { preHandler: [app.requireLearner], schema: { querystring: query }, config: { back: '/user/dashboard' } },
    async (request, reply) => {
      const userId = request.signedInLearner.id;
      const now = request.context.clock.now();
      const shared = { noindex: true, learnerCss: true };
      const all = (await listPlans(request.em, userId, now)).filter(({ hasQuestions }) => hasQuestions);
      const plans = all.filter(({ access }) => access);
      const plan = all.find(({ prepaId }) => prepaId === request.query.prepa) ?? plans[0] ?? all[0];
      if (!plan) return reply.page('revision/progress', { ...shared, title: 'Ma progression', prepaNom: null, others: [] });
      const others = plans
        .filter((other) => other !== plan)
        .map(({ prepaId, prepaNom }) => ({ href: `/user/progression?prepa=${prepaId}`, nom: prepaNom }));
      if (!plan.access) {
        const renewHref = `/user/dashboard?paiement=${plan.prepaId}`;
        const ended = { title: 'Ma progression', prepaNom: plan.prepaNom, countdown: null, renewHref, others };
        return reply.page('revision/progress', { ...shared, ...ended });
      }
      const [{ questions }, read] = await Promise.all([
        readStudied(request.em, userId, now, plan.prepaId),
        readProgress(request.em, userId, plan.prepaId, dayIn(now)),
      ]);
      return reply.page('revision/progress', {
        ...shared,
        ...presentProgress(plan, questions, read, now),
        renewHref: null,
        others,
      });
    },
  );
}
