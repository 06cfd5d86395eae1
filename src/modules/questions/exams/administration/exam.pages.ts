import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../../../platform/errors.ts';
import { idParams, withZod } from '../../../../platform/http/validators.ts';
import { answerForm, type RefusedForm, refusePage } from '../../../../platform/pages/form-answer.ts';
import { sayAsked } from '../../../../shared/exams/exam-words.ts';
import { administratorsOnly } from '../../../identity/index.ts';
import { type ExamRow, findExam } from '../exam/exam.repository.ts';
import { markExam, publishResults } from '../marking/marking.service.ts';
import { announceExam, previewPaper } from '../papers/announcement.service.ts';
import { basePath, examHref } from './addresses.ts';
import { countExam } from './exam.administration.repository.ts';
import { examGone } from './exam.errors.ts';
import { presentExam } from './exam.presenter.ts';
import { deleteExam } from './exam.service.ts';
import { readRevision } from './exam-form.presenter.ts';
import { counted } from './exam-words.ts';
import { listPapers } from './paper.repository.ts';

declare module '../../../../platform/pages/views.ts' {
  interface PageLocals {
    'questions/admin-exam': { exam: ReturnType<typeof presentExam>; message: string | null };
    'questions/admin-exam-confirm': {
      exam: ReturnType<typeof presentExam>;
      step: 'annonce' | 'publication';
      /** Why it cannot be done; null when it can. */
      fault: string | null;
      /** Of an announcement: what is frozen. */
      asked: string | null;
      octets: number;
    };
  }
}

/** Serves the page of a mock exam and the steps of its life: announcement, marking, publication; deletion before the announcement. */
export async function examPages(instance: FastifyInstance): Promise<void> {
  const app = withZod(instance);
  const one = { ...administratorsOnly(app), schema: { params: idParams } };
  const url = `${basePath}/:id`;

  app.get(url, one, (request, reply) => sendExam(request, reply, request.params.id));

  for (const step of ['annonce', 'publication'] as const)
    app.get(`${url}/${step}`, one, (request, reply) => sendConfirmation(request, reply, request.params.id, step));

  /** Registers a button of the page. `work` returns the message for the next page. */
  const post = (
    name: 'annonce' | 'publication' | 'marquage' | 'suppression',
    work: (request: FastifyRequest, id: number, revision: number) => Promise<string>,
  ) =>
    app.post(`${url}/${name}`, one, async (request, reply) => {
      const { id } = request.params;
      await answerForm(
        request,
        async (form) => {
          const message = await work(request, id, readRevision(form));
          return reply.flash('success', message).redirect(name === 'suppression' ? basePath : examHref(id), 303);
        },
        (refused) => {
          if (refused.error.status === 404) throw refused.error;
          return name === 'annonce' ? sendConfirmation(request, reply, id, name, refused) : sendExam(request, reply, id, refused);
        },
      );
      return reply;
    });

  post('annonce', async ({ em, context, actor }, id, revision) => {
    await announceExam(em, context, actor, id, revision);
    return 'Concours blanc annoncé : les candidats sont prévenus.';
  });
  post('marquage', async ({ em, context, actor }, id) => {
    const { candidates } = await markExam(em, context, id, actor);
    return `${counted(candidates, 'copie corrigée', 'copies corrigées')}.`;
  });
  post('publication', async ({ em, context, actor }, id) => {
    await publishResults(em, context, actor, id);
    return 'Résultats publiés : les candidats sont prévenus.';
  });
  post('suppression', async ({ em, context, actor }, id, revision) => {
    await deleteExam(em, context, actor, { id, revision });
    return 'Concours blanc supprimé.';
  });
}

/** @throws AppError 404 */
async function readExam(request: FastifyRequest, id: number): Promise<{ row: ExamRow; exam: ReturnType<typeof presentExam> }> {
  const row = await findExam(request.em, id);
  if (!row) throw examGone();
  const now = request.context.clock.now();
  const [papers, numbers] = await Promise.all([
    listPapers(request.em, id),
    row.announcedAt ? countExam(request.em, id, now) : Promise.resolve(null),
  ]);
  return { row, exam: presentExam(row, papers, numbers, now) };
}

async function sendExam(request: FastifyRequest, reply: FastifyReply, id: number, refused?: RefusedForm): Promise<FastifyReply> {
  const { exam } = await readExam(request, id);
  if (refused) refusePage(reply, refused.error);
  return reply.page('questions/admin-exam', {
    title: exam.titre,
    area: 'admin',
    exam,
    message: refused?.error.message ?? null,
  });
}

async function sendConfirmation(
  request: FastifyRequest,
  reply: FastifyReply,
  id: number,
  step: 'annonce' | 'publication',
  refused?: RefusedForm,
): Promise<FastifyReply> {
  const { row, exam } = await readExam(request, id);
  // Somebody else was first, or the address was typed.
  if (!exam.may[step === 'annonce' ? 'announce' : 'publish']) return reply.redirect(exam.href, 303);
  if (refused) refusePage(reply, refused.error);
  const preview = step === 'annonce' ? await describePaper(request, row) : null;
  return reply.page('questions/admin-exam-confirm', {
    title: `${step === 'annonce' ? 'Annoncer' : 'Publier les résultats'} : ${exam.titre}`,
    area: 'admin',
    exam,
    step,
    fault: refused?.error.message ?? preview?.fault ?? null,
    asked: preview ? sayAsked(preview.questions, preview.subjects) : null,
    octets: preview?.octets ?? 0,
  });
}

/** Returns the size of an exam's paper, or why it cannot be announced. */
async function describePaper({ em, context }: FastifyRequest, exam: ExamRow) {
  if (exam.opensAt <= context.clock.now())
    return { fault: "L'heure d'ouverture est passée : modifiez-la avant d'annoncer.", questions: 0, subjects: 0, octets: 0 };
  try {
    return { ...(await previewPaper(em, context, exam.id)), fault: null };
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    return { fault: error.message, questions: 0, subjects: 0, octets: 0 };
  }
}
