import type { EntityManager } from '@mikro-orm/postgresql';
import { readRows } from '../../../../platform/database/rows.ts';
import { storingMs } from '../marking/marking.repository.ts';

/** An announced exam that needs somebody's eye. */
export interface WatchedExam {
  id: number;
  titre: string;
  opensAt: string;
  /** Candidates who may sit it: learners with access to the prepa, or all learners, at most 100,000. */
  candidates: number;
}

/** Returns announced exams that open within a time, or are open. @param until the end of that time */
export const listOpening = (em: EntityManager, now: Date, until: Date): Promise<WatchedExam[]> =>
  readRows(
    em,
    `select x.id, x.titre, x.opens_at,
            case x.audience when 'learners' then (select count(*)::int from (select from app_user limit 100000) u)
            else (select count(*)::int from (select from enrolment e where e.prepa_id = x.prepa_id and e.statut = 'active'
                                             and e.date_expiration > x.opens_at limit 100000) e) end as candidates
     from exam x where x.announced_at is not null and x.opens_at <= ?::timestamptz and x.closes_at > ?::timestamptz order by x.opens_at limit 20`,
    [until.toISOString(), now.toISOString()],
  );

/** Returns how many exams could have been marked since a time and are not, and how many late copies wait in exams that are over. */
export async function countUnmarked(em: EntityManager, now: Date): Promise<{ unmarked: number; late: number; titles: string[] }> {
  const [row] = await em.execute<{ unmarked: number; late: number; titles: string[] | null }[]>(
    `with over as (select id, titre, marked_at from exam
                   where announced_at is not null and published_at is null and closes_at + make_interval(mins => grace) + interval '${storingMs} ms' <= ?::timestamptz)
     select count(*) filter (where marked_at is null)::int as unmarked,
            (select count(*)::int from exam_sitting s join over o on o.id = s.exam_id where s.late = 'waiting') as late,
            (array_agg('« ' || titre || ' »' order by id desc) filter (where marked_at is null))[1:5] as titles from over`,
    [now.toISOString()],
  );
  return { unmarked: row?.unmarked ?? 0, late: row?.late ?? 0, titles: row?.titles ?? [] };
}

/** Numbers of the exams that are open or within their grace, for metrics. */
export interface RunningExams {
  /** Sittings whose time is not over and that are not handed in. */
  sitting: number;
  /** Copies that are handed in. */
  handedIn: number;
  /** Copies with answers after the grace that wait for a decision, in exams that are not published. */
  late: number;
}

/** Returns the numbers of the exams that are running now. Reads rows of these exams only. */
export async function countRunning(em: EntityManager, now: Date): Promise<RunningExams> {
  const at = now.toISOString();
  const [row] = await readRows<RunningExams>(
    em,
    `select count(*) filter (where s.handed_in_at is null and s.ends_at > ?::timestamptz and x.closes_at > ?::timestamptz)::int as sitting,
            count(*) filter (where s.handed_in_at is not null)::int as handed_in, count(*) filter (where s.late = 'waiting')::int as late
     from exam x join exam_sitting s on s.exam_id = x.id
     where x.announced_at is not null and x.published_at is null and x.opens_at <= ?::timestamptz`,
    [at, at, at],
  );
  return row ?? { sitting: 0, handedIn: 0, late: 0 };
}
