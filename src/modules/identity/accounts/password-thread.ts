import { hashSync, verifySync } from '@node-rs/argon2';
import { inBackground } from '../../../platform/work/background-thread.ts';

/** Argon2id (the library's default) with 19 MiB, 2 passes, 1 lane: OWASP's recommendation. */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export interface PasswordTask {
  password: string;
  /** Hash to compare with; without it, a new hash is made. */
  stored?: string;
}

/** @returns a new hash, or whether the password matches `stored` */
export default inBackground(({ password, stored }: PasswordTask): string | boolean =>
  stored === undefined ? hashSync(password, options) : verifySync(stored, password),
);
