import type { EntityManager } from '@mikro-orm/postgresql';
import { readRows } from '../../../platform/database/rows.ts';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { transact } from '../../../platform/use-cases/transaction.ts';
import { startOfDay } from '../../../shared/dates.ts';
import type { AnnouncedEnd } from '../access/enrolment.events.ts';
import { type EndRow, endColumns, endOfRow } from './ends.repository.ts';

/** Enrolments that are announced in one transaction, at most: a crash has no more than these to do again. */
const maxBatch = 1_000;

interface AnnounceOptions {
  /** Enrolments in one transaction; 1,000 by default. */
  size?: number;
  /** Called between two transactions with how many have been announced; one that throws stops there. */
  onProgress?: (announced: number) => void;
}

/**
 * Announces the ends of enrolments 7, 3 and 1 days ahead and when they have come, each once, however often it runs: what has been announced
 * stands in the enrolment's own row, written in the transaction of its notification. When the command has not run for days, only the nearest
 * of these is announced, and the message counts the days that are left. Safe to run several times at once and to be killed: rows that
 * another run has locked are skipped, and a batch that was not committed is done again. Run `expireEnrolments` before it.
 * @returns how many ends were announced
 */
export async function announceEnds(em: EntityManager, context: UseCaseContext, options: AnnounceOptions = {}): Promise<number> {
  const { size = maxBatch, onProgress } = options;
  const now = context.clock.now();
  let announced = 0;
  for (let before = -1; announced > before; ) {
    // Until nothing is left: another run may have been killed while it held rows that this one has skipped.
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

/** How many ends would be announced now, also of enrolments that nobody has marked as ended yet. */
export async function countEndsToAnnounce(em: EntityManager, now: Date): Promise<number> {
  const [row] = await em.execute<{ ends: number }[]>(
    `select count(*)::int as ends from enrolment
     where (statut = 'expired' or statut = 'active' and date_expiration <= ?) and announced_days is distinct from 0 or ${nearing.condition}`,
    [now, ...nearing.values(now)],
  );
  return row?.ends ?? 0;
}

/** Which rows a batch takes: `where … order by`, of the table `enrolment`. */
interface Selection {
  where: string;
  values: unknown[];
}
/** The selection of the next batch, after the one before it. */
type Select = (size: number, last: AnnouncedEnd[] | undefined) => Selection;

/** Without a key to go on from: what has been announced no longer fulfils the condition. */
const ended: Select = (size) => ({ where: `statut = 'expired' and announced_days is distinct from 0 order by id limit ?`, values: [size] });

const nearing = {
  /** Active, its end at most 7 days ahead, and the nearest number of days not announced yet. */
  condition: `statut = 'active' and date_expiration > ? and date_expiration < ? and (announced_days is null or announced_days >
    case when date_expiration < ? then 1 when date_expiration < ? then 3 else 7 end)`,
  values: (now: Date) => [now, endOf(now, 7), endOf(now, 1), endOf(now, 3)],
};

/** By their end, from that of the last announced on: what earlier batches have announced is not read again. */
function approaching(now: Date): Select {
  return (size, last) => {
    const from = last?.at(-1);
    return {
      where: `${nearing.condition} and (date_expiration, id) > (?, ?) order by date_expiration, id limit ?`,
      values: [...nearing.values(now), from?.dateExpiration ?? now, from?.enrolmentId ?? 2_147_483_647, size],
    };
  };
}

/** The end of the day so many days after today, in Douala. By the calendar: a command that runs once a day, at whatever hour, finds each end once. */
const endOf = (now: Date, daysAhead: number): Date => startOfDay(now, daysAhead + 1);

/** One batch in one transaction: marks the rows and emits the event. */
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
