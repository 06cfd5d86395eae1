import type { FastifyInstance } from 'fastify';
import { idParams, withZod } from '../../../../platform/http/validators.ts';
import { examName, formatHour, formatOpening } from '../../../../shared/exams/announcement.ts';
import { examState } from '../../../../shared/exams/exam-state.ts';
import { paperHtml } from '../../../../shared/exams/paper-html.ts';
import { sayRule } from '../../../../shared/questions/marking-rule.ts';
import { requireExam } from '../exam/exam.policy.ts';
import { type CandidateExamRow, findForCandidate } from '../exam/exam.repository.ts';
import { readOpenPapers } from '../papers/paper-cache.ts';
import { examHref, linesOf, presentExam, sayMinutes } from './exam.presenter.ts';
import { findExtent } from './extent.repository.ts';

declare module '../../../../platform/pages/views.ts' {
  interface PageLocals {
    'questions/exam': ReturnType<typeof presentExam>;
    'questions/exam-room': ReturnType<typeof presentRoom>;
  }
}

/** Serves the page of an exam, in each of its states, and its room, in which candidates answer. */
export async function roomPages(instance: FastifyInstance): Promise<void> {
  const app = withZod(instance);
  const url = examHref(0).replace('0', ':id');
  const options = { preHandler: [app.requireLearner], schema: { params: idParams } };
  const page = { noindex: true, examCss: true };

  app.get(url, { ...options, config: { back: '/user/concours-blancs' } }, async (request, reply) => {
    const now = request.context.clock.now();
    const exam = requireExam(await findForCandidate(request.em, request.signedInLearner.id, request.params.id, now));
    const extent = await findExtent(request.em, exam.id);
    return reply.page('questions/exam', { ...page, learnerCss: true, ...presentExam(exam, extent, now) });
  });

  // The same page for all candidates, without anything personal: one rendering serves all of them, and phones keep it, with its pictures.
  app.get(`${url}/salle`, { ...options, config: { load: 'essential', authored: true } }, async (request, reply) => {
    const now = request.context.clock.now();
    const exam = requireExam(await findForCandidate(request.em, request.signedInLearner.id, request.params.id, now));
    // The exam's page explains why the room is closed.
    if ((!exam.maySit && !exam.sitting) || exam.publishedAt) return reply.redirect(examHref(exam.id), 303);
    const isOpen = now >= exam.opensAt;
    const versions = [exam.id, exam.revision, exam.announcedAt, exam.opensAt, exam.closesAt, exam.prepaNom, isOpen];
    return reply.versionedPage(
      'questions/exam-room',
      versions,
      async () => {
        const html = isOpen ? paperHtml(await readOpenPapers(request.em, exam.id)) : null;
        return { ...page, formulas: html?.includes('<math') ?? false, ...presentRoom(exam, html, now) };
      },
      false,
    );
  });
}

/** Returns the room for `questions/exam-room`. @param paper HTML; null before the opening */
function presentRoom(exam: CandidateExamRow, paper: string | null, now: Date) {
  const { id, opensAt, closesAt, duree, grace, revision } = exam;
  return {
    title: examName(exam.titre),
    name: exam.titre,
    base: examHref(id),
    id,
    opens: opensAt.getTime(),
    closes: closesAt.getTime(),
    duree,
    grace,
    /** When the page was rendered, in ms: the site's time is never before it. */
    now: now.getTime(),
    revision,
    opening: formatOpening(opensAt),
    closing: formatHour(closesAt),
    duration: sayMinutes(duree),
    rule: sayRule(exam.bareme),
    instructions: linesOf(exam),
    isOver: examState(exam, now) === 'closed',
    paper,
  };
}
