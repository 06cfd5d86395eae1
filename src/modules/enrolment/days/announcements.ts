import type { EntityManager } from '@mikro-orm/postgresql';
import { readRows } from '../../../platform/database/rows.ts';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { transact } from '../../../platform/use-cases/transaction.ts';
import { startOfDay } from '../../../shared/dates.ts';
import type { AnnouncedEnd } from '../access/enrolment.events.ts';
import { type EndRow, endColumns, endOfRow } from './ends.repository.ts';

/** Maximum number of enrolments announced in one transaction. After a crash, only these are announced again. */
const maxBatch = 1_000;

interface AnnounceOptions {
  /** Enrolments per transaction; 1,000 by default. */
  size?: number;
  /** Called between transactions with the number announced so far. If it throws, the run stops. */
  onProgress?: (announced: number) => void;
}

/**
 * Announces the ends of enrolments 7, 3 and 1 days ahead and once they are reached, each once, however often it runs. The
 * announcement is recorded in the enrolment's row, in the transaction of its notification.
 * If the command has not run for days, only the nearest announcement is made, and its message gives the days actually left.
 * Several runs may work at once, and a run may be killed: locked rows are skipped, and an uncommitted batch is repeated. Run
 * `expireEnrolments` first.
 * @returns the number of ends announced
 */
export async function announceEnds(em: EntityManager, context: UseCaseContext, options: AnnounceOptions = {}): Promise<number> {
  const { size = maxBatch, onProgress } = options;
  const now = context.clock.now();
  let announced = 0;
  for (let before = -1; announced > before; ) {
    // Repeat until none is left: another run may have been killed while it held rows that this one skipped.
    before = announced;
    for (const select of [ended, approaching(now)]) {
      let batch: AnnouncedEnd[] | undefined;
      do {
        batch = await announce(em, context, now, select(size, batch));
        announced += batch.length;
        if (batch.length > 0) onProgress?.(announced);
      } while (batch.length > 0);
    }
  }
  return announced;
}

/** Returns the number of ends that would be announced now, including enrolments not yet marked as ended. */
export async function countEndsToAnnounce(em: EntityManager, now: Date): Promise<number> {
  const [row] = await em.execute<{ ends: number }[]>(
    `select count(*)::int as ends from enrolment
     where (statut = 'expired' or statut = 'active' and date_expiration <= ?) and announced_days is distinct from 0 or ${nearing.condition}`,
    [now, ...nearing.values(now)],
  );
  return row?.ends ?? 0;
}

/** The rows of a batch: `where … order by` for the table `enrolment`. */
interface Selection {
  where: string;
  values: unknown[];
}
/** Returns the selection of the next batch, given the last one. */
type Select = (size: number, last: AnnouncedEnd[] | undefined) => Selection;

/** Needs no key to continue: announced rows no longer meet the condition. */
const ended: Select = (size) => ({ where: `statut = 'expired' and announced_days is distinct from 0 order by id limit ?`, values: [size] });

const nearing = {
  /** Active, with an end at most 7 days ahead, and the reached number of days not announced yet. */
  condition: `statut = 'active' and date_expiration > ? and date_expiration < ? and (announced_days is null or announced_days >
    case when date_expiration < ? then 1 when date_expiration < ? then 3 else 7 end)`,
  values: (now: Date) => [now, endOf(now, 7), endOf(now, 1), endOf(now, 3)],
};

/** Ordered by end, starting after the last announced one, so that earlier batches are not read again. */
function approaching(now: Date): Select {
  return (size, last) => {
    const from = last?.at(-1);
    return {
      where: `${nearing.condition} and (date_expiration, id) > (?, ?) order by date_expiration, id limit ?`,
      values: [...nearing.values(now), from?.dateExpiration ?? now, from?.enrolmentId ?? 2_147_483_647, size],
    };
  };
}

/**
 * Returns the end of a day in Douala, so many days ahead. Calendar days, so that a daily command finds each end once, at whatever
 * hour it runs.
 */
const endOf = (now: Date, daysAhead: number): Date => startOfDay(now, daysAhead + 1);

/** Announces one batch in one transaction: marks the rows and emits the event. */
function announce(em: EntityManager, context: UseCaseContext, now: Date, { where, values }: Selection): Promise<AnnouncedEnd[]> {
  return transact(em, context, async (tx) => {
    const rows = await readRows<EndRow & { days: number }>(
      tx,
      `with due as materialized (select id from enrolment where ${where} for update skip locked)
       update enrolment e set announced_days = case when statut = 'expired' then 0 when date_expiration < ? then 1 when date_expiration < ? then 3 else 7 end
       from due where e.id = due.id
       returning ${endColumns}, e.announced_days as days`,
      [...values, endOf(now, 1), endOf(now, 3)],
    );
    const ends = rows
      .map((row) => ({ ...endOfRow(row), days: row.days }))
      .toSorted((a, b) => a.dateExpiration.getTime() - b.dateExpiration.getTime() || a.enrolmentId - b.enrolmentId);
    if (ends.length > 0) await context.events.emit(tx, context, 'enrolments.announced', { ends, at: now });
    return ends;
  });
}
