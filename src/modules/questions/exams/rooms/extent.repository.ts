import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../../platform/database/named-statement.ts';

/** How long an exam is. Nothing of its texts, nor their titles, which name their subjects. */
export interface ExamExtent {
  papers: { discipline: string; questions: number }[];
  questions: number;
}

const extent = namedStatement<{ discipline: string; questions: number }>({
  name: 'exams.extent',
  text: `select e.discipline, count(q.question_id)::int as questions
         from exam_paper e left join exam_question q on q.paper_id = e.id
         where e.exam_id = $1 group by e.id order by e.position`,
});

export async function findExtent(em: EntityManager, examId: number): Promise<ExamExtent> {
  const papers = await extent(em, [examId]);
  return { papers, questions: papers.reduce((sum, { questions }) => sum + questions, 0) };
}
