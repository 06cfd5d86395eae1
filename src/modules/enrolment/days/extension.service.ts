import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { AppError } from '../../../platform/errors.ts';
import { requireRightClock } from '../../../platform/use-cases/clock-check.ts';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { transact } from '../../../platform/use-cases/transaction.ts';
import { findPrepa } from '../../catalogue/index.ts';
import { type Actor, findLearner, recordChange, terminal } from '../../identity/index.ts';
import { Enrolment } from '../access/enrolment.entity.ts';
import { EnrolmentExtension } from '../access/extension.entity.ts';
import { endAfterExtension, enrolmentDays } from './end-after-extension.ts';

interface Extension {
  userId: string;
  prepaId: number;
  prepaNom: string;
  /** Null for a grant. */
  paymentId: number | null;
  /** Days to add; 30 when undefined. */
  days?: number | undefined;
  reason: string | null;
  /** The author of a grant; null for a payment. */
  operator: string | null;
  at: Date;
  /** Id of the newest row of the history of days that the author has seen, 0 without any; undefined: not compared. */
  seen?: number | undefined;
}

/**
 * Adds days to a learner's access: to its end if it lies ahead, otherwise from now on (design §4). Runs in the caller's transaction
 * and locks the enrolment's row.
 * Each payment adds its days once: the unique constraint refuses a second extension.
 */
export async function extendEnrolment(em: EntityManager, context: UseCaseContext, extension: Extension): Promise<Enrolment> {
  const { userId, prepaId, prepaNom, paymentId, days = enrolmentDays, at } = extension;
  // Make sure that a row exists to be locked, also when two payments of one learner settle concurrently.
  await em
    .createQueryBuilder(Enrolment)
    .insert({ user: userId, prepa: prepaId, prepaNom, statut: 'expired', dateInscription: at, dateExpiration: at })
    .onConflict(['user', 'prepa'])
    .ignore()
    .execute();
  const enrolment = await em.findOneOrFail(
    Enrolment,
    { user: userId, prepa: prepaId },
    { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
  );

  if (extension.seen !== undefined) await requireNothingNewer(em, enrolment.id, extension.seen);
  // Unless cancelled, only the end matters: an enrolment that a wrong clock has marked as ended keeps its days.
  const renewed = enrolment.statut !== 'cancelled' && enrolment.dateExpiration > at;
  const before = enrolment.dateExpiration;
  const after = endAfterExtension(enrolment, at, days);
  const source = paymentId === null ? 'grant' : 'payment';
  await em.insert(EnrolmentExtension, {
    enrolment: enrolment.id,
    payment: paymentId,
    days,
    source,
    reason: extension.reason,
    operator: extension.operator,
    expiresBefore: renewed ? before : null,
    expiresAfter: after,
    createdAt: at,
  });
  await em.nativeUpdate(
    Enrolment,
    { id: enrolment.id },
    // The new end has not been announced yet.
    { statut: 'active', prepaNom, dateExpiration: after, announcedDays: null, ...(renewed ? {} : { dateInscription: at }) },
  );
  await context.events.emit(em, context, 'enrolment.extended', {
    enrolmentId: enrolment.id,
    userId,
    prepaId,
    prepaNom,
    dateExpiration: after,
    renewed,
    source,
    at,
  });
  return em.findOneOrFail(Enrolment, enrolment.id, { refresh: true });
}

/**
 * Throws when the history of days has changed. The caller holds the enrolment's lock, so all earlier changes are committed.
 * @throws AppError 409 when there is a newer row than `seen`
 */
export async function requireNothingNewer(em: EntityManager, enrolmentId: number, seen: number): Promise<void> {
  const newest = await em.findOne(EnrolmentExtension, { enrolment: enrolmentId }, { orderBy: { id: 'desc' }, fields: ['id'] });
  if ((newest?.id ?? 0) === seen) return;
  throw new AppError('ENROLMENT.CHANGED', 409, 'Les jours de ce candidat ont changé entre-temps : relisez-les avant de recommencer.');
}

export interface Grant {
  email: string;
  prepaId: number;
  /** 1 to 366; 30 when undefined. */
  days?: number | undefined;
  /** 1 to 300 characters. */
  reason: string;
  /** Id of the newest row of the history of days that the operator has seen; 0 without any; undefined: not compared. */
  seen?: number | undefined;
}

/**
 * Adds days without a payment, and records the author in the audit log.
 * @throws AppError 404 when the learner or the prepa does not exist; 409 when the days have changed since they were `seen`;
 * WrongClockError
 */
export function grantEnrolment(em: EntityManager, context: UseCaseContext, grant: Grant, actor: Actor = terminal): Promise<Enrolment> {
  return transact(em, context, (tx) => grantInTransaction(tx, context, grant, actor));
}

/** Adds days without a payment, in the caller's transaction. */
export async function grantInTransaction(tx: EntityManager, context: UseCaseContext, grant: Grant, actor: Actor): Promise<Enrolment> {
  await requireRightClock(tx);
  const learner = await learnerByEmail(tx, grant.email);
  const prepa = await findPrepa(tx, grant.prepaId);
  if (!prepa) throw new AppError('PREPA.NOT_FOUND', 404, "Cette préparation n'existe pas.");
  const { days = enrolmentDays, reason, seen } = grant;
  const enrolment = await extendEnrolment(tx, context, {
    userId: learner.id,
    prepaId: prepa.id,
    prepaNom: prepa.nom,
    paymentId: null,
    days,
    reason,
    operator: actor.name,
    at: context.clock.now(),
    seen,
  });
  const after = { candidat: learner.email, jours: days, date_expiration: enrolment.dateExpiration.toISOString(), reason };
  await recordChange(tx, context, actor, { action: 'granted', subject: 'enrolment', subjectId: enrolment.id, label: prepa.nom, after });
  return enrolment;
}

/** Returns the learner with this e-mail. @throws AppError 404 */
export async function learnerByEmail(em: EntityManager, email: string) {
  const learner = await findLearner(em, email);
  if (!learner) throw new AppError('USER.NOT_FOUND', 404, "Aucun compte n'a cette adresse électronique.");
  return learner;
}
