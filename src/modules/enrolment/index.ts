import fp from 'fastify-plugin';
import { registerCalls } from '../../platform/http/calls.ts';
import { type RequestLimit, requestLimit } from '../../platform/limits/request-limit.ts';
import type { DomainEvents } from '../../platform/use-cases/events.ts';
import { type PaymentKernel, pointsPerMinute } from '../payment/index.ts';
import { Enrolment } from './access/enrolment.entity.ts';
import { EnrolmentExtension } from './access/extension.entity.ts';
import { subscribe as subscribeToLearners } from './access/learner.subscriptions.ts';
import { enrolmentRoutes } from './calls/enrolment.routes.ts';
import { subscribe as subscribeToPayments } from './days/enrolment.subscriptions.ts';

export { Enrolment } from './access/enrolment.entity.ts';
export { flashNotEnrolled, mayStudy, viewerOf } from './access/enrolment.policy.ts';
export { accessEnded, isActive, presentEnrolmentCard, refusalReason } from './access/enrolment.presenter.ts';
export {
  accessCondition,
  type EnrolmentRow,
  findEnrolment,
  hasAnyAccess,
  listForOperator,
  listOfLearner,
  timeWithinAccess,
} from './access/enrolment.repository.ts';
export { EnrolmentExtension, type ExtensionSource } from './access/extension.entity.ts';
export { announceEnds, countEndsToAnnounce } from './days/announcements.ts';
export { endAfterExtension, enrolmentDays } from './days/end-after-extension.ts';
export { expireEnrolments, oldestEndNotMarked } from './days/expiry.ts';
export { type Extension, presentExtension, willAddDays } from './days/extension.presenter.ts';
export { grantEnrolment, grantInTransaction } from './days/extension.service.ts';
export { countWronglyEnded, restoreEnrolments } from './days/restoration.ts';
export { withdrawDays, withdrawInTransaction } from './days/withdrawal.service.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Shared limit per learner for requests that ask a payment provider: the confirmation call and the pages of payments. */
    verificationLimit: RequestLimit;
  }
}

/** Registers the calls that list enrolments and confirm paid ones. */
const plugin = fp<{ kernel: PaymentKernel }>(
  async (app, { kernel }) => {
    app.decorate('verificationLimit', requestLimit('enrolment.verify', pointsPerMinute.learner));
    await registerCalls(app, enrolmentRoutes, { providers: kernel.providers });
  },
  { name: 'enrolment', dependencies: ['identity', 'catalogue', 'payment'] },
);

export const enrolment = {
  plugin,
  entities: [Enrolment, EnrolmentExtension],
  subscribe(events: DomainEvents) {
    subscribeToPayments(events);
    subscribeToLearners(events);
  },
};
