import type { EntityManager } from '@mikro-orm/postgresql';
import { findForCandidate } from '../../../src/modules/questions/exams/exam/exam.repository.ts';
import { findNewestAnswers } from '../../../src/modules/questions/exams/sittings/newest-answers.ts';
import { beginSitting, handIn, readParticipation, takeBatch } from '../../../src/modules/questions/exams/sittings/sitting.service.ts';
import { AppError } from '../../../src/platform/errors.ts';
import type { BatchBody, HandInBody, ParticipationView } from '../../../src/shared/exams/exam-calls.ts';
import type { TestExam } from '../exams.ts';
import type { ExamServer } from './server.ts';

/** Returns the site's own functions on the database as the server of one candidate. Plans name questions q0, q1, …; the exam has ids. */
export function siteServer(em: EntityManager, exam: TestExam, userId: string): ExamServer {
  const candidate = { userId, examId: exam.id, network: '0'.repeat(16) };
  const idOf = (q: string) => exam.questions[Number(q.slice(1))]?.id ?? q;
  const nameOf = (id: string) => `q${exam.questions.findIndex((question) => question.id === id)}`;
  const take = (what: string, body: BatchBody, now: number) => {
    const context = { clock: { now: () => new Date(now) } };
    if (what === 'participation') return beginSitting(em, context, candidate, body.debut);
    const sent = { ...body, reponses: body.reponses.map((answer) => ({ ...answer, q: idOf(answer.q) })) };
    return what === 'remise' ? handIn(em, context, candidate, sent as HandInBody) : takeBatch(em, context, candidate, sent);
  };
  const read = async (now: number): Promise<ParticipationView> => {
    const row = await findForCandidate(em, userId, exam.id, new Date(now));
    if (!row) throw new Error('no exam');
    const view = await readParticipation(em, { clock: { now: () => new Date(now) } }, userId, row);
    return { ...view, reponses: view.reponses.map((answer) => ({ ...answer, q: nameOf(answer.q) })) };
  };
  let last = 0;
  return {
    async call(what, body: BatchBody | null, now) {
      last = now;
      try {
        return { status: 200, body: body ? await take(what, body, now) : await read(now) };
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        return { status: error.status, body: { message: error.message } };
      }
    },
    async outcome() {
      const row = await findForCandidate(em, userId, exam.id, new Date(last));
      const sitting = row?.sitting;
      const answers = await findNewestAnswers(em, exam.id, userId, new Date(last));
      const end = sitting?.endsAt.getTime() ?? 0;
      return {
        answers: new Map(answers.map(({ q, g }) => [nameOf(q), g])),
        cut: Math.min(end, sitting?.handedInAt?.getTime() ?? end),
        receipt: sitting?.receipt ?? null,
      };
    },
  };
}
