import type { EntityManager } from '@mikro-orm/postgresql';
import type { FastifyRequest } from 'fastify';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import type { CurveMark } from '../../../shared/study/marks.ts';
import type { DisciplineProgress, MarkedCounts } from '../../../shared/study/progress.ts';
import type { ResumePlace } from '../../../shared/study/resume.ts';
import type { DisciplineRow, PrepaRow } from '../../catalogue/index.ts';
import { diagnosticCount } from '../../content/index.ts';
import type { EnrolmentRow } from '../../enrolment/index.ts';
import { type LearnerRow, learnerSession } from '../../identity/index.ts';
import { type OpenAttemptColumn, openAttemptSql } from '../../payment/index.ts';
import { type UpcomingExam, upcomingExamsSql } from '../../questions/index.ts';
import { asksForDaySql } from '../../revision/index.ts';
import { curveSql, progressSql } from '../../training/index.ts';
import { contentsOf, type PrepaContents } from '../contents/contents.repository.ts';

/**
 * Returns SQL of a prepa's disciplines as JSON. @param more further fields for `json_build_object` @param join the join that they
 * need
 */
const disciplinesOf = (prepaId: string, more = '', join = '') =>
  `coalesce((select json_agg(json_build_object('id', d.id, 'nom', d.nom, 'description', d.description,
                                               'image', d.image, 'prepaId', d.prepa_id${more}) order by d.id)
             from (select * from discipline where prepa_id = ${prepaId} order by id limit 200) d ${join}), '[]'::json)`;
const disciplines = disciplinesOf('e.prepa_id');
const columns = 'e.id, e.prepa_id, coalesce(p.nom, e.prepa_nom) as prepa_nom, e.statut, e.date_inscription, e.date_expiration';

/** An enrolment with its prepa's disciplines; null when they were not requested. */
export type EnrolmentWithDisciplines = EnrolmentRow & {
  disciplines: DisciplineRow[] | null;
  /** Whether the learner is asked for the date of the concours. */
  asksForDay: boolean;
};

/** The session's learner, with their enrolment in a prepa, its disciplines and the progress. */
export interface OpenedPrepa extends LearnerRow, Pick<EnrolmentRow, 'prepaNom' | 'statut' | 'dateExpiration'> {
  /** Null without an enrolment, like the enrolment's other columns. */
  enrolmentId: number | null;
  /** Whether the learner is asked for the date of the concours. */
  asksForDay: boolean;
  /** Null when they could not be read. */
  disciplines: (DisciplineRow & { progress: DisciplineProgress })[] | null;
  marked: MarkedCounts;
  /** The learner's latest marks, newest first. */
  marks: CurveMark[];
  /** The prepa's next mock exams. */
  exams: UpcomingExam[];
  /** The item to continue with; null when none was opened or none is left. */
  resume: ResumePlace | null;
}

/** Returns a query of an opened prepa; its result is null when the session does not exist. @param header see `learnerSession` */
export function openedPrepaQuery(header: string) {
  const statement = (name: string, session: string, disciplines: string, marked: string, resume: string, marks: string, exams: string) =>
    namedStatement<OpenedPrepa>({
      name,
      text: `select l.*, e.*, ${disciplines} as disciplines, ${marked} as marked, ${resume} as resume, ${marks} as marks, ${exams} as exams
             from (${session}) l left join lateral (
               select e.id as enrolment_id, coalesce(p.nom, e.prepa_nom) as prepa_nom, e.statut, e.date_expiration, ${asksForDaySql('e', '$2')} as asks_for_day
               from enrolment e left join prepa p on p.id = e.prepa_id where e.user_id = l.learner_id and e.prepa_id = $3) e on true`,
    });
  const { join, row, marked, resume } = progressSql('l.learner_id', '$2', '$3::int');
  const disciplines = disciplinesOf('$3', `, 'progress', ${row}`, join);
  const whole = statement(
    'portal.opened-prepa',
    learnerSession('$1', '$2', header),
    disciplines,
    marked,
    resume,
    curveSql('l.learner_id', '$3::int'),
    upcomingExamsSql('$2', { prepa: '$3::int' }),
  );
  const bare = statement(
    'portal.opened-prepa-alone',
    learnerSession('$1', '$2'),
    'null::json',
    `'{}'::json`,
    'null::json',
    `'[]'::json`,
    `'[]'::json`,
  );
  return async (request: FastifyRequest, session: string, prepaId: number): Promise<OpenedPrepa | null> => {
    const values = [session, request.context.clock.now(), prepaId];
    try {
      return (await whole(request.em, values))[0] ?? null;
    } catch (error) {
      request.log.error({ err: error }, 'disciplines could not be read');
      return (await bare(request.em, values))[0] ?? null;
    }
  };
}

const activeOf = namedStatement<EnrolmentWithDisciplines>({
  name: 'enrolment.active-with-disciplines',
  text: `select ${columns}, case when e.prepa_id = $2 then ${disciplines} end as disciplines, ${asksForDaySql('e', '$3')} as asks_for_day
         from enrolment e join prepa p on p.id = e.prepa_id
         where e.user_id = $1 and e.statut = 'active' and e.date_expiration > $3 order by e.date_expiration desc limit 200`,
});

/** A prepa with its disciplines, each with the number of questions of its diagnostic, its next mock exams and its contents. */
export type TrialOfPrepa = PrepaRow & PrepaContents & { disciplines: (DisciplineRow & { diagnostic: number })[]; exams: UpcomingExam[] };

/** `enrolmentId` is null without an enrolment, like the enrolment's other columns. */
type TrialRow = TrialOfPrepa & Pick<EnrolmentRow, 'statut' | 'dateExpiration'> & { enrolmentId: number | null; attempt: OpenAttemptColumn };

const trialDisciplines = disciplinesOf('p.id', `, 'diagnostic', ${diagnosticCount('d.id')}`);

const trialOfPrepa = (name: string, attempt: string, reads?: 'replica') =>
  namedStatement<TrialRow>({
    name,
    reads,
    text: `select e.id as enrolment_id, e.statut, e.date_expiration, ${attempt} as attempt, p.id, p.nom, p.description, p.prix, p.image, p.is_published, p.auteur_id as auteur, ${trialDisciplines} as disciplines,
                ${upcomingExamsSql('$3', { prepa: 'p.id' })} as exams, c.*
         from prepa p left join enrolment e on e.user_id = $2 and e.prepa_id = p.id cross join lateral (${contentsOf('p.id')}) c
         where p.id = $1`,
  });
const learnersTrial = trialOfPrepa('portal.trial-of-prepa', openAttemptSql('$2', 'p.id'));
/** Visitors have no enrolment or payment, so a replica's data are sufficient. */
const visitorsTrial = trialOfPrepa('portal.visitors-trial-of-prepa', 'null::json', 'replica');

/**
 * Returns the trial of a prepa with the learner's enrolment and open payment; null when the prepa does not exist. @param userId null
 * for a visitor
 */
export async function findTrial(
  em: EntityManager,
  prepaId: number,
  userId: string | null,
  now: Date,
): Promise<{
  prepa: TrialOfPrepa;
  enrolment: Pick<EnrolmentRow, 'statut' | 'dateExpiration'> | null;
  attempt: OpenAttemptColumn;
} | null> {
  // A prepa missing or unpublished on the replica is read again from the primary: it may just have been published.
  const [row] = await (userId === null ? visitorsTrial : learnersTrial)(
    em,
    [prepaId, userId, now],
    ([found]) => found?.isPublished ?? false,
  );
  if (!row) return null;
  const { enrolmentId, statut, dateExpiration, attempt, ...prepa } = row;
  return { prepa, enrolment: enrolmentId === null ? null : { statut, dateExpiration }, attempt };
}

/** Returns the learner's active enrolments, latest end first, with the disciplines of one prepa. */
export const listActiveWithDisciplines = (em: EntityManager, userId: string, prepaId: number | null, now: Date) =>
  activeOf(em, [userId, prepaId, now]);
