import fp from 'fastify-plugin';
import { createAttemptLimiter } from '../../platform/attempt-limiter.ts';
import type { ModuleKernel } from '../../platform/kernel-access.ts';
import { guards } from './guards.ts';
import { identityPages } from './identity.pages.ts';
import { identityRoutes } from './identity.routes.ts';
import { presentViewer } from './learner.presenter.ts';

export { AdministrationKeys } from './administrators/administration-keys.entity.ts';
export { Administrator } from './administrators/administrator.entity.ts';
export { AdministratorSession } from './administrators/administrator-session.entity.ts';
export { AuditEntry } from './audit/audit-entry.entity.ts';
export { sessionExpired, signInRequired } from './identity.errors.ts';
export { authProps } from './identity.pages.ts';
export { findLearner } from './learner.repository.ts';
export { registerLearner, setPassword } from './learner.service.ts';
export { localPath, signInAddress } from './return-path.ts';
export { Session } from './session.entity.ts';
export type { Learner } from './sessions.ts';
export { User } from './user.entity.ts';

declare module 'fastify' {
  interface FastifyInstance {
    allowedEmailDomains: string[];
  }
}

/** Learners: accounts, sessions, guards, the sign-in and registration forms. */
export const identity = fp<{ kernel: ModuleKernel }>(
  async (app, { kernel }) => {
    const { limits } = kernel.config;
    const learnerLimits = {
      signInPerAccount: await createAttemptLimiter(kernel.orm, {
        name: 'sign-in-account',
        points: limits.signInFailuresPerAccount,
        windowSeconds: limits.signInWindowMinutes * 60,
      }),
      signInPerAddress: await createAttemptLimiter(kernel.orm, {
        name: 'sign-in-address',
        points: limits.signInAttemptsPerAddress,
        windowSeconds: limits.signInWindowMinutes * 60,
      }),
      registrationPerAddress: await createAttemptLimiter(kernel.orm, {
        name: 'registration-address',
        points: limits.registrationsPerAddressHour,
        windowSeconds: 3600,
      }),
    };
    app.decorate('allowedEmailDomains', kernel.config.allowedEmailDomains);
    await app.register(guards);
    app.contributeToLayout(async (request) => ({ viewer: { learner: presentViewer(request.learner) } }));
    // The specification's calls stand with and without /api.
    await app.register(identityRoutes, { prefix: '/api', kernel, limits: learnerLimits });
    await app.register(identityRoutes, { kernel, limits: learnerLimits });
    await app.register(identityPages);
  },
  { name: 'identity', dependencies: ['views', 'islands', 'kernel-access'] },
);
