import fp from 'fastify-plugin';
import { Concours } from './plan/concours.entity.ts';
import { concoursPages } from './plan/concours.pages.ts';
import { ConcoursOutcome } from './plan/outcome.entity.ts';
import { planPages } from './plan/plan.pages.ts';
import { StudyPlan } from './plan/study-plan.entity.ts';
import { subscribe } from './retention/learner.subscriptions.ts';

export { presentConcours, presentPlanQuestion } from './plan/plan.presenter.ts';
export { listPlans, type Plan } from './plan/plan.repository.ts';

/** Daily revision, planned to the day of the concours. */
const plugin = fp(
  async (app) => {
    await app.register(planPages);
    await app.register(concoursPages);
  },
  { name: 'revision', dependencies: ['questions'] },
);

export const revision = { plugin, entities: [Concours, StudyPlan, ConcoursOutcome], subscribe };
