import type { AttemptLimiter } from '../../../../platform/limits/attempt-limiter.ts';
import type { RefuseCommonPassword } from '../../accounts/common-password.ts';
import type { FailureLimits } from '../../audit/failures.service.ts';
import type { SignInLimits } from '../../sign-in/sign-in-limits.ts';

export interface AdministratorLimits {
  /** Time after which an unused session ends, in ms. */
  idleMs: number;
  signIn: SignInLimits;
  refuseCommonPassword: RefuseCommonPassword;
  /** Limits of wrong codes after a right password. */
  code: SignInLimits;
  /** Limit of registrations with wrong keys. */
  keysPerNetwork: AttemptLimiter;
  /** Limit of wrong keys for a new password. */
  resetPerNetwork: AttemptLimiter;
  /**
   * Limit of wrong passwords and codes in a session. Counted per session, so that an attacker with a stolen session cannot block the
   * owner's own session.
   */
  confirmationPerSession: AttemptLimiter;
  journal: FailureLimits;
}
