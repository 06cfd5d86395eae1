import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { hashSync, verifySync } from '@node-rs/argon2';
import { restMs } from './password-rest.ts';

/** argon2id (the library's default), 19 MiB, 2 passes, 1 lane: OWASP's recommendation. */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** How far passwords stand back behind pages, from 0 to 19: about a tenth of what those get of a core, where both want all of it. */
const niceness = 10;

export interface PasswordTask {
  password: string;
  /** Verified against; a hash is made without it. */
  stored?: string;
}

standBack();

/** Until when this thread rests, by performance.now(). */
let restsUntil = 0;
const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** @returns the hash, or whether the password is that of `stored` */
export default ({ password, stored }: PasswordTask): string | boolean => {
  // After the answer of the one before, which need not wait for it.
  Atomics.wait(sleeper, 0, 0, Math.max(0, restsUntil - performance.now()));
  const [began, before] = [performance.now(), process.threadCpuUsage()];
  const result = stored === undefined ? hashSync(password, options) : verifySync(stored, password);
  const { user, system } = process.threadCpuUsage(before);
  const ended = performance.now();
  restsUntil = ended + restMs(ended - began, (user + system) / 1000);
  return result;
};

/** Linux counts niceness by thread; elsewhere it would be that of the whole process. */
function standBack(): void {
  if (process.platform !== 'linux') return;
  try {
    const [thread] = /\d+$/.exec(readlinkSync('/proc/thread-self')) ?? [];
    if (thread) setPriority(Number(thread), niceness);
  } catch {
    // Without /proc it works as fast as all else.
  }
}
