import fp from 'fastify-plugin';
import { type RequestLimit, requestLimit } from '../../platform/limits/request-limit.ts';
import type { ModuleKernel } from '../../platform/use-cases/kernel-access.ts';
import { type PaymentProviders, pointsPerMinute } from '../payment/index.ts';
import { enrolmentRoutes } from './enrolment.routes.ts';

export { type AnnouncedEnd, announceEnds, countEndsToAnnounce } from './announcements.ts';
export { accessEnded } from './confirmation.service.ts';
export { Enrolment, type EnrolmentStatus } from './enrolment.entity.ts';
export { flashNotEnrolled, mayStudy, type Viewer, viewerOf } from './enrolment.policy.ts';
export { isActive, presentEnrolmentCard, refusalReason } from './enrolment.presenter.ts';
export {
  accessCondition,
  type EnrolmentRow,
  findEnrolment,
  hasAccess,
  hasAnyAccess,
  listForOperator,
  listOfLearner,
} from './enrolment.repository.ts';
export { enrolmentDays, expireEnrolments, grantEnrolment } from './enrolment.service.ts';
export { subscribe } from './enrolment.subscriptions.ts';
export { EnrolmentExtension, type ExtensionSource } from './enrolment-extension.entity.ts';
export { countWronglyEnded, restoreEnrolments } from './restoration.ts';
export { withdrawDays } from './withdrawal.service.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** One for whatever makes a learner's request ask a provider: confirming, and the pages of their payments. By the learner's id. */
    verificationLimit: RequestLimit;
  }
}

/** Who may study what, until when: the calls that tell it, and the one that confirms what was paid. */
export const enrolment = fp<{ kernel: ModuleKernel & { providers: PaymentProviders } }>(
  async (app, { kernel }) => {
    app.decorate('verificationLimit', requestLimit(pointsPerMinute.learner));
    for (const prefix of ['/api', '']) await app.register(enrolmentRoutes, { prefix, providers: kernel.providers });
  },
  { name: 'enrolment', dependencies: ['identity', 'catalogue', 'payment'] },
);
