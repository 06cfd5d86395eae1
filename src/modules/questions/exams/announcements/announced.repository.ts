import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../../platform/database/named-statement.ts';
import { maySit } from '../exam/exam.repository.ts';

/** Most exams that a page announces. */
const maxUpcoming = 5;
/** Most exams of the list. */
const maxListed = 100;

/** An announced exam that has not closed, as JSON has it. */
export interface UpcomingExam {
  id: number;
  titre: string;
  /** ISO 8601. */
  opensAt: string;
  closesAt: string;
}

/**
 * Returns SQL of the announced exams that a learner may take and that have not closed, the next one first, as JSON: `UpcomingExam[]`. All
 * parameters are SQL. @param prepa only the exams of this prepa
 */
export const upcomingExamsSql = (learner: string, now: string, prepa?: string): string =>
  `(select coalesce(json_agg(json_build_object('id', x.id, 'titre', x.titre, 'opensAt', x.opens_at, 'closesAt', x.closes_at)
                             order by x.opens_at, x.id), '[]')
    from (select x.id, x.titre, x.opens_at, x.closes_at from exam x
          where x.announced_at is not null and x.closes_at > ${now} and ${prepa ? `x.prepa_id = ${prepa}` : maySit(learner, now)}
          order by x.closes_at, x.id limit ${maxUpcoming}) x)`;

/** An exam in a learner's list. */
export interface ListedExam {
  id: number;
  titre: string;
  prepaNom: string;
  opensAt: Date;
  closesAt: Date;
  announcedAt: Date;
  markedAt: Date | null;
  publishedAt: Date | null;
  /** Minutes. */
  duree: number;
  /** Whether the learner has begun it. */
  hasSat: boolean;
  handedInAt: Date | null;
}

const listed = namedStatement<ListedExam>({
  name: 'exams.of-learner',
  text: `with own as materialized (select exam_id, handed_in_at from exam_sitting where user_id = $1 order by exam_id desc limit ${maxListed}),
         mine as (
           (select x.id from exam x where x.announced_at is not null and x.closes_at > $2 and ${maySit('$1', '$2')}
            order by x.closes_at, x.id limit ${maxListed})
           union select exam_id from own)
         select x.id, x.titre, p.nom as prepa_nom, x.opens_at, x.closes_at, x.announced_at, x.marked_at, x.published_at, x.duree,
                own.exam_id is not null as has_sat, own.handed_in_at
         from mine join exam x on x.id = mine.id join prepa p on p.id = x.prepa_id left join own on own.exam_id = x.id
         where x.announced_at is not null order by x.opens_at desc, x.id desc limit ${maxListed}`,
});

/** Returns the exams that a learner may take now or later, and those that they have taken, newest first. */
export const listExams = (em: EntityManager, userId: string, now: Date): Promise<ListedExam[]> => listed(em, [userId, now]);
