import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../../platform/database/named-statement.ts';
import { maySit } from '../exam/exam.repository.ts';

/** Most exams that a page announces. */
const maxUpcoming = 5;
/** Most exams on the landing page. */
const maxFree = 2;
/** Most exams of the list. */
const maxListed = 100;

/** An announced exam that has not closed, as JSON has it. */
export interface UpcomingExam {
  id: number;
  titre: string;
  /** ISO 8601. */
  opensAt: string;
  closesAt: string;
  /** Whether every signed-in learner may take it. */
  isFree: boolean;
}

/** SQL: whether a learner may still take exam `x`. The parameters are SQL. */
const mayStillSit = (learner: string, now: string): string =>
  `${maySit(learner, now)} and not exists (select from exam_sitting s where s.exam_id = x.id and s.user_id = ${learner} and s.handed_in_at is not null)`;

/**
 * Returns SQL of the announced exams that a learner may take and has not handed in, or of all those of a prepa, that have not closed, the
 * next one first, as JSON: `UpcomingExam[]`. All parameters are SQL.
 */
export const upcomingExamsSql = (now: string, of: { learner: string } | { prepa: string }): string =>
  `(select coalesce(json_agg(json_build_object('id', x.id, 'titre', x.titre, 'opensAt', x.opens_at, 'closesAt', x.closes_at, 'isFree', x.audience = 'learners')
                             order by x.opens_at, x.id), '[]')
    from (select x.id, x.titre, x.opens_at, x.closes_at, x.audience from exam x
          where x.announced_at is not null and x.closes_at > ${now} and ${'prepa' in of ? `x.prepa_id = ${of.prepa}` : mayStillSit(of.learner, now)}
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

/** An announced exam that everybody may take, for visitors. */
export interface FreeExam {
  id: number;
  titre: string;
  prepaNom: string;
  opensAt: Date;
  closesAt: Date;
  /** Minutes. */
  duree: number;
}

/** SQL: whether everybody may know and take exam `x` of prepa `p` at $1. */
const isFree = "x.announced_at is not null and x.closes_at > $1 and x.audience = 'learners' and p.is_published";

const free = namedStatement<FreeExam>({
  name: 'exams.free',
  reads: 'replica',
  text: `select x.id, x.titre, p.nom as prepa_nom, x.opens_at, x.closes_at, x.duree from exam x join prepa p on p.id = x.prepa_id
         where ${isFree} order by x.closes_at, x.id limit $2`,
});

/** Returns the exams of published prepas that everybody may take, the one that closes next first: one that is open for long hides no other. */
export const listFreeExams = (em: EntityManager, now: Date): Promise<FreeExam[]> => free(em, [now, maxFree]);

const freeTitle = namedStatement<{ titre: string }>({
  name: 'exams.free-title',
  reads: 'replica',
  text: `select x.titre from exam x join prepa p on p.id = x.prepa_id where x.id = $2 and ${isFree}`,
});

/** Returns the title of an exam of a published prepa that everybody may take; null for other exams, and once it has closed. */
export const findFreeTitle = async (em: EntityManager, id: number, now: Date): Promise<string | null> =>
  (await freeTitle(em, [now, id]))[0]?.titre ?? null;

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
