import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../../../platform/errors.ts';
import { idParams, withZod } from '../../../../platform/http/validators.ts';
import { sayAsked } from '../../../../shared/exams/exam-words.ts';
import { sayRule } from '../../../../shared/questions/marking-rule.ts';
import { administratorsOnly } from '../../../identity/index.ts';
import { findExam } from '../exam/exam.repository.ts';
import { previewPaper } from '../papers/announcement.service.ts';
import { basePath, examHref } from './addresses.ts';
import { examGone } from './exam.errors.ts';
import { sayMinutes } from './exam-words.ts';

declare module '../../../../platform/pages/views.ts' {
  interface PageLocals {
    'questions/admin-exam-preview': {
      titre: string;
      back: string;
      here: string;
      isNarrow: boolean;
      isFrozen: boolean;
      asked: string;
      /** HTML of the papers as candidates see them; null when a paper cannot be used, for the reason in `fault`. */
      paper: string | null;
      fault: string | null;
      introductions: { paperId: number; titre: string; html: string }[];
      /** What the introductions may contradict, in words. */
      rules: { duree: string; bareme: string };
    };
  }
}

const querystring = z.object({ largeur: z.enum(['telephone', 'ecran']).default('ecran').catch('ecran') });

/** Serves the paper of a mock exam as candidates will see it. For administrators alone, also before the opening: they write it. */
export async function examPreviewPages(instance: FastifyInstance): Promise<void> {
  const app = withZod(instance);
  const guarded = administratorsOnly(app);
  const options = { ...guarded, config: { ...guarded.config, authored: true }, schema: { params: idParams, querystring } };
  app.get(`${basePath}/:id/apercu`, options, async (request, reply) => {
    const { id } = request.params;
    const exam = await findExam(request.em, id);
    if (!exam) throw examGone();
    const found = await previewPaper(request.em, request.context, id).catch((error: unknown) => {
      if (error instanceof AppError && error.status < 500) return error;
      throw error;
    });
    const isFault = found instanceof AppError;
    return reply.page('questions/admin-exam-preview', {
      title: `Aperçu : ${exam.titre}`,
      area: 'admin',
      noindex: true,
      titre: exam.titre,
      back: examHref(id),
      here: `${examHref(id)}/apercu`,
      isNarrow: request.query.largeur === 'telephone',
      isFrozen: exam.announcedAt !== null,
      asked: isFault ? '' : sayAsked(found.questions, found.subjects),
      paper: isFault ? null : found.html,
      fault: isFault ? found.message : null,
      introductions: isFault ? [] : found.introductions,
      rules: { duree: sayMinutes(exam.duree), bareme: sayRule(exam.bareme) },
    });
  });
}
