import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { AppError } from '../../../platform/errors.ts';
import { createAttemptLimiter, forgetAttempts } from '../../../platform/limits/attempt-limiter.ts';
import type { Config } from '../../../platform/settings/config.ts';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { inTurn } from '../../../platform/work/in-turn.ts';
import { requireTurn } from '../accounts/password.ts';
import type { Caller } from './caller.ts';
import { type AccountKind, findKnownDevice } from './known-device.repository.ts';

/** What is checked: learners' passwords, administrators', or the codes that follow these. */
type Step = AccountKind | 'code';
const prefixes: Record<Step, string> = { user: '', administrator: 'admin-', code: 'admin-code-' };
const namesOf = (step: Step) => [`${prefixes[step]}sign-in-account`, `${prefixes[step]}sign-in-account-hour`] as const;
/** What limiters count of an account by. */
export const accountNames = (kind: AccountKind): string[] => [...namesOf(kind), ...(kind === 'administrator' ? namesOf('code') : [])];

/** Wrong codes after right passwords from all unknown devices together, in an hour: of a million codes three fit. */
const codesPerAccountHour = 20;

/** What bounds the sign-ins of learners, or those of administrators, or their codes: failures at the one do not count at the other. */
export async function createSignInLimits(orm: MikroORM, limits: Config['limits'], step: Step) {
  const kind: AccountKind = step === 'code' ? 'administrator' : step;
  const windowSeconds = limits.signInWindowMinutes * 60;
  const perHour = limits.signInFailuresPerAccountHour;
  const [perAccount, perAccountHour] = namesOf(step);
  const limiter = (name: string, points: number, seconds: number) => createAttemptLimiter(orm, { name, points, windowSeconds: seconds });
  return {
    kind,
    /** Failures at an account, of each network and of each known device apart. */
    perAccount: await limiter(perAccount, limits.signInFailuresPerAccount, windowSeconds),
    /** Failures at an account from all unknown devices together, in an hour. */
    perAccountHour: await limiter(perAccountHour, step === 'code' ? Math.min(perHour, codesPerAccountHour) : perHour, 3_600),
    /** All sign-ins of a network from unknown devices: generous, since carriers put thousands behind one. */
    perNetwork: await limiter(`${prefixes[step]}sign-in-address`, limits.signInAttemptsPerAddress, windowSeconds),
  };
}
export type SignInLimits = Awaited<ReturnType<typeof createSignInLimits>>;

/** Takes back all failures at an account, whoever made them from wherever; how many counts there were. */
export const forgetFailures = (em: EntityManager, kind: AccountKind, email: string): Promise<number> =>
  forgetAttempts(em, accountNames(kind), email.toLowerCase());

/**
 * Checks a password within the limits: whatever `check` throws has been a failure, unless it was not checked at all. A device that the account knows is counted for itself alone, so that
 * no stranger can use its attempts up; any other with its network, and with all of them together.
 * @param email in lower case
 * @throws AppError 429, or 503 when too many sign in, with Retry-After
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
  // Counted before the password is checked, and given back when it was right: parallel guesses count like any others. In turn, so that right
  // ones that come together are not taken for so many failures.
  return inTurn(`${kind} ${email} ${network}`, async () => {
    await perAccount.consume(email, network, words.unknown);
    try {
      await perAccountHour.consume(email, undefined, words.unknown);
    } catch (refusal) {
      // Not checked: the network has not failed.
      await perAccount.giveBack(email, network);
      throw refusal;
    }
    return unlessFailed(check, async () => {
      await perAccount.giveBack(email, network);
      await perAccountHour.giveBack(email);
    });
  });
}

/** A right password is no failure, nor is one that nobody had the time to check. */
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

/** What helps before the time is over. Who comes with a known device is not told to use the usual one. */
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
