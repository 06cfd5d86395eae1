import fp from 'fastify-plugin';
import { registerCalls } from '../../platform/http/calls.ts';
import { createAttemptLimiter } from '../../platform/limits/attempt-limiter.ts';
import type { ModuleKernel } from '../../platform/use-cases/kernel-access.ts';
import { Administrator } from './accounts/administrator.entity.ts';
import { commonPasswordRule } from './accounts/common-password.ts';
import { User } from './accounts/user.entity.ts';
import { accountPages } from './administrators/account/account.pages.ts';
import { secondFactorPages } from './administrators/account/second-factor.pages.ts';
import { AdministrationKeys } from './administrators/administration-keys.entity.ts';
import { administrationKeysPages } from './administrators/administration-keys.pages.ts';
import { presentAdministratorViewer } from './administrators/administrator.presenter.ts';
import { administratorRoutes } from './administrators/administrator.routes.ts';
import { administratorCodePages } from './administrators/administrator-code.pages.ts';
import { administratorSignInPages } from './administrators/administrator-sign-in.pages.ts';
import { administratorsPages } from './administrators/administrators.pages.ts';
import { confirmationPages } from './administrators/confirmation/confirmation.pages.ts';
import { refusals } from './administrators/refusals.ts';
import { administratorResetPages } from './administrators/reset/administrator-reset.pages.ts';
import { RecoveryCode, SecondFactor } from './administrators/second-factor/second-factor.entity.ts';
import { createSeal } from './administrators/second-factor/secret-seal.ts';
import type { AdministratorLimits } from './administrators/sessions/administrator-limits.ts';
import { AdministratorReset } from './administrators/sessions/administrator-reset.entity.ts';
import { PendingSignIn } from './administrators/sessions/pending-sign-in.entity.ts';
import { auditPages } from './audit/audit.pages.ts';
import { AuditEntry } from './audit/audit-entry.entity.ts';
import { createFailureLimits } from './audit/failures.service.ts';
import { appearancePages } from './learners/appearance.pages.ts';
import { decorateConfirmation, emailConfirmationPages } from './learners/confirmation.pages.ts';
import { presentViewer } from './learners/learner.presenter.ts';
import { identityRoutes } from './learners/learner.routes.ts';
import { PasswordReset } from './learners/password-reset.entity.ts';
import { passwordResetPages } from './learners/password-reset.pages.ts';
import { lettersName } from './learners/password-reset.service.ts';
import { privacyPages } from './learners/privacy.pages.ts';
import { decorateProfile, profilePages } from './learners/profile.pages.ts';
import { profileRoutes } from './learners/profile.routes.ts';
import { identityPages } from './learners/sign-in.pages.ts';
import { identityPrunings } from './operator/identity.prunings.ts';
import { learnersPages } from './operator/learners.pages.ts';
import { AdministratorSession } from './sessions/administrator-session.entity.ts';
import { earlyHeader } from './sessions/early-header.ts';
import { guards } from './sessions/guards.ts';
import { Session } from './sessions/session.entity.ts';
import { KnownDevice } from './sign-in/known-device.entity.ts';
import { createSignInLimits } from './sign-in/sign-in-limits.ts';

export { findAdministrator, findLearner } from './accounts/account.repository.ts';
export { type Actor, actorOf, terminal } from './accounts/actor.ts';
export { Administrator } from './accounts/administrator.entity.ts';
export { listAdministrators, listKeys } from './accounts/administrator.repository.ts';
export { invalidForm, sessionExpired } from './accounts/identity.errors.ts';
export type { Learner, LearnerRow } from './accounts/learner.ts';
export { User } from './accounts/user.entity.ts';
export { describeKeys, keysState } from './administrators/administration-keys.presenter.ts';
export { issueKeys, keysDays, maxKeysDays, revokeKeys } from './administrators/administration-keys.service.ts';
export { disableAdministrator, enableAdministrator, ensureDemoAdministrator } from './administrators/administrator.service.ts';
export { confirmedSuperAdministratorsOnly } from './administrators/confirmation/confirmation.pages.ts';
export { issueAdministratorReset, resetSecondFactor } from './administrators/reset/administrator-reset.service.ts';
export { lastActor, lastChange, recordChange, recordDeletions, recordUpdates } from './audit/audit.service.ts';
export { AuditEntry } from './audit/audit-entry.entity.ts';
export { changesAbout, redactChanges } from './audit/audit-redaction.ts';
export { emailToConfirm } from './learners/confirmation.pages.ts';
export { authProps } from './learners/sign-in.pages.ts';
export { countOpenSuperKeys, countSuperAdministrators, standOfSeals } from './operator/administrators-stand.service.ts';
export { blockLearner, unblockLearner } from './operator/blocking.service.ts';
export { closeDemoAccounts, demoAccountsFault, ensureDemoLearner, findDemoAccounts } from './operator/demo-accounts.service.ts';
export { eraseLearner } from './operator/erasure.service.ts';
export { exportLearner } from './operator/export.service.ts';
export { unlockAccounts } from './operator/unlock.service.ts';
export { AdministratorSession } from './sessions/administrator-session.entity.ts';
export { administratorsBeforeBody, administratorsOnly, identifyReader, superAdministratorsOnly } from './sessions/guards.ts';
export { readBesideSession } from './sessions/identification.ts';
export { Session } from './sessions/session.entity.ts';
export type { SessionEnding } from './sessions/session-endings.ts';
export { presentedSession } from './sessions/session-transport.ts';
export { learnerSession } from './sessions/sessions.ts';
export { describeDevice } from './sign-in/device.ts';

declare module 'fastify' {
  interface FastifyInstance {
    allowedEmailDomains: string[];
  }
}

/** Registers learners and administrators: accounts, sessions, guards, and the forms for sign-in and registration. */
const plugin = fp<{ kernel: ModuleKernel }>(
  async (app, { kernel }) => {
    const { limits } = kernel.config;
    const limiter = (name: string, points: number, windowSeconds: number) =>
      createAttemptLimiter(kernel.orm, { name, points, windowSeconds });
    const refuseCommonPassword = commonPasswordRule(kernel.config.refuseCommonPasswords);
    const learnerLimits = {
      refuseCommonPassword,
      sessionsPerLearner: limits.sessionsPerLearner,
      site: kernel.config.site,
      signIn: await createSignInLimits(kernel.orm, limits, 'user'),
      registrationPerNetwork: await limiter('registration-address', limits.registrationsPerAddressHour, 3600),
      passwordPerSession: await limiter('password-session', limits.signInFailuresPerAccount, limits.signInWindowMinutes * 60),
      resetPerAccount: await limiter(lettersName, limits.passwordResetsPerAccountHour, 3600),
      resetPerNetwork: await limiter('reset-address', limits.passwordResetsPerAddressHour, 3600),
    };
    const administratorLimits: AdministratorLimits = {
      idleMs: kernel.config.administratorIdleMs,
      refuseCommonPassword,
      signIn: await createSignInLimits(kernel.orm, limits, 'administrator'),
      code: await createSignInLimits(kernel.orm, limits, 'code'),
      keysPerNetwork: await limiter('admin-keys-address', limits.adminKeyFailuresPerAddress, 15 * 60),
      resetPerNetwork: await limiter('admin-reset-address', limits.adminKeyFailuresPerAddress, 15 * 60),
      confirmationPerSession: await limiter('admin-confirmation', limits.signInFailuresPerAccount, limits.signInWindowMinutes * 60),
      journal: await createFailureLimits(kernel.orm),
    };
    const seal = createSeal(kernel.config.administrators.secretsKey);
    const means = { limits: administratorLimits, seal };
    app.decorate('signInPurposes', []);
    app.decorate('allowedEmailDomains', kernel.config.allowedEmailDomains);
    app.decorate('demandsSecondFactor', kernel.config.administrators.demandsSecondFactor);
    await app.register(earlyHeader);
    await app.register(guards, { config: kernel.config });
    decorateConfirmation(app, kernel);
    decorateProfile(app);
    await app.register(refusals, administratorLimits);
    await app.register(confirmationPages, means);
    app.contributeToLayout(async (request) => ({
      viewer: {
        learner: presentViewer(request.learner),
        administrator: await presentAdministratorViewer(request, app.administrationMenu),
      },
    }));
    // The specification's calls exist with and without the prefix /api.
    await registerCalls(app, identityRoutes, { kernel, limits: learnerLimits });
    await app.register(identityPages);
    await app.register(privacyPages);
    await app.register(appearancePages);
    await registerCalls(app, profileRoutes, { limits: learnerLimits });
    await app.register(profilePages, { limits: learnerLimits, confirms: kernel.config.confirmEmail });
    await app.register(passwordResetPages, { kernel, limits: learnerLimits });
    await app.register(emailConfirmationPages, {
      kernel,
      letters: await limiter('confirmation', limits.passwordResetsPerAccountHour, 3600),
    });
    await registerCalls(app, administratorRoutes, { means });
    await app.register(administratorSignInPages);
    await app.register(administratorCodePages, { means });
    await app.register(administratorResetPages, { limits: administratorLimits });
    await app.register(accountPages, { limits: administratorLimits });
    await app.register(secondFactorPages, { seal, siteName: kernel.config.site.name });
    await app.register(administratorsPages);
    await app.register(learnersPages);
    await app.register(administrationKeysPages);
    await app.register(auditPages);
  },
  { name: 'identity', dependencies: ['views', 'islands', 'kernel-access', 'background'] },
);

export const identity = {
  plugin,
  entities: [
    User,
    Session,
    PasswordReset,
    KnownDevice,
    Administrator,
    AdministratorSession,
    AdministratorReset,
    PendingSignIn,
    SecondFactor,
    RecoveryCode,
    AdministrationKeys,
    AuditEntry,
  ],
  prunings: identityPrunings,
};
