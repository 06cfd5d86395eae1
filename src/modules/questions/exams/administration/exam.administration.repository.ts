import type { EntityManager } from '@mikro-orm/postgresql';
import { readRows } from '../../../../platform/database/rows.ts';
import type { LateState, QuestionStanding } from '../../../../shared/exams/exam-words.ts';
import type { QuestionKey } from '../../../../shared/questions/question-keys.ts';
import { answerTime, batchTimes, msOf } from '../exam/answer-time.ts';
import { type ExamRow, examColumns } from '../exam/exam.repository.ts';

/** Exams per page of the list. */
export const pageSize = 30;

/** An exam in the list. */
export interface ListedExam extends ExamRow {
  papers: number;
}

const withTimes = <Row extends ExamRow>(row: Row): Row => ({
  ...row,
  opensAt: new Date(row.opensAt),
  closesAt: new Date(row.closesAt),
  announcedAt: row.announcedAt && new Date(row.announcedAt),
  markedAt: row.markedAt && new Date(row.markedAt),
  publishedAt: row.publishedAt && new Date(row.publishedAt),
});

/** Returns exams, the newest first. @param before id of the last exam of the page before @param limit rows */
export async function listExams(
  em: EntityManager,
  { before, limit }: { before?: number | undefined; limit: number },
): Promise<ListedExam[]> {
  const rows = await readRows<ListedExam>(
    em,
    `select ${examColumns}, (select count(*)::int from exam_paper a where a.exam_id = x.id) as papers
     from exam x join prepa p on p.id = x.prepa_id where ?::int is null or x.id < ? order by x.id desc limit ?`,
    [before ?? null, before ?? null, limit],
  );
  return rows.map(withTimes);
}

/** Numbers of an announced exam. */
export interface ExamNumbers {
  /** Candidates who have begun. */
  begun: number;
  /** Of them, those whose time is not over and who have not handed in. */
  sitting: number;
  /** Those who have handed in themselves, or whose page did at the end of their time. */
  handedIn: number;
  /** Those whom the site has handed in. */
  bySite: number;
  /** Copies with answers after the grace: all, and those that wait for a decision. */
  late: number;
  waiting: number;
  /** Batches of answers received within the last minute, and when the last one arrived; null without any. */
  batches: number;
  lastBatchAt: Date | null;
}

/** Returns the numbers of an exam at a time. */
export async function countExam(em: EntityManager, id: number, now: Date): Promise<ExamNumbers> {
  const [row] = await readRows<Omit<ExamNumbers, 'batches' | 'lastBatchAt'>>(
    em,
    `select count(*)::int as begun, count(*) filter (where handed_in_at is null and ends_at > ?::timestamptz)::int as sitting,
            count(*) filter (where ending in ('candidate', 'time'))::int as handed_in, count(*) filter (where ending = 'site')::int as by_site,
            count(*) filter (where late is not null)::int as late, count(*) filter (where late = 'waiting')::int as waiting
     from exam_sitting where exam_id = ?`,
    [now.toISOString(), id],
  );
  const [received] = await readRows<{ batches: number; lastBatchAt: string | null }>(
    em,
    `select count(*) filter (where received_at > ?::timestamptz - interval '1 minute')::int as batches, max(received_at) as last_batch_at
     from exam_batch where exam_id = ?`,
    [now.toISOString(), id],
  );
  if (!row || !received) throw new Error('a count returned no row');
  return { ...row, batches: received.batches, lastBatchAt: received.lastBatchAt === null ? null : new Date(received.lastBatchAt) };
}

/** A question of an announced exam. */
export interface FrozenQuestionRow {
  questionId: string;
  position: number;
  paperTitre: string;
  key: QuestionKey;
  standing: QuestionStanding;
}

/** Returns the questions of an announced exam in their order, with their frozen keys. */
export const listQuestions = (em: EntityManager, id: number): Promise<FrozenQuestionRow[]> =>
  readRows(
    em,
    `select q.question_id, q.position, p.titre as paper_titre, q.key, q.standing
     from exam_question q join exam_paper p on p.id = q.paper_id where q.exam_id = ? order by q.position`,
    [id],
  );

/** How the candidates of a marked exam answered. */
export interface AnswerCounts {
  /** Copies that were marked. */
  copies: number;
  /** Answers and right answers, by question; absent for one that nobody answered. */
  questions: Map<string, { answered: number; right: number }>;
}

/** Counts the answers of a marked exam. It reads all of them, so callers keep the result until the exam is marked again. */
export async function countAnswers(em: EntityManager, id: number): Promise<AnswerCounts> {
  const rows = await readRows<{ questionId: string | null; answered: number; right: number; copies: number }>(
    em,
    `with copies as (select count(*)::int as copies from exam_result where exam_id = ?),
          answers as (select a.key as question_id, a.value as given, count(*)::int as count
                      from exam_result r cross join lateral jsonb_each(r.answers) a where r.exam_id = ? group by a.key, a.value)
     select a.question_id, coalesce(sum(a.count), 0)::int as answered, coalesce(sum(a.count) filter (where j.is_right), 0)::int as right, c.copies
     from copies c left join answers a on true
          left join exam_judgement j on j.exam_id = ? and j.question_id = a.question_id and j.given = a.given
     group by a.question_id, c.copies`,
    [id, id, id],
  );
  return {
    copies: rows[0]?.copies ?? 0,
    questions: new Map(rows.flatMap(({ questionId, answered, right }) => (questionId === null ? [] : [[questionId, { answered, right }]]))),
  };
}

/** A correction that candidates see. */
export interface CorrectionRow {
  position: number;
  standing: QuestionStanding;
  reason: string;
  correctedAt: string;
}

/** Returns the corrections of an exam, the newest first. */
export const listCorrections = (em: EntityManager, id: number): Promise<CorrectionRow[]> =>
  readRows(
    em,
    `select q.position, c.standing, c.reason, c.corrected_at
     from exam_correction c join exam_question q on q.exam_id = c.exam_id and q.question_id = c.question_id where c.exam_id = ?
     order by c.id desc limit 500`,
    [id],
  );

/** A copy with answers that came after the grace. */
export interface LateRow {
  userId: string;
  username: string;
  email: string;
  startedAt: string;
  endsAt: string;
  handedInAt: string | null;
  late: LateState;
  /** Batches that came after the grace: their number, their answers, when they say that they were sent, and when the last one arrived. */
  batches: number;
  answers: number;
  firstSentAt: string | null;
  lastReceivedAt: string | null;
  /** When the last of these answers that counts once accepted was given; null when none was given in time. */
  lastGivenAt: string | null;
}

/** Most late copies that a page or command lists. */
export const maxLate = 200;

/** Returns the late copies of an exam, those that wait first. @returns at most `maxLate` + 1 rows */
export const listLate = (em: EntityManager, id: number): Promise<LateRow[]> =>
  readRows(
    em,
    `select s.user_id, u.username, u.email, s.started_at, s.ends_at, s.handed_in_at, s.late, b.batches, b.answers, b.first_sent_at, b.last_received_at,
            g.last_given_at
     from (select * from exam_sitting where exam_id = ? and late is not null order by late <> 'waiting', user_id limit ${maxLate + 1}) s
          join exam x on x.id = s.exam_id join app_user u on u.id = s.user_id
          cross join lateral (
            select count(*)::int as batches, coalesce(sum(jsonb_array_length(answers)), 0)::int as answers, min(sent_at) as first_sent_at,
                   max(received_at) as last_received_at
            from exam_batch t where t.exam_id = s.exam_id and t.user_id = s.user_id
              and t.received_at > s.ends_at + make_interval(mins => x.grace)) b
          cross join lateral (
            select to_timestamp(max(a.at) filter (where a.at <= ${msOf('least(s.ends_at, s.handed_in_at)')}) / 1000.0) as last_given_at
            from exam_batch b
                 cross join lateral ${batchTimes}
                 cross join lateral jsonb_array_elements(b.answers) as e(answer)
                 cross join lateral (select ${answerTime(msOf('s.started_at'))} as at) a
            where b.exam_id = s.exam_id and b.user_id = s.user_id and b.received_at > s.ends_at + make_interval(mins => x.grace)) g
     order by s.late <> 'waiting', b.last_received_at, s.user_id`,
    [id],
  );

/** A sitting that a receipt names. */
export interface ReceiptRow {
  userId: string;
  username: string;
  email: string;
  startedAt: string;
  handedInAt: string;
  ending: 'candidate' | 'time' | 'site';
  batches: number;
  answers: number;
  /** Of these, those that arrived after the hand-in, from another device: they may count, and the receipt does not cover them. */
  after: number;
}

/** Returns the sittings of an exam with a receipt; two may have the same eight letters by chance. */
export const findReceipt = (em: EntityManager, id: number, receipt: string): Promise<ReceiptRow[]> =>
  readRows(
    em,
    `select s.user_id, u.username, u.email, s.started_at, s.handed_in_at, s.ending, b.*
     from exam_sitting s join app_user u on u.id = s.user_id
          cross join lateral (select count(*)::int as batches, coalesce(sum(jsonb_array_length(answers)), 0)::int as answers,
                                     coalesce(sum(jsonb_array_length(answers)) filter (where received_at > s.handed_in_at), 0)::int as after
                              from exam_batch t where t.exam_id = s.exam_id and t.user_id = s.user_id) b
     where s.exam_id = ? and s.receipt = ? order by s.handed_in_at limit 10`,
    [id, receipt],
  );

/** Returns the prepas for the form's choice, by name. */
export const listPrepas = (em: EntityManager): Promise<{ id: number; nom: string }[]> =>
  em.execute('select id, nom from prepa order by nom, id limit 500');
