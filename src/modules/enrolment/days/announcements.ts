import type { EntityManager } from '@mikro-orm/postgresql';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { transact } from '../../../platform/use-cases/transaction.ts';
import { startOfDay } from '../../../shared/dates.ts';

/** Days of the calendar in Africa/Douala before its end that an enrolment's learner hears of it. */
const announcedDays = [7, 3, 1] as const;
const furthest = announcedDays[0];

/** Announced in one transaction, at most: as many as a crash has to do again. */
const batchSize = 1_000;

/** An end that is announced now. */
export interface AnnouncedEnd {
  enrolmentId: number;
  userId: string;
  /** Null once the prepa is gone. */
  prepaId: number | null;
  prepaNom: string;
  dateExpiration: Date;
  /** The nearest of 7, 3 and 1 days that has been reached; 0: it has ended. */
  days: number;
}

declare module '../../../platform/use-cases/events.ts' {
  interface DomainEventMap {
    /** Ends that come near or have come: each once for each enrolment, end and number of days, in the transaction that remembers it. */
    'enrolments.announced': { ends: AnnouncedEnd[]; at: Date };
  }
}

interface AnnounceOptions {
  /** Enrolments in one transaction; 1,000 by default. */
  size?: number;
  /** Called between two transactions with how many have been announced; one that throws stops there. */
  onProgress?: (announced: number) => void;
}

/**
 * Announces the ends of enrolments 7, 3 and 1 days ahead and when they have come, each once, however often it runs: what has been announced stands in the
 * enrolment's own row, written in the transaction of its notification. After missed days only the nearest is announced, and the message counts what is left. Safe to run several times at once
 * and to be killed: rows under other hands are passed over, and a batch that was not committed is done again. Comes after `expireEnrolments`.
 * @returns how many ends were announced
 */
export async function announceEnds(em: EntityManager, context: UseCaseContext, options: AnnounceOptions = {}): Promise<number> {
  const { size = batchSize, onProgress } = options;
  const now = context.clock.now();
  let announced = 0;
  for (let before = -1; announced > before; ) {
    // Until nothing is left: a run beside this one may have been killed with rows that this one passed over.
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

/** What is announced leaves the index that it is found by. */
const ended: Select = (size) => ({ where: `statut = 'expired' and announced_days is distinct from 0 order by id limit ?`, values: [size] });

const nearing = {
  /** Active, its end at most 7 days ahead, and the nearest number of days not announced yet. */
  condition: `statut = 'active' and date_expiration > ? and date_expiration < ? and (announced_days is null or announced_days >
    case when date_expiration < ? then 1 when date_expiration < ? then 3 else 7 end)`,
  values: (now: Date) => [now, endOf(now, furthest), endOf(now, 1), endOf(now, 3)],
};

/** By their end: those that earlier batches have announced are not looked at again. */
function approaching(now: Date): Select {
  return (size, last) => {
    const from = last?.at(-1);
    return {
      where: `${nearing.condition} and (date_expiration, id) > (?, ?) order by date_expiration, id limit ?`,
      values: [...nearing.values(now), from?.dateExpiration ?? now, from?.enrolmentId ?? 2_147_483_647, size],
    };
  };
}

/** Of the calendar day that comes so many days after today: a command that runs once a day, at whatever hour, finds each end exactly 7, 3 and 1 days before. */
const endOf = (now: Date, daysAhead: number): Date => startOfDay(now, daysAhead + 1);

interface AnnouncedRow {
  id: number;
  user_id: string;
  prepa_id: number | null;
  prepa_nom: string;
  /** Milliseconds since 1970. */
  end_ms: number;
  days: number;
}

/** One batch, in one transaction: the rows marked, and the event that tells of them. */
function announce(em: EntityManager, context: UseCaseContext, now: Date, { where, values }: Selection): Promise<AnnouncedEnd[]> {
  return transact(em, context, async (tx) => {
    const rows = await tx.execute<AnnouncedRow[]>(
      `with due as materialized (select id from enrolment where ${where} for update skip locked)
       update enrolment e set announced_days = case when statut = 'expired' then 0 when date_expiration < ? then 1 when date_expiration < ? then 3 else 7 end
       from due where e.id = due.id
       returning e.id, e.user_id, e.prepa_id, coalesce((select nom from prepa where prepa.id = e.prepa_id), e.prepa_nom) as prepa_nom,
                 extract(epoch from e.date_expiration) * 1000 as end_ms, e.announced_days as days`,
      [...values, endOf(now, 1), endOf(now, 3)],
    );
    const ends = rows
      .map(({ id, user_id, prepa_id, prepa_nom, end_ms, days }) => ({
        ...{ enrolmentId: id, userId: user_id, prepaId: prepa_id, prepaNom: prepa_nom },
        ...{ dateExpiration: new Date(Number(end_ms)), days },
      }))
      .toSorted((a, b) => a.dateExpiration.getTime() - b.dateExpiration.getTime() || a.enrolmentId - b.enrolmentId);
    if (ends.length > 0) await context.events.emit(tx, context, 'enrolments.announced', { ends, at: now });
    return ends;
  });
}
