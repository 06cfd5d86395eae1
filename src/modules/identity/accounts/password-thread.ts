import { hashSync, verifySync } from '@node-rs/argon2';
import { inBackground } from '../../../platform/work/background-thread.ts';

/** argon2id (the library's default), 19 MiB, 2 passes, 1 lane: OWASP's recommendation. */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export interface PasswordTask {
  password: string;
  /** Verified against; a hash is made without it. */
  stored?: string;
}

/** @returns the hash, or whether the password is that of `stored` */
export default inBackground(({ password, stored }: PasswordTask): string | boolean =>
  stored === undefined ? hashSync(password, options) : verifySync(stored, password),
);
