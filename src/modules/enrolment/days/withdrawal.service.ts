import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { AppError } from '../../../platform/errors.ts';
import { requireRightClock } from '../../../platform/use-cases/clock-check.ts';
import type { DomainEventMap, UseCaseContext } from '../../../platform/use-cases/events.ts';
import { transact } from '../../../platform/use-cases/transaction.ts';
import { dayMs } from '../../../shared/dates.ts';
import { type Actor, recordChange, terminal } from '../../identity/index.ts';
import { Enrolment } from '../access/enrolment.entity.ts';
import { EnrolmentExtension } from '../access/extension.entity.ts';
import { type Grant, learnerByEmail, requireNothingNewer } from './extension.service.ts';

/**
 * Takes days back, by a refund or an operator's decision. Each withdrawal is a separate row; the row that added the days stays
 * unchanged.
 */

interface Shortening {
  enrolment: Enrolment;
  days: number;
  source: 'withdrawal' | 'refund';
  /** Id of the extension that is reversed; null for a withdrawal by the support. */
  reverses: number | null;
  reason: string;
  operator: string | null;
  at: Date;
}

/** Runs in the caller's transaction, which holds the lock on the enrolment's row. */
async function shorten(em: EntityManager, context: UseCaseContext, shortening: Shortening): Promise<Date> {
  const { enrolment, days, source, reverses, reason, operator, at } = shortening;
  const before = enrolment.dateExpiration;
  // The access ends now at the earliest; an end in the past stays as it is.
  const earliest = Math.min(before.getTime(), at.getTime());
  const after = new Date(Math.max(before.getTime() - days * dayMs, earliest));
  const ended = after <= at;
  await em.insert(EnrolmentExtension, {
    enrolment: enrolment.id,
    payment: null,
    reverses,
    days: -days,
    source,
    reason,
    operator,
    expiresBefore: before,
    expiresAfter: after,
    createdAt: at,
  });
  const statut = enrolment.statut === 'active' && ended ? 'expired' : enrolment.statut;
  // This event announces a reached end; an end that lies ahead is announced again.
  await em.nativeUpdate(Enrolment, { id: enrolment.id }, { dateExpiration: after, statut, announcedDays: ended ? 0 : null });
  await context.events.emit(em, context, 'enrolment.shortened', {
    enrolmentId: enrolment.id,
    userId: enrolment.user,
    prepaId: enrolment.prepa ?? null,
    prepaNom: enrolment.prepaNom,
    dateExpiration: after,
    ended,
    source,
    reason,
    at,
  });
  return after;
}

/**
 * Reverses the 30 days of a refunded payment (design §4). Days of a past period are used up, so 0 days are removed. The unique
 * constraint refuses a second call.
 */
export async function takeBackPayment(
  em: EntityManager,
  refund: DomainEventMap['payment.refunded'],
  context: UseCaseContext,
): Promise<void> {
  const extension = await em.findOne(EnrolmentExtension, { payment: refund.paymentId });
  if (!extension) return;
  const enrolment = await em.findOneOrFail(Enrolment, extension.enrolment, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
  const { reason, operator, at } = refund;
  const days = extension.id < (await beginningOfPeriod(em, enrolment.id)) ? 0 : extension.days;
  await shorten(em, context, { enrolment, days, source: 'refund', reverses: extension.id, reason, operator, at });
}

/** Returns the extension that began the current uninterrupted period. Ordered by id, since the clocks of two machines may differ. */
async function beginningOfPeriod(em: EntityManager, enrolmentId: number): Promise<number> {
  const [row] = await em.execute<{ id: number | null }[]>(
    'select max(id) as id from enrolment_extension where enrolment_id = ? and days > 0 and expires_before is null',
    [enrolmentId],
  );
  return row?.id ?? 0;
}

type Withdrawal = Grant & { days: number };

/**
 * Takes days from a learner's access, and records the author in the audit log.
 * @throws AppError 404 when the learner or enrolment does not exist; 409 when the days have changed since they were `seen`, or the
 * access has already ended; WrongClockError
 */
export function withdrawDays(
  em: EntityManager,
  context: UseCaseContext,
  withdrawal: Withdrawal,
  actor: Actor = terminal,
): Promise<Enrolment> {
  return transact(em, context, (tx) => withdrawInTransaction(tx, context, withdrawal, actor));
}

/** Takes days from a learner's access, in the caller's transaction. */
export async function withdrawInTransaction(
  tx: EntityManager,
  context: UseCaseContext,
  { email, prepaId, days, reason, seen }: Withdrawal,
  actor: Actor,
): Promise<Enrolment> {
  await requireRightClock(tx);
  const learner = await learnerByEmail(tx, email);
  const enrolment = await tx.findOne(
    Enrolment,
    { user: learner.id, prepa: prepaId },
    { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
  );
  if (!enrolment) throw new AppError('ENROLMENT.NOT_FOUND', 404, "Ce candidat n'est pas inscrit à cette préparation.");
  if (seen !== undefined) await requireNothingNewer(tx, enrolment.id, seen);
  const at = context.clock.now();
  if (enrolment.statut !== 'active' || enrolment.dateExpiration <= at) {
    throw new AppError('ENROLMENT.ENDED', 409, "Cet accès est déjà terminé : il n'y a plus de jours à retirer.");
  }
  const shortening = { enrolment, days, source: 'withdrawal', reverses: null, reason, operator: actor.name, at } as const;
  const end = await shorten(tx, context, shortening);
  await recordChange(tx, context, actor, {
    action: 'withdrawn',
    subject: 'enrolment',
    subjectId: enrolment.id,
    label: enrolment.prepaNom,
    after: { candidat: learner.email, jours: -days, date_expiration: end.toISOString(), reason },
  });
  return tx.findOneOrFail(Enrolment, enrolment.id, { refresh: true });
}
