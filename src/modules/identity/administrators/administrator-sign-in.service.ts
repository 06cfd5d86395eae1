import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { transact } from '../../../platform/use-cases/transaction.ts';
import { administratorCodeSchema, administratorSignInSchema } from '../../../shared/forms/administrator.ts';
import { parseForm } from '../../../shared/forms/field-errors.ts';
import { findCredentials } from '../accounts/account.repository.ts';
import { actorOf } from '../accounts/actor.ts';
import { Administrator } from '../accounts/administrator.entity.ts';
import { administratorDisabled, invalidForm, signInGone, wrongCode, wrongCredentials } from '../accounts/identity.errors.ts';
import { verifyPassword } from '../accounts/password.ts';
import { recordChange } from '../audit/audit.service.ts';
import { recordSignInFailure, type SignInStep } from '../audit/failures.service.ts';
import type { SignedInAdministrator } from '../sessions/sessions.ts';
import type { Caller } from '../sign-in/caller.ts';
import { withinSignInLimits } from '../sign-in/sign-in-limits.ts';
import { hasSecondFactor, isApplicationCode, takeCode } from './second-factor/second-factor.service.ts';
import type { Seal } from './second-factor/secret-seal.ts';
import type { AdministratorLimits } from './sessions/administrator-limits.ts';
import {
  findPendingSignIn,
  type OpenedAdministrator,
  openAdministratorSession,
  openPendingSignIn,
  takePendingSignIn,
} from './sessions/administrator-sessions.service.ts';

/** Result of a right password: a session, or a request for the code of the second factor. */
export type SignInOutcome =
  | ({ kind: 'signed-in'; administrator: SignedInAdministrator } & OpenedAdministrator)
  | { kind: 'code-required'; pendingToken: string };

/**
 * Opens a session, within the limits (withinSignInLimits), and makes the device known to the account.
 * An account with a second factor also needs a code. With a code in the form the session opens at once; without it, a pending sign-in
 * waits for the code (continueSignIn).
 * @throws AppError 400, 401 (the same for an unknown e-mail and a wrong password; another one for a wrong code), 403 for a disabled
 * account, 429 with Retry-After
 */
export async function signInAdministrator(
  em: EntityManager,
  context: UseCaseContext,
  form: unknown,
  { limits, seal }: SignInMeans,
  caller: Caller,
): Promise<SignInOutcome> {
  const { data, errors } = parseForm(administratorSignInSchema, form ?? {});
  if (errors) throw invalidForm(errors);
  const account = data.email.toLowerCase();
  const found = await journaled({ em, context, limits, email: account, caller, step: 'mot de passe' }, async () => {
    const administrator = await withinSignInLimits(em, context, limits.signIn, account, caller, async () => {
      const known = await findCredentials(em, Administrator, account);
      if (!(await verifyPassword(known?.passwordHash ?? null, data.password)) || !known) throw wrongCredentials();
      return known;
    });
    if (administrator.disabledAt) throw administratorDisabled();
    return administrator;
  });
  const unchanged = (tx: EntityManager) => requirePassword(tx, found);
  if (!(await hasSecondFactor(em, found.id))) {
    const opened = await transact(em, context, async (tx) => {
      await unchanged(tx);
      return openAndRecord(tx, context, found, limits, caller, null);
    });
    return { kind: 'signed-in', administrator: presentSignedIn(found), ...opened };
  }
  if (!data.code) {
    const pendingToken = await transact(em, context, async (tx) => {
      await unchanged(tx);
      return openPendingSignIn(tx, context, found.id);
    });
    return { kind: 'code-required', pendingToken };
  }
  const opened = await openWithCode(em, context, found, data.code, { limits, seal }, caller, unchanged);
  return { kind: 'signed-in', administrator: presentSignedIn(found), ...opened };
}

/**
 * Completes a pending sign-in with the code, and opens the session.
 * @param token of the pending sign-in (signInAdministrator)
 * @throws AppError 400 without a code, 401 for a wrong one, 410 when the pending sign-in has ended, 429 with Retry-After
 */
export async function continueSignIn(
  em: EntityManager,
  context: UseCaseContext,
  token: string | null,
  form: unknown,
  means: SignInMeans,
  caller: Caller,
): Promise<OpenedAdministrator> {
  const waiting = await findPendingSignIn(em, context, token);
  if (!waiting) throw signInGone();
  const { data, errors } = parseForm(administratorCodeSchema, form ?? {});
  if (errors) throw invalidForm(errors);
  return openWithCode(em, context, waiting, data.code, means, caller, async (tx) => {
    // Of two concurrent requests only one opens a session.
    if (!(await takePendingSignIn(tx, context, token))) throw signInGone();
  });
}

export interface SignInMeans {
  limits: AdministratorLimits;
  seal: Seal;
}

/** Opens a session if the code is right. @param claim further condition, checked in the transaction that opens the session */
async function openWithCode(
  em: EntityManager,
  context: UseCaseContext,
  person: { id: string; username: string; email: string },
  code: string,
  { limits, seal }: SignInMeans,
  caller: Caller,
  claim: (tx: EntityManager) => Promise<void>,
): Promise<OpenedAdministrator> {
  const email = person.email.toLowerCase();
  const unknownCode = isApplicationCode(code) ? 'code' : 'code de secours';
  return journaled({ em, context, limits, email, caller, step: unknownCode }, () =>
    withinSignInLimits(em, context, limits.code, email, caller, () =>
      transact(em, context, async (tx) => {
        const used = await takeCode(tx, context, seal, person.id, code);
        if (used === null) throw wrongCode();
        await claim(tx);
        return openAndRecord(tx, context, person, limits, caller, used);
      }),
    ),
  );
}

/** @throws AppError 401 when the account was disabled meanwhile (recordChange) */
async function openAndRecord(
  tx: EntityManager,
  context: UseCaseContext,
  person: { id: string; username: string },
  limits: AdministratorLimits,
  caller: Caller,
  code: 'application' | 'recovery' | null,
): Promise<OpenedAdministrator> {
  const opened = await openAdministratorSession(tx, context, person.id, limits, caller);
  const etape = code === null ? 'mot de passe' : code === 'recovery' ? 'mot de passe et code de secours' : 'mot de passe et code';
  const after = { etape, device: caller.device };
  await recordChange(tx, context, actorOf(person, caller.network), {
    action: 'signed-in',
    subject: 'administrator',
    subjectId: person.id,
    label: person.username,
    after,
  });
  return opened;
}

/**
 * Checks the password hash again in the transaction. A concurrent password change ends all sessions, so the old password must not
 * open another one.
 */
async function requirePassword(tx: EntityManager, { id, passwordHash }: Pick<Administrator, 'id' | 'passwordHash'>): Promise<void> {
  if (!(await tx.findOne(Administrator, { id, passwordHash }, { lockMode: LockMode.PESSIMISTIC_READ }))) throw wrongCredentials();
}

/** Runs a sign-in step, and records its failure in the audit log. */
async function journaled<Result>({ em, context, limits, email, caller, step }: Attempt, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    await recordSignInFailure(em, context, limits.journal, { email, network: caller.network, step, error });
    throw error;
  }
}

interface Attempt {
  em: EntityManager;
  context: UseCaseContext;
  limits: AdministratorLimits;
  /** E-mail in lower case. */
  email: string;
  caller: Caller;
  step: SignInStep;
}

const presentSignedIn = ({ id, username, email, role }: SignedInAdministrator): SignedInAdministrator => ({ id, username, email, role });
