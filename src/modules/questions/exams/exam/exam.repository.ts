import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../../platform/database/named-statement.ts';
import type { ExamTimes } from '../../../../shared/exams/exam-state.ts';
import type { ExamAudience } from '../../../../shared/exams/exam-words.ts';
import type { MarkingRule } from '../../../../shared/questions/marking-rule.ts';
import { accessCondition } from '../../../enrolment/index.ts';

/** An exam, without anything of its papers' texts. */
export interface ExamRow extends ExamTimes {
  id: number;
  prepaId: number;
  prepaNom: string;
  titre: string;
  consignes: string;
  /** Minutes. */
  duree: number;
  /** Minutes. */
  grace: number;
  bareme: MarkingRule;
  audience: ExamAudience;
  revision: number;
}

/** SQL: the columns of `ExamRow`, of `exam x join prepa p on p.id = x.prepa_id`. */
export const examColumns = `x.id, x.prepa_id, p.nom as prepa_nom, x.titre, x.consignes, x.opens_at, x.closes_at, x.duree, x.grace, x.bareme,
  x.audience, x.announced_at, x.marked_at, x.published_at, x.revision`;

/** SQL: whether a learner may take exam `x`. The parameters are SQL. */
export const maySit = (user: string, now: string): string => `(x.audience = 'learners' or ${accessCondition(user, 'x.prepa_id', now)})`;

/** An exam for one learner. */
export interface CandidateExamRow extends ExamRow {
  /** Whether the learner may begin it now. A sitting that has begun goes on when access ends. */
  maySit: boolean;
  /** The learner's sitting; null before it begins. */
  sitting: {
    startedAt: Date;
    endsAt: Date;
    handedInAt: Date | null;
    ending: 'candidate' | 'time' | 'site' | null;
    receipt: string | null;
    late: 'waiting' | 'accepted' | 'refused' | null;
    pseudonym: string | null;
  } | null;
}

const forCandidate = namedStatement<
  ExamRow & { maySit: boolean; startedAt: Date | null } & Omit<NonNullable<CandidateExamRow['sitting']>, 'startedAt'>
>({
  name: 'exams.for-candidate',
  text: `select ${examColumns}, ${maySit('$1', '$3')} as may_sit, s.started_at, s.ends_at, s.handed_in_at, s.ending, s.receipt, s.late, s.pseudonym
         from exam x join prepa p on p.id = x.prepa_id left join exam_sitting s on s.exam_id = x.id and s.user_id = $1
         where x.id = $2 and x.announced_at is not null`,
});

/** Returns an announced exam for a learner; null when there is none. */
export async function findForCandidate(em: EntityManager, userId: string, id: number, now: Date): Promise<CandidateExamRow | null> {
  const [row] = await forCandidate(em, [userId, id, now]);
  if (!row) return null;
  const { startedAt, endsAt, handedInAt, ending, receipt, late, pseudonym, ...exam } = row;
  return { ...exam, sitting: startedAt && { startedAt, endsAt, handedInAt, ending, receipt, late, pseudonym } };
}

const one = namedStatement<ExamRow>({
  name: 'exams.one',
  text: `select ${examColumns} from exam x join prepa p on p.id = x.prepa_id where x.id = $1`,
});

/** Returns an exam in any state, for administrators and commands; null when there is none. */
export const findExam = async (em: EntityManager, id: number): Promise<ExamRow | null> => (await one(em, [id]))[0] ?? null;
