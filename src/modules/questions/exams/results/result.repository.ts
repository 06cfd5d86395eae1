import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../../platform/database/named-statement.ts';
import type { PaperKind, QuestionStanding } from '../../../../shared/exams/exam-words.ts';
import type { PointCounts } from '../../../../shared/exams/standing.ts';
import type { Given } from '../../../../shared/questions/grade.ts';
import type { MarkingRule } from '../../../../shared/questions/marking-rule.ts';
import type { QuestionKey } from '../../../../shared/questions/question-keys.ts';
import { maySit } from '../exam/exam.repository.ts';

/** An announced exam with one learner's result. */
export interface OwnResultRow {
  id: number;
  titre: string;
  prepaId: number;
  prepaNom: string;
  bareme: MarkingRule;
  markedAt: Date | null;
  publishedAt: Date | null;
  maySit: boolean;
  /** Null for a learner who has not sat. */
  late: 'waiting' | 'accepted' | 'refused' | null;
  ending: 'candidate' | 'time' | 'site' | null;
  pseudonym: string | null;
  startedAt: Date | null;
  /** Null without a result. */
  answers: Record<string, Given> | null;
  points: number | null;
  rights: number;
  wrongs: number;
  blanks: number;
  rank: number;
  byPaper: Record<string, number>;
  /** Points that the learner gave themselves, by paper. */
  selfMarks: Record<string, number>;
}

const own = namedStatement<OwnResultRow>({
  name: 'exams.own-result',
  text: `select x.id, x.titre, x.prepa_id, p.nom as prepa_nom, x.bareme, x.marked_at, x.published_at, ${maySit('$1', '$3')} as may_sit,
                s.late, s.ending, s.pseudonym, s.started_at, r.answers, r.points::float8 as points, r.rights, r.wrongs, r.blanks, r.rank, r.by_paper,
                coalesce((select jsonb_object_agg(m.paper_id, m.points) from exam_paper e join exam_self_mark m on m.paper_id = e.id
                          where e.exam_id = x.id and m.user_id = $1), '{}') as self_marks
         from exam x join prepa p on p.id = x.prepa_id left join exam_sitting s on s.exam_id = x.id and s.user_id = $1
              left join exam_result r on r.exam_id = x.id and r.user_id = $1
         where x.id = $2 and x.announced_at is not null`,
});

/** Returns a learner's own result in an announced exam, whether or not it is published; null without such an exam. */
export const findOwnResult = async (em: EntityManager, userId: string, id: number, now: Date): Promise<OwnResultRow | null> =>
  (await own(em, [userId, id, now]))[0] ?? null;

/** What all candidates of a marked exam share. */
export interface MarkedExamRow {
  papers: { id: number; kind: PaperKind; titre: string; discipline: string; contenu: string; corrige: string | null }[];
  questions: { id: string; paperId: number; position: number; points: number; key: QuestionKey; standing: QuestionStanding }[];
  /** Oldest first. */
  corrections: { questionId: string; standing: QuestionStanding; reason: string; at: number }[];
  /** How many candidates have how many points. */
  counts: PointCounts;
}

const shared = namedStatement<MarkedExamRow>({
  name: 'exams.marked',
  text: `select coalesce((select json_agg(json_build_object('id', id, 'kind', kind, 'titre', titre, 'discipline', discipline, 'contenu', coalesce(contenu, ''),
                                                            'corrige', corrige) order by position) from exam_paper where exam_id = x.id), '[]') as papers,
                coalesce((select json_agg(json_build_object('id', question_id, 'paperId', paper_id, 'position', position, 'points', points, 'key', key,
                                                            'standing', standing) order by position) from exam_question where exam_id = x.id), '[]') as questions,
                coalesce((select json_agg(json_build_object('questionId', question_id, 'standing', standing, 'reason', reason,
                                                            'at', extract(epoch from corrected_at) * 1000) order by id) from exam_correction
                          where exam_id = x.id), '[]') as corrections,
                coalesce((select json_agg(json_build_object('points', points::float8, 'count', count) order by points)
                          from (select points, count(*) as count from exam_result where exam_id = x.id group by points) c), '[]') as counts
         from exam x where x.id = $1`,
});

/**
 * Returns the papers, questions, corrections and numbers of points of an exam; null without such an exam. Reads all results of the exam:
 * called once per marking.
 */
export const findMarkedExam = async (em: EntityManager, id: number): Promise<MarkedExamRow | null> => (await shared(em, [id]))[0] ?? null;

/** Most ranks of the public list. */
export const listedRanks = 100;

const listed = namedStatement<{ rank: number; points: number; pseudonym: string; own: boolean }>({
  name: 'exams.pseudonyms',
  text: `select r.rank, r.points::float8 as points, s.pseudonym, s.user_id = $2 as own
         from exam_result r join exam_sitting s on s.exam_id = r.exam_id and s.user_id = r.user_id
         where r.exam_id = $1 and r.rank between 1 and ${listedRanks} and s.pseudonym is not null order by r.rank, s.pseudonym limit 500`,
});

/** Returns the first hundred ranks of an exam, those candidates who agreed to be listed, by their pseudonyms. */
export const listPseudonyms = (em: EntityManager, id: number, userId: string) => listed(em, [id, userId]);
