import type { EntityManager } from '@mikro-orm/postgresql';
import { readRows } from '../../../platform/database/rows.ts';
import { maxClockDifferenceMs } from '../../../platform/use-cases/clock-check.ts';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { transact } from '../../../platform/use-cases/transaction.ts';
import { recordChange, terminal } from '../../identity/index.ts';
import { type EndRow, endColumns, endOfRow } from './ends.repository.ts';

/** Maximum number of enrolments restored in one transaction. */
const maxBatch = 1_000;

/**
 * Enrolments marked as ended although days are left. The margin exceeds the clock difference of two machines; otherwise one machine
 * would end the enrolments that the other restores.
 */
const wrongly = {
  condition: `statut = 'expired' and date_expiration > ?`,
  values: (now: Date) => [new Date(now.getTime() + maxClockDifferenceMs)],
};

/** Returns the number of enrolments that `restoreEnrolments` would restore now. */
export async function countWronglyEnded(em: EntityManager, now: Date): Promise<number> {
  const [row] = await em.execute<{ ended: number }[]>(
    `select count(*)::int as ended from enrolment where ${wrongly.condition}`,
    wrongly.values(now),
  );
  return row?.ended ?? 0;
}

/**
 * Restores enrolments that a wrong clock has marked as ended although their end lies ahead. They keep their days, their end is
 * announced again, and learners notified of the wrong end are informed. Each batch is recorded in the audit log.
 * Several runs may work at once, and a run may be killed.
 * @returns the number restored
 */
export async function restoreEnrolments(em: EntityManager, context: UseCaseContext): Promise<number> {
  const now = context.clock.now();
  let restored = 0;
  for (let batch = maxBatch; batch === maxBatch; restored += batch) batch = await restoreBatch(em, context, now);
  return restored;
}

function restoreBatch(em: EntityManager, context: UseCaseContext, at: Date): Promise<number> {
  return transact(em, context, async (tx) => {
    const rows = await readRows<EndRow & { notified: boolean }>(
      tx,
      `with wrong as materialized (
         select id, announced_days is not distinct from 0 as notified from enrolment where ${wrongly.condition}
         order by date_expiration limit ${maxBatch} for update skip locked)
       update enrolment e set statut = 'active', announced_days = null from wrong where e.id = wrong.id
       returning ${endColumns}, wrong.notified`,
      wrongly.values(at),
    );
    if (rows.length === 0) return 0;
    const ends = rows.filter(({ notified }) => notified).map(endOfRow);
    await context.events.emit(tx, context, 'enrolments.restored', { ends, at });
    await recordChange(tx, context, terminal, {
      action: 'restored',
      subject: 'enrolment',
      label: `${rows.length} inscription(s) terminée(s) trop tôt`,
      after: { inscriptions: rows.map(({ enrolmentId }) => enrolmentId) },
    });
    return rows.length;
  });
}
