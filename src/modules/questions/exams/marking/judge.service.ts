import type { EntityManager } from '@mikro-orm/postgresql';
import { type Given, isRight } from '../../../../shared/questions/grade.ts';
import type { QuestionKey } from '../../../../shared/questions/question-keys.ts';

/** Answers judged at a time. */
const pageSize = 5_000;

interface Judgement {
  questionId: string;
  given: Given;
}

/**
 * Judges each different answer to each question of an exam once, by the exam's own keys. Some million answers have some thousand
 * different values.
 */
export async function judgeAnswers(tx: EntityManager, examId: number): Promise<void> {
  await tx.execute('delete from exam_judgement where exam_id = ?', [examId]);
  await tx.execute(
    `insert into exam_judgement (exam_id, question_id, given, is_right)
     select distinct r.exam_id, a.key, a.value, false from exam_result r cross join lateral jsonb_each(r.answers) a where r.exam_id = ?`,
    [examId],
  );
  await judge(tx, examId, null);
}

/** Judges the different answers to one question anew, after its key has changed. */
export async function judgeAgain(tx: EntityManager, examId: number, questionId: string): Promise<void> {
  await tx.execute('update exam_judgement set is_right = false where exam_id = ? and question_id = ?', [examId, questionId]);
  await judge(tx, examId, questionId);
}

/** Sets which of the stored answers are right, page by page. @param only id of a question; null for all */
async function judge(tx: EntityManager, examId: number, only: string | null): Promise<void> {
  const rows = await tx.execute<{ id: string; key: QuestionKey }[]>('select question_id as id, key from exam_question where exam_id = ?', [
    examId,
  ]);
  const keys = new Map(rows.map(({ id, key }) => [id, key]));
  for (let last: Judgement | null = null; ; ) {
    const page: Judgement[] = await nextAnswers(tx, examId, only, last);
    const right = page.filter(({ questionId, given }) => {
      const key = keys.get(questionId);
      return key !== undefined && isRight(key, given);
    });
    if (right.length > 0) await keepRight(tx, examId, right);
    if (page.length < pageSize) return;
    last = page.at(-1) ?? null;
  }
}

const nextAnswers = (tx: EntityManager, examId: number, only: string | null, last: Judgement | null): Promise<Judgement[]> =>
  tx.execute(
    `select question_id as "questionId", given from exam_judgement
     where exam_id = ? and (?::text is null or question_id = ?::text) and (?::text is null or (question_id, given) > (?, ?::jsonb))
     order by question_id, given limit ${pageSize}`,
    [examId, only, only, last?.questionId ?? null, last?.questionId ?? '', JSON.stringify(last?.given ?? null)],
  );

const keepRight = (tx: EntityManager, examId: number, right: readonly Judgement[]) =>
  tx.execute(
    `update exam_judgement j set is_right = true from jsonb_to_recordset(?::jsonb) as r("questionId" text, given jsonb)
     where j.exam_id = ? and j.question_id = r."questionId" and j.given = r.given`,
    [JSON.stringify(right), examId],
  );
