import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../../../platform/errors.ts';
import { idParams, idSchema, withZod } from '../../../../platform/http/validators.ts';
import { examName, formatHour } from '../../../../shared/exams/announcement.ts';
import { paperParts, paperSection } from '../../../../shared/exams/paper-html.ts';
import type { Given } from '../../../../shared/questions/grade.ts';
import { sayRule } from '../../../../shared/questions/marking-rule.ts';
import { pageAbove } from '../../answers/unsent-answer.ts';
import { requireExam } from '../exam/exam.policy.ts';
import { type CandidateExamRow, findForCandidate } from '../exam/exam.repository.ts';
import type { PaperCache } from '../papers/paper-cache.ts';
import { findOwnResult } from '../results/result.repository.ts';
import { findNewestAnswers } from '../sittings/newest-answers.ts';
import { candidateOf } from '../sittings/sitting.routes.ts';
import { beginSitting } from '../sittings/sitting.service.ts';
import { examHref, linesOf, sayLeft, sheetHref } from './exam.presenter.ts';
import { handInSheet, type SheetCandidate, saveSheet } from './sheet.service.ts';
import { type SheetPage, sheetPagesOf, unansweredOf } from './sheet.ts';

interface ExamPageLocals {
  name: string;
  base: string;
  /** Time left and the end, in words. */
  left: string;
  end: string;
}

declare module '../../../../platform/pages/views.ts' {
  interface PageLocals {
    'questions/exam-sheet': ExamPageLocals & {
      rule: string;
      instructions: string[];
      page: number;
      pages: number;
      action: string;
      shown: SheetPage;
    };
    'questions/exam-hand-in': ExamPageLocals & {
      total: number;
      missing: { number: number; href: string }[];
      /** The candidate has tried to hand in, and was asked whether to. */
      isWarned: boolean;
    };
    'questions/exam-copy': Pick<ExamPageLocals, 'name' | 'base'> & {
      receipt: string | null;
      answered: number;
      /** Some answers arrived after the grace and wait for a decision. */
      isWaiting: boolean;
      total: number;
      papers: string;
    };
  }
}

/** A sitting that goes on. */
interface Going {
  exam: CandidateExamRow;
  sitting: NonNullable<CandidateExamRow['sitting']>;
  now: Date;
  known: ReadonlyMap<string, Given>;
}

const sheetParams = z.object({ ...idParams.shape, page: idSchema });

/** Serves an exam to candidates without scripts: its paper page by page, each saved when they go on, the hand-in, and their copy afterwards. */
export async function sheetPages(instance: FastifyInstance, { papers }: { papers: PaperCache }): Promise<void> {
  const app = withZod(instance);
  const url = examHref(0).replace('0', ':id');
  const guarded = { onRequest: [app.requireLearner] };
  const read = { preHandler: [app.requireLearner] };
  const page = { noindex: true, learnerCss: true, examCss: true };
  const config = { authored: true, load: 'essential' as const };

  app.post(`${url}/debut`, { ...guarded, schema: { params: idParams }, config: { formPage: pageAbove } }, async (request, reply) => {
    const { id } = request.params;
    try {
      await beginSitting(request.em, request.context, await candidateOf(request, id), request.context.clock.now().getTime());
    } catch (error) {
      if (!(error instanceof AppError) || !error.code.startsWith('EXAM.')) throw error;
      reply.flash('warning', error.message);
      return reply.redirect(examHref(id), 303);
    }
    return reply.redirect(sheetHref(id, 1), 303);
  });

  app.get(`${url}/feuille/:page`, { ...read, schema: { params: sheetParams }, config }, async (request, reply) => {
    const going = await findGoing(request, reply, request.params.id);
    return going ? showSheet(request, reply, going, request.params.page) : reply;
  });

  app.post(
    `${url}/feuille/:page`,
    {
      ...guarded,
      schema: { params: sheetParams, body: z.looseObject({ vers: z.string().max(20).optional() }) },
      config: { formPage: ({ url }) => url.split('?')[0] ?? '' },
    },
    async (request, reply) => {
      const { id, page } = request.params;
      const going = await findGoing(request, reply, id);
      if (!going) return reply;
      const { papers: texts } = await papers.linked(request.em, going.exam);
      const pages = sheetPagesOf(paperParts(texts));
      const shown = (pages[page - 1]?.steps ?? []).map(({ questionId }) => questionId);
      const candidate = await sheetCandidate(request, going);
      await saveSheet(request.em, request.context, candidate, { papers: texts, page, shown, known: going.known, form: request.body });
      const to = { precedent: page - 1, suivant: page + 1 }[request.body.vers ?? 'suivant'] ?? 0;
      return reply.redirect(to >= 1 && to <= pages.length ? sheetHref(id, to) : `${examHref(id)}/remise`, 303);
    },
  );

  app.get(`${url}/remise`, { ...read, schema: { params: idParams }, config }, async (request, reply) => {
    const going = await findGoing(request, reply, request.params.id);
    return going ? showHandIn(request, reply, going, false) : reply;
  });

  app.post(
    `${url}/remise`,
    {
      ...guarded,
      schema: { params: idParams, body: z.looseObject({ incomplet: z.literal('oui').optional() }).nullish() },
      config: { formPage: ({ url }) => url.split('?')[0] ?? '' },
    },
    async (request, reply) => {
      const going = await findGoing(request, reply, request.params.id);
      if (!going) return reply;
      const pages = sheetPagesOf(paperParts((await papers.linked(request.em, going.exam)).papers));
      if (unansweredOf(pages, going.known).length > 0 && request.body?.incomplet === undefined)
        return showHandIn(request, reply, going, true);
      await handInSheet(request.em, request.context, await sheetCandidate(request, going), 'candidate');
      return reply.redirect(examHref(going.exam.id), 303);
    },
  );

  app.get(`${url}/copie`, { ...read, schema: { params: idParams }, config: { authored: true } }, async (request, reply) => {
    const { id } = request.params;
    const now = request.context.clock.now();
    const exam = requireExam(await findForCandidate(request.em, request.signedInLearner.id, id, now));
    const { sitting } = exam;
    // While the time goes on, the room has the answers.
    if (!sitting || (!sitting.handedInAt && now < sitting.endsAt)) return reply.redirect(examHref(id), 303);
    const known = await (exam.publishedAt
      ? countedAnswers(request, id, now)
      : knownAnswers(request, exam, sitting.handedInAt ?? sitting.endsAt));
    const parts = paperParts((await papers.linked(request.em, exam)).papers, known);
    const html = parts.map(paperSection).join('');
    return reply.page('questions/exam-copy', {
      ...page,
      title: `Ma copie : ${examName(exam.titre)}`,
      formulas: html.includes('<math'),
      name: exam.titre,
      base: examHref(id),
      receipt: sitting.receipt,
      isWaiting: sitting.late === 'waiting' && !exam.publishedAt,
      answered: known.size,
      total: parts.reduce((sum, { steps }) => sum + steps.length, 0),
      papers: html,
    });
  });

  /**
   * Returns the learner's sitting while its time goes on. Otherwise redirects to the exam's page, which says why, and returns null; a sitting
   * whose time is over is handed in first.
   */
  async function findGoing(request: FastifyRequest, reply: FastifyReply, id: number): Promise<Going | null> {
    const now = request.context.clock.now();
    const exam = requireExam(await findForCandidate(request.em, request.signedInLearner.id, id, now));
    const { sitting } = exam;
    const isGoing = sitting && !sitting.handedInAt && now < sitting.endsAt;
    if (isGoing) return { exam, sitting, now, known: await knownAnswers(request, exam, now) };
    if (sitting && !sitting.handedInAt && !exam.markedAt) {
      await handInSheet(request.em, request.context, await sheetCandidate(request, { exam, sitting }), 'time');
      reply.flash(
        'warning',
        `Votre temps s'est terminé à ${formatHour(sitting.endsAt)} : votre copie est remise avec les pages enregistrées avant.`,
      );
    }
    reply.redirect(examHref(id), 303);
    return null;
  }

  async function knownAnswers(request: FastifyRequest, exam: CandidateExamRow, until: Date): Promise<Map<string, Given>> {
    const answers = await findNewestAnswers(request.em, exam.id, request.signedInLearner.id, until);
    return new Map(answers.map(({ q, g }) => [q, g]));
  }

  /** Returns the answers that counted. After the publication they are the copy: its batches are deleted some weeks later. */
  async function countedAnswers(request: FastifyRequest, id: number, now: Date): Promise<Map<string, Given>> {
    const result = await findOwnResult(request.em, request.signedInLearner.id, id, now);
    return new Map(Object.entries(result?.answers ?? {}));
  }

  const sheetCandidate = async (request: FastifyRequest, { exam, sitting }: Pick<Going, 'exam' | 'sitting'>): Promise<SheetCandidate> => ({
    ...(await candidateOf(request, exam.id)),
    opensAt: exam.opensAt,
    startedAt: sitting.startedAt,
  });

  const headOf = ({ exam, sitting, now }: Going): ExamPageLocals => ({
    name: exam.titre,
    base: examHref(exam.id),
    left: sayLeft(sitting.endsAt, now),
    end: formatHour(sitting.endsAt),
  });

  async function showSheet(request: FastifyRequest, reply: FastifyReply, going: Going, number: number) {
    const { exam, known } = going;
    const pages = sheetPagesOf(paperParts((await papers.linked(request.em, exam)).papers, known));
    const shown = pages[number - 1];
    if (!shown) return reply.redirect(sheetHref(exam.id, 1), 303);
    const html = shown.head + shown.tail + shown.steps.map((step) => step.html).join('');
    return reply.page('questions/exam-sheet', {
      ...page,
      ...headOf(going),
      title: `Page ${number} sur ${pages.length} : ${examName(exam.titre)}`,
      formulas: html.includes('<math'),
      rule: sayRule(exam.bareme),
      instructions: linesOf(exam),
      page: number,
      pages: pages.length,
      action: sheetHref(exam.id, number),
      shown,
    });
  }

  async function showHandIn(request: FastifyRequest, reply: FastifyReply, going: Going, isWarned: boolean) {
    const { exam, known } = going;
    const pages = sheetPagesOf(paperParts((await papers.linked(request.em, exam)).papers));
    const missing = unansweredOf(pages, known).map(({ number, questionId, page }) => ({
      number,
      href: `${sheetHref(exam.id, page)}#q-${questionId}`,
    }));
    return reply.page('questions/exam-hand-in', {
      ...page,
      ...headOf(going),
      title: `Remettre ma copie : ${examName(exam.titre)}`,
      total: pages.reduce((sum, { steps }) => sum + steps.length, 0),
      missing,
      isWarned,
    });
  }
}
