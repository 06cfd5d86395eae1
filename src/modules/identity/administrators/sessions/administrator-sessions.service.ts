import { type EntityManager, raw } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../../platform/database/named-statement.ts';
import type { UseCaseContext } from '../../../../platform/use-cases/events.ts';
import { transact } from '../../../../platform/use-cases/transaction.ts';
import type { AdministratorActor } from '../../accounts/actor.ts';
import { Administrator } from '../../accounts/administrator.entity.ts';
import { hashToken, newToken } from '../../accounts/token.ts';
import { recordChange } from '../../audit/audit.service.ts';
import { AdministratorSession } from '../../sessions/administrator-session.entity.ts';
import { administratorSessions, type OpenSession } from '../../sessions/sessions.ts';
import { isShownId, sessionGone, shownId } from '../../sessions/shown-session.ts';
import type { Caller } from '../../sign-in/caller.ts';
import { forgetDevices, rememberDevice } from '../../sign-in/known-device.repository.ts';
import { forgetSetUp } from '../second-factor/second-factor.service.ts';
import type { AdministratorLimits } from './administrator-limits.ts';
import { AdministratorReset } from './administrator-reset.entity.ts';
import { PendingSignIn } from './pending-sign-in.entity.ts';

/** Time within which the code must follow the password, in ms. */
export const pendingLifetimeMs = 5 * 60_000;

export interface OpenedAdministrator {
  session: OpenSession;
  deviceToken: string;
}

/** Opens a session in a transaction, for a person who has just proved to be this administrator. Makes the device known to the account. */
export async function openAdministratorSession(
  tx: EntityManager,
  { clock }: UseCaseContext,
  id: string,
  { idleMs }: Pick<AdministratorLimits, 'idleMs'>,
  { device, network, deviceToken }: Caller,
): Promise<OpenedAdministrator> {
  return {
    session: await administratorSessions.open(tx, clock, id, { device, network: network.slice(0, 60), idleMs }),
    deviceToken: await rememberDevice(tx, clock, 'administrator', id, deviceToken),
  };
}

/** Creates a pending sign-in after a right password. @returns its token, which cannot be read again */
export async function openPendingSignIn(em: EntityManager, { clock }: UseCaseContext, administrator: string): Promise<string> {
  const token = newToken();
  await em.insert(PendingSignIn, {
    id: hashToken(token),
    administrator,
    expiresAt: new Date(clock.now().getTime() + pendingLifetimeMs),
  });
  return token;
}

/** Returns the administrator of a pending sign-in; null when there is none, or the account is disabled. */
export async function findPendingSignIn(em: EntityManager, { clock }: UseCaseContext, token: string | null) {
  if (token === null) return null;
  const waiting = await em.findOne(PendingSignIn, { id: hashToken(token), expiresAt: { $gt: clock.now() } }, { disableIdentityMap: true });
  return waiting && em.findOne(Administrator, { id: waiting.administrator, disabledAt: null }, { disableIdentityMap: true });
}

/** Ends a pending sign-in. Of two concurrent calls only one returns true. */
export async function takePendingSignIn(tx: EntityManager, { clock }: UseCaseContext, token: string | null): Promise<boolean> {
  if (token === null) return false;
  return (await tx.nativeDelete(PendingSignIn, { id: hashToken(token), expiresAt: { $gt: clock.now() } })) > 0;
}

/**
 * Ends all that was opened with a password that is no longer valid: sessions, pending sign-ins, unfinished set-ups, reset keys and
 * known devices.
 */
export async function endEveryAdministratorSession(tx: EntityManager, { clock }: Pick<UseCaseContext, 'clock'>, id: string): Promise<void> {
  await tx.nativeDelete(AdministratorReset, { administrator: id, usedAt: null });
  await tx.nativeDelete(PendingSignIn, { administrator: id });
  await forgetSetUp(tx, id);
  await administratorSessions.closeAll(tx, clock, id);
  await forgetDevices(tx, 'administrator', id);
}

export interface AdministratorSessionRow {
  /** Public id of the session (shown-session.ts). */
  id: string;
  device: string | null;
  network: string | null;
  createdAt: Date;
  /** Whether this is the session of the request. */
  current: boolean;
}

/** Maximum number of sessions in a list; the newest sessions are listed. */
export const maxAdministratorSessions = 50;

const find = namedStatement<AdministratorSessionRow>({
  name: 'identity.administrator-sessions',
  text: `select ${shownId} as id, device, network, created_at, id = $3 as current
         from administrator_session where administrator_id = $1 and expires_at > $2
         order by id = $3 desc, created_at desc, id limit ${maxAdministratorSessions}`,
});

/** Returns the request's own session first, then the newest ones. */
export const listAdministratorSessions = (em: EntityManager, id: string, now: Date, token: string): Promise<AdministratorSessionRow[]> =>
  find(em, [id, now, hashToken(token)]);

/** Ends one of the administrator's own sessions. @throws AppError 404 when the id belongs to none of them */
export function endAdministratorSession(
  em: EntityManager,
  context: UseCaseContext,
  actor: AdministratorActor,
  shown: string,
): Promise<void> {
  return transact(em, context, async (tx) => {
    const own = { administrator: actor.administratorId, [raw(shownId)]: shown };
    const ended = isShownId(shown) ? await tx.nativeDelete(AdministratorSession, own) : 0;
    if (ended === 0) throw sessionGone();
    await recordEnd(tx, context, actor, ended);
  });
}

/** Ends all sessions of this administrator except the session of this token. */
export function endOtherAdministratorSessions(
  em: EntityManager,
  context: UseCaseContext,
  actor: AdministratorActor,
  token: string,
): Promise<void> {
  return transact(em, context, async (tx) => {
    const ended = await removeOthers(tx, actor.administratorId, token);
    if (ended > 0) await recordEnd(tx, context, actor, ended);
  });
}

/** Ends the other sessions within a change that writes its own audit entry. */
export const removeOthers = (tx: EntityManager, administrator: string, token: string): Promise<number> =>
  tx.nativeDelete(AdministratorSession, { administrator, id: { $ne: hashToken(token) } });

const recordEnd = (tx: EntityManager, context: UseCaseContext, actor: AdministratorActor, sessions: number): Promise<void> =>
  recordChange(tx, context, actor, {
    action: 'sessions-ended',
    subject: 'administrator',
    subjectId: actor.administratorId,
    label: actor.name,
    after: { sessions },
  });
