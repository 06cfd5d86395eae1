import type { EntityManager } from '@mikro-orm/postgresql';
import { mostClockDifferenceMs } from '../../../platform/use-cases/clock-check.ts';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { transact } from '../../../platform/use-cases/transaction.ts';
import { recordChange, terminal } from '../../identity/index.ts';

/** An enrolment that was marked as ended, and its learner told so, before its end. */
export interface RestoredEnd {
  enrolmentId: number;
  userId: string;
  /** Null once the prepa is gone. */
  prepaId: number | null;
  prepaNom: string;
  dateExpiration: Date;
}

declare module '../../../platform/use-cases/events.ts' {
  interface DomainEventMap {
    /** Access that had been ended too early goes on; only those whose learners were told of the end. */
    'enrolments.restored': { ends: RestoredEnd[]; at: Date };
  }
}

/** Restored in one transaction, at most. */
const batchSize = 1_000;

/** Ended, with days ahead. Two machines whose clocks differ by as much as they may are not at odds about a row. */
const wrongly = {
  condition: `statut = 'expired' and date_expiration > ?`,
  values: (now: Date) => [new Date(now.getTime() + mostClockDifferenceMs)],
};

/** How many enrolments `restoreEnrolments` would restore now. */
export async function countWronglyEnded(em: EntityManager, now: Date): Promise<number> {
  const [row] = await em.execute<{ ended: number }[]>(
    `select count(*)::int as ended from enrolment where ${wrongly.condition}`,
    wrongly.values(now),
  );
  return row?.ended ?? 0;
}

/**
 * Gives back the access of enrolments that are marked as ended although their end lies ahead, as a wrong clock leaves them: they keep their days, are announced anew,
 * and whoever was told of an end is told that it was none. Each batch stands in the audit log. Safe to run several times at once and to be killed.
 * @returns how many were restored
 */
export async function restoreEnrolments(em: EntityManager, context: UseCaseContext): Promise<number> {
  const now = context.clock.now();
  let restored = 0;
  for (let batch = batchSize; batch === batchSize; restored += batch) batch = await restoreBatch(em, context, now);
  return restored;
}

interface RestoredRow {
  id: number;
  user_id: string;
  prepa_id: number | null;
  prepa_nom: string;
  /** Milliseconds since 1970. */
  end_ms: number;
  told: boolean;
}

function restoreBatch(em: EntityManager, context: UseCaseContext, at: Date): Promise<number> {
  return transact(em, context, async (tx) => {
    const rows = await tx.execute<RestoredRow[]>(
      `with wrong as materialized (
         select id, announced_days is not distinct from 0 as told from enrolment where ${wrongly.condition}
         order by date_expiration limit ${batchSize} for update skip locked)
       update enrolment e set statut = 'active', announced_days = null from wrong where e.id = wrong.id
       returning e.id, e.user_id, e.prepa_id, coalesce((select nom from prepa where prepa.id = e.prepa_id), e.prepa_nom) as prepa_nom,
                 extract(epoch from e.date_expiration) * 1000 as end_ms, wrong.told`,
      wrongly.values(at),
    );
    if (rows.length === 0) return 0;
    const ends = rows
      .filter(({ told }) => told)
      .map(({ id, user_id, prepa_id, prepa_nom, end_ms }) => ({
        enrolmentId: id,
        userId: user_id,
        prepaId: prepa_id,
        prepaNom: prepa_nom,
        dateExpiration: new Date(Number(end_ms)),
      }));
    await context.events.emit(tx, context, 'enrolments.restored', { ends, at });
    await recordChange(tx, context, terminal, {
      action: 'restored',
      subject: 'enrolment',
      label: `${rows.length} inscription(s) terminée(s) trop tôt`,
      after: { inscriptions: rows.map(({ id }) => id) },
    });
    return rows.length;
  });
}
