import type { AttemptLimiter } from '../../../../platform/limits/attempt-limiter.ts';
import type { RefuseCommonPassword } from '../../accounts/common-password.ts';
import type { FailureLimits } from '../../audit/failures.service.ts';
import type { SignInLimits } from '../../sign-in/sign-in-limits.ts';

export interface AdministratorLimits {
  /** How long a session lasts without use, in ms. */
  idleMs: number;
  signIn: SignInLimits;
  refuseCommonPassword: RefuseCommonPassword;
  /** Codes after a right password. */
  code: SignInLimits;
  /** Registrations with wrong keys. */
  keysPerNetwork: AttemptLimiter;
  /** Wrong keys for a new password. */
  resetPerNetwork: AttemptLimiter;
  /** Wrong passwords and codes of somebody who is signed in, by the session: nobody in another one closes the owner's. */
  confirmationPerSession: AttemptLimiter;
  journal: FailureLimits;
}
