import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../../platform/database/named-statement.ts';
import type { PaperKind } from '../../../../shared/exams/exam-words.ts';

/** How long an exam is. Nothing of its texts, nor their titles, which name their subjects. */
export interface ExamExtent {
  papers: { kind: PaperKind; discipline: string; questions: number }[];
}

const extent = namedStatement<ExamExtent['papers'][number]>({
  name: 'exams.extent',
  text: `select e.kind, e.discipline, count(q.question_id)::int as questions
         from exam_paper e left join exam_question q on q.paper_id = e.id
         where e.exam_id = $1 group by e.id order by e.position`,
});

export const findExtent = async (em: EntityManager, examId: number): Promise<ExamExtent> => ({ papers: await extent(em, [examId]) });
