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

/** Days that are taken back, by a refund or an operator's decision. Each is a row of its own: what added them stays as it is. */

interface Shortening {
  enrolment: Enrolment;
  days: number;
  source: 'withdrawal' | 'refund';
  /** The extension that is taken back. */
  reverses: number | null;
  reason: string;
  operator: string | null;
  at: Date;
}

/** Inside the caller's transaction, the enrolment's row locked. */
async function shorten(em: EntityManager, context: UseCaseContext, shortening: Shortening): Promise<Date> {
  const { enrolment, days, source, reverses, reason, operator, at } = shortening;
  const before = enrolment.dateExpiration;
  // Access ends now at the earliest, or when it has ended already: nothing is taken of the past.
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
  // An end that has come is notified with this event; one that still lies ahead is announced again.
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
 * A refunded payment takes back its own 30 days (design §4). Those of a period that has ended already are over: nothing is left to take.
 * Twice is refused by the unique constraint.
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

/** The extension that began the current unbroken period; by their order, since two machines' clocks may differ. */
async function beginningOfPeriod(em: EntityManager, enrolmentId: number): Promise<number> {
  const [row] = await em.execute<{ id: number | null }[]>(
    'select max(id) as id from enrolment_extension where enrolment_id = ? and days > 0 and expires_before is null',
    [enrolmentId],
  );
  return row?.id ?? 0;
}

type Withdrawal = Grant & { days: number };

/**
 * Takes days from a learner's access, and writes who did it into the audit log.
 * @throws AppError 404 without such a learner or enrolment; 409 when the days have changed since they were `seen`, or the access has ended already; WrongClockError
 */
export function withdrawDays(
  em: EntityManager,
  context: UseCaseContext,
  withdrawal: Withdrawal,
  actor: Actor = terminal,
): Promise<Enrolment> {
  return transact(em, context, (tx) => withdrawInTransaction(tx, context, withdrawal, actor));
}

/** The same inside the caller's transaction. */
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
