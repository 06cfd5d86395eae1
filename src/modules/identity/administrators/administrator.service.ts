import { randomUUID } from 'node:crypto';
import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { AppError, notFound } from '../../../platform/errors.ts';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { transact } from '../../../platform/use-cases/transaction.ts';
import { type AdministratorRole, administratorRegistrationSchema } from '../../../shared/forms/administrator.ts';
import { parseForm } from '../../../shared/forms/field-errors.ts';
import { findAdministrator, insertAccount, refuseTaken } from '../accounts/account.repository.ts';
import { type Actor, actorOf, terminal } from '../accounts/actor.ts';
import { Administrator } from '../accounts/administrator.entity.ts';
import { invalidForm, keysRefused } from '../accounts/identity.errors.ts';
import { hashPassword } from '../accounts/password.ts';
import { recordChange } from '../audit/audit.service.ts';
import type { SignedInAdministrator } from '../sessions/sessions.ts';
import type { Caller } from '../sign-in/caller.ts';
import { AdministrationKeys } from './administration-keys.entity.ts';
import { claimKeys } from './administration-keys.service.ts';
import { removeSecondFactor } from './second-factor/second-factor.service.ts';
import type { AdministratorLimits } from './sessions/administrator-limits.ts';
import { endEveryAdministratorSession } from './sessions/administrator-sessions.service.ts';

/**
 * Creates an administrator account and uses up a pair of keys, both in one transaction.
 * @throws AppError 400 with the faults of all fields, 403 for invalid keys (the same in all cases), 409 for a taken name, 429
 */
export async function registerAdministrator(
  em: EntityManager,
  context: UseCaseContext,
  form: unknown,
  limits: AdministratorLimits,
  { network }: Caller,
): Promise<SignedInAdministrator> {
  const { data, errors } = parseForm(administratorRegistrationSchema, form ?? {});
  if (errors) throw invalidForm(errors);
  limits.refuseCommonPassword(data.password, data);
  await limits.keysPerNetwork.consume(network);
  try {
    const registered = await transact(em, context, async (tx) => {
      // The keys are checked first: callers without valid keys must not learn whether an administrator exists.
      const keys = await claimKeys(tx, context, data);
      await refuseTaken(tx, Administrator, data);
      const administrator = await insertAdministrator(tx, context, data);
      await tx.nativeUpdate(AdministrationKeys, { id: keys }, { usedBy: administrator.id });
      const after = { username: administrator.username, email: administrator.email, role: administrator.role, keys };
      await recordChange(tx, context, actorOf(administrator, network), { action: 'registered', ...subjectOf(administrator), after });
      return administrator;
    });
    await limits.keysPerNetwork.giveBack(network);
    return registered;
  } catch (error) {
    // Only wrong keys count. Other errors are uncounted after the transaction: inside, this would need a second connection.
    if (error instanceof AppError && error.code === keysRefused().code)
      context.log.warn({ network, role: data.role }, 'administration keys refused');
    else await limits.keysPerNetwork.giveBack(network);
    throw error;
  }
}

/**
 * Disables an administrator: sign-ins are refused, and all sessions end at once.
 * @throws AppError 404, 409 for the administrator's own account
 */
export function disableAdministrator(em: EntityManager, context: UseCaseContext, actor: Actor, id: string): Promise<Administrator> {
  if (id === actor.administratorId) throw new AppError('ADMINISTRATOR.ONESELF', 409, 'Vous ne pouvez pas désactiver votre propre compte.');
  return switchAdministrator(em, context, actor, id, 'disabled');
}

/** Enables a disabled administrator. @throws AppError 404 */
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
    // Also when enabling: a sign-in concurrent with the disabling may have opened a session.
    await endEveryAdministratorSession(tx, context, id);
    const [before, after] = action === 'disabled' ? [{ disabled: false }, { disabled: true }] : [{ disabled: true }, { disabled: false }];
    await recordChange(tx, context, actor, { action, ...subjectOf(administrator), before, after });
    return administrator;
  });
}

/** Creates the demonstration's administrator without keys, or resets its password. Never called in production. */
export async function ensureDemoAdministrator(
  em: EntityManager,
  context: UseCaseContext,
  account: { username: string; email: string; password: string; role: AdministratorRole },
): Promise<void> {
  const known = await findAdministrator(em, account.email);
  if (known) {
    await em.nativeUpdate(
      Administrator,
      { id: known.id },
      { passwordHash: await hashPassword(account.password), role: account.role, disabledAt: null, isDemo: true },
    );
    // A person who tried the demonstration may have set up a second factor.
    await transact(em, context, (tx) => removeSecondFactor(tx, context, terminal, known));
  } else await insertAdministrator(em, context, { ...account, isDemo: true });
}

async function insertAdministrator(
  em: EntityManager,
  context: UseCaseContext,
  account: { username: string; email: string; password: string; role: AdministratorRole; isDemo?: boolean },
): Promise<SignedInAdministrator> {
  const { username, email, role, isDemo = false } = account;
  const id = randomUUID();
  const passwordHash = await hashPassword(account.password);
  await insertAccount(em, Administrator, { id, username, email, role, isDemo, passwordHash, createdAt: context.clock.now() });
  return { id, username, email, role };
}

const subjectOf = ({ id, username }: { id: string; username: string }) =>
  ({ subject: 'administrator', subjectId: id, label: username }) as const;
