import { randomUUID } from 'node:crypto';
import { type EntityManager, LockMode, UniqueConstraintViolationException } from '@mikro-orm/postgresql';
import type { AttemptLimiter } from '../../../platform/attempt-limiter.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import type { UseCaseContext } from '../../../platform/events.ts';
import { transact } from '../../../platform/transaction.ts';
import { type AdministratorRole, administratorRegistrationSchema, administratorSignInSchema } from '../../../shared/forms/administrator.ts';
import { parseForm } from '../../../shared/forms/field-errors.ts';
import { findCredentials, refuseTaken } from '../accounts.ts';
import { type Actor, actorOf, recordChange } from '../audit/audit.service.ts';
import { administratorDisabled, invalidForm, keysRefused, wrongCredentials } from '../identity.errors.ts';
import { hashPassword, verifyPassword } from '../password.ts';
import { administratorSessions, type OpenSession, type SignedInAdministrator } from '../sessions.ts';
import { AdministrationKeys } from './administration-keys.entity.ts';
import { claimKeys } from './administration-keys.service.ts';
import { Administrator } from './administrator.entity.ts';
import { findAdministrator } from './administrator.repository.ts';

export interface AdministratorLimits {
  signInPerAccount: AttemptLimiter;
  signInPerAddress: AttemptLimiter;
  /** Registrations with wrong keys. */
  keysPerAddress: AttemptLimiter;
}

/**
 * Creates an administrator's account with a pair of keys, which it uses up: both or neither, in one transaction.
 * @throws AppError 400 with every field's fault, 403 for keys that do not fit (one message for all cases), 409 for a taken name, 429
 */
export async function registerAdministrator(
  em: EntityManager,
  context: UseCaseContext,
  form: unknown,
  limits: AdministratorLimits,
  address: string,
): Promise<SignedInAdministrator> {
  const { data, errors } = parseForm(administratorRegistrationSchema, form ?? {});
  if (errors) throw invalidForm(errors);
  await limits.keysPerAddress.consume(address);
  try {
    const registered = await transact(em, context, async (tx) => {
      // The keys first: without them nobody learns who is an administrator already.
      const keys = await claimKeys(tx, context, data);
      await refuseTaken(tx, Administrator, data);
      const administrator = await insertAdministrator(tx, context, data);
      await tx.nativeUpdate(AdministrationKeys, { id: keys }, { usedBy: administrator.id });
      const after = { username: administrator.username, email: administrator.email, role: administrator.role, keys };
      await recordChange(tx, context, actorOf(administrator), { action: 'registered', ...subjectOf(administrator), after });
      return administrator;
    });
    await limits.keysPerAddress.giveBack(address);
    return registered;
  } catch (error) {
    // Only wrong keys count. Not given back within the transaction: that would ask for a second connection while holding one.
    if (error instanceof AppError && error.code === keysRefused().code)
      context.log.warn({ address, role: data.role }, 'administration keys refused');
    else await limits.keysPerAddress.giveBack(address);
    // Somebody took the name in between: the unique index decides.
    if (error instanceof UniqueConstraintViolationException) await refuseTaken(em, Administrator, data);
    throw error;
  }
}

/**
 * Opens a session of 8 hours.
 * @throws AppError 400, 401 (the same for an unknown e-mail and a wrong password), 403 for a disabled account, 429 with Retry-After
 */
export async function signInAdministrator(
  em: EntityManager,
  context: UseCaseContext,
  form: unknown,
  limits: AdministratorLimits,
  address: string,
): Promise<{ administrator: SignedInAdministrator; session: OpenSession }> {
  const { data, errors } = parseForm(administratorSignInSchema, form ?? {});
  if (errors) throw invalidForm(errors);
  const account = data.email.toLowerCase();
  await limits.signInPerAddress.consume(address);
  await limits.signInPerAccount.consume(account);
  const found = await findCredentials(em, Administrator, account);
  if (!(await verifyPassword(found?.passwordHash ?? null, data.password)) || !found) throw wrongCredentials();
  await limits.signInPerAccount.giveBack(account);
  if (found.disabledAt) throw administratorDisabled();
  const { id, username, email, role } = found;
  return { administrator: { id, username, email, role }, session: await administratorSessions.open(em, context.clock, id) };
}

/**
 * Shuts an administrator out: no sign-in any more, and the sessions end at once.
 * @throws AppError 404, 409 for oneself: nobody shuts the last door behind themselves
 */
export function disableAdministrator(em: EntityManager, context: UseCaseContext, actor: Actor, id: string): Promise<Administrator> {
  if (id === actor.administratorId) throw new AppError('ADMINISTRATOR.ONESELF', 409, 'Vous ne pouvez pas désactiver votre propre compte.');
  return switchAdministrator(em, context, actor, id, 'disabled');
}

/** @throws AppError 404 */
export function enableAdministrator(em: EntityManager, context: UseCaseContext, actor: Actor, id: string): Promise<Administrator> {
  return switchAdministrator(em, context, actor, id, 'enabled');
}

function switchAdministrator(
  em: EntityManager,
  context: UseCaseContext,
  actor: Actor,
  id: string,
  action: 'disabled' | 'enabled',
): Promise<Administrator> {
  return transact(em, context, async (tx) => {
    const administrator = await tx.findOne(Administrator, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!administrator) throw notFound("Cet administrateur n'existe pas.");
    if ((administrator.disabledAt !== null) === (action === 'disabled')) return administrator;
    administrator.disabledAt = action === 'disabled' ? context.clock.now() : null;
    await tx.flush();
    // Also on enabling: a sign-in may have opened one at the instant of the disabling.
    await administratorSessions.closeAll(tx, context.clock, id);
    const [before, after] = action === 'disabled' ? [{ disabled: false }, { disabled: true }] : [{ disabled: true }, { disabled: false }];
    await recordChange(tx, context, actor, { action, ...subjectOf(administrator), before, after });
    return administrator;
  });
}

/** The demonstration's administrator: made without keys, or given its password again. Never in production. */
export async function ensureDemoAdministrator(
  em: EntityManager,
  context: UseCaseContext,
  account: { username: string; email: string; password: string; role: AdministratorRole },
): Promise<void> {
  const known = await findAdministrator(em, account.email);
  if (known)
    await em.nativeUpdate(
      Administrator,
      { id: known.id },
      { passwordHash: await hashPassword(account.password), role: account.role, disabledAt: null },
    );
  else await insertAdministrator(em, context, account);
}

async function insertAdministrator(
  em: EntityManager,
  context: UseCaseContext,
  account: { username: string; email: string; password: string; role: AdministratorRole },
): Promise<SignedInAdministrator> {
  const { username, email, role } = account;
  const id = randomUUID();
  const passwordHash = await hashPassword(account.password);
  await em.insert(Administrator, { id, username, email, role, passwordHash, createdAt: context.clock.now() });
  return { id, username, email, role };
}

const subjectOf = ({ id, username }: { id: string; username: string }) =>
  ({ subject: 'administrator', subjectId: id, label: username }) as const;
