import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { AppError } from '../../../platform/errors.ts';
import { createAttemptLimiter, forgetAttempts } from '../../../platform/limits/attempt-limiter.ts';
import type { Config } from '../../../platform/settings/config.ts';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { inTurn } from '../../../platform/work/in-turn.ts';
import { requireTurn } from '../accounts/password.ts';
import type { Caller } from './caller.ts';
import { type AccountKind, findKnownDevice } from './known-device.repository.ts';

/** The checked secret: a learner's password, an administrator's password, or an administrator's code. */
type Step = AccountKind | 'code';
const prefixes: Record<Step, string> = { user: '', administrator: 'admin-', code: 'admin-code-' };
const namesOf = (step: Step) => [`${prefixes[step]}sign-in-account`, `${prefixes[step]}sign-in-account-hour`] as const;
/** Returns the names of the limiters that count an account's failures. */
export const accountNames = (kind: AccountKind): string[] => [...namesOf(kind), ...(kind === 'administrator' ? namesOf('code') : [])];

/**
 * Maximum number of wrong codes per hour after right passwords, from all unknown devices together. At any time three of a million
 * codes are valid.
 */
const codesPerAccountHour = 20;

/** Creates the limits of one step. Failures of learners, administrators and codes are counted separately. */
export async function createSignInLimits(orm: MikroORM, limits: Config['limits'], step: Step) {
  const kind: AccountKind = step === 'code' ? 'administrator' : step;
  const windowSeconds = limits.signInWindowMinutes * 60;
  const perHour = limits.signInFailuresPerAccountHour;
  const [perAccount, perAccountHour] = namesOf(step);
  const limiter = (name: string, points: number, seconds: number) => createAttemptLimiter(orm, { name, points, windowSeconds: seconds });
  return {
    kind,
    /** Failures at an account, counted per network and per known device. */
    perAccount: await limiter(perAccount, limits.signInFailuresPerAccount, windowSeconds),
    /** Failures at an account per hour, from all unknown devices together. */
    perAccountHour: await limiter(perAccountHour, step === 'code' ? Math.min(perHour, codesPerAccountHour) : perHour, 3_600),
    /**
     * Sign-ins of a network from unknown devices. The limit is generous, since carriers put thousands of people behind one network
     * address.
     */
    perNetwork: await limiter(`${prefixes[step]}sign-in-address`, limits.signInAttemptsPerAddress, windowSeconds),
  };
}
export type SignInLimits = Awaited<ReturnType<typeof createSignInLimits>>;

/** Resets all failures at an account, from all networks and devices. Returns the number of counters. */
export const forgetFailures = (em: EntityManager, kind: AccountKind, email: string): Promise<number> =>
  forgetAttempts(em, accountNames(kind), email.toLowerCase());

/**
 * Checks a password within the limits. Every error of `check` counts as a failure, unless the password was not checked at all.
 * A known device has its own count, so that no stranger can use up its attempts. An unknown device counts with its network, and with
 * all unknown devices together.
 * @param email in lower case
 * @throws AppError 429, or 503 when too many people sign in, with Retry-After
 */
export async function withinSignInLimits<Result>(
  em: EntityManager,
  context: UseCaseContext,
  limits: SignInLimits,
  email: string,
  { network, deviceToken }: Caller,
  check: () => Promise<Result>,
): Promise<Result> {
  const { kind, perAccount, perAccountHour, perNetwork } = limits;
  requireTurn();
  const words = refusals[kind];
  const known = await findKnownDevice(em, context.clock.now(), kind, email, deviceToken);
  if (known !== null) {
    const from = `device ${known}`;
    return inTurn(`${kind} ${email} ${from}`, async () => {
      await perAccount.consume(email, from, words.known);
      return unlessFailed(check, () => perAccount.giveBack(email, from));
    });
  }
  await perNetwork.consume(network, undefined, words.unknown);
  // A sign-in is counted before the check and uncounted if the password is right, so that concurrent guesses count.
  // Sign-ins are checked one at a time, so that concurrent right passwords do not use up the limit.
  return inTurn(`${kind} ${email} ${network}`, async () => {
    await perAccount.consume(email, network, words.unknown);
    try {
      await perAccountHour.consume(email, undefined, words.unknown);
    } catch (refusal) {
      // The password was not checked, so it is no failure of this network.
      await perAccount.giveBack(email, network);
      throw refusal;
    }
    return unlessFailed(check, async () => {
      await perAccount.giveBack(email, network);
      await perAccountHour.giveBack(email);
    });
  });
}

/** Uncounts the attempt after a right password, and after a check that timed out in the queue. */
async function unlessFailed<Result>(check: () => Promise<Result>, giveBack: () => Promise<void>): Promise<Result> {
  try {
    const result = await check();
    await giveBack();
    return result;
  } catch (error) {
    if (error instanceof AppError && error.code === 'SIGN_IN.BUSY') await giveBack();
    throw error;
  }
}

/** French refusals with advice. On a known device the advice to use the usual device is left out. */
const refusals: Record<AccountKind, Record<'known' | 'unknown', (wait: string) => string>> = {
  user: {
    known: (wait) => `Trop de tentatives. Réessayez dans ${wait}, ou tout de suite avec « Mot de passe oublié ».`,
    unknown: (wait) =>
      `Trop de tentatives. Réessayez dans ${wait}, ou tout de suite depuis votre appareil habituel ou avec « Mot de passe oublié ».`,
  },
  administrator: {
    known: (wait) => `Trop de tentatives. Réessayez dans ${wait}. L'administrateur principal peut débloquer votre compte.`,
    unknown: (wait) =>
      `Trop de tentatives. Réessayez dans ${wait}, ou tout de suite depuis votre appareil habituel. L'administrateur principal peut débloquer votre compte.`,
  },
};
