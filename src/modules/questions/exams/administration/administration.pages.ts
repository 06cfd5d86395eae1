import type { FastifyInstance } from 'fastify';
import { examPages } from './exam.pages.ts';
import { examFormPages } from './exam-form.pages.ts';
import { latePages } from './late.pages.ts';
import { paperPages } from './paper.pages.ts';
import { examPreviewPages } from './preview.pages.ts';
import { examQuestionPages } from './question.pages.ts';

/** Serves the administrators' pages of mock exams, below /admin/concours-blancs. */
export async function examAdministrationPages(app: FastifyInstance): Promise<void> {
  for (const pages of [examFormPages, examPages, paperPages, examPreviewPages, examQuestionPages, latePages]) await app.register(pages);
}
