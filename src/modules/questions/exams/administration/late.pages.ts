import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { idParams, withZod } from '../../../../platform/http/validators.ts';
import { answerForm, type RefusedForm, refusePage } from '../../../../platform/pages/form-answer.ts';
import { formatInstant } from '../../../../shared/dates.ts';
import type { LateState } from '../../../../shared/exams/exam-words.ts';
import { administratorsOnly, invalidForm } from '../../../identity/index.ts';
import { findExam } from '../exam/exam.repository.ts';
import { decideLate } from '../marking/marking.service.ts';
import { basePath, examHref } from './addresses.ts';
import { type LateRow, listLate, maxLate } from './exam.administration.repository.ts';
import { examGone } from './exam.errors.ts';
import { counted, sayMinutes } from './exam-words.ts';

declare module '../../../../platform/pages/views.ts' {
  interface PageLocals {
    'questions/admin-exam-late': {
      exam: { titre: string; href: string; grace: string };
      isMarked: boolean;
      isPublished: boolean;
      copies: ReturnType<typeof presentLate>[];
      isCut: boolean;
      message: string | null;
    };
  }
}

const decision = z.object({ candidat: z.uuid(), decision: z.enum(['accepter', 'refuser']) });
const url = `${basePath}/:id/retards`;

const lateNames: Record<LateState, string> = { waiting: 'À décider', accepted: 'Acceptée', refused: 'Refusée' };

/** Serves the copies with answers that came after the grace; an administrator accepts or refuses them. */
export async function latePages(instance: FastifyInstance): Promise<void> {
  const app = withZod(instance);
  const one = { ...administratorsOnly(app), schema: { params: idParams } };

  app.get(url, one, (request, reply) => sendLate(request, reply, request.params.id));

  app.post(url, one, async (request, reply) => {
    const { id } = request.params;
    await answerForm(
      request,
      async (form) => {
        const { data } = decision.safeParse(form);
        if (!data) throw invalidForm([{ field: 'decision', message: 'Acceptez ou refusez une copie de la liste' }]);
        const accepted = data.decision === 'accepter';
        await decideLate(request.em, request.context, request.actor, { examId: id, userId: data.candidat, accepted });
        const done = accepted
          ? 'Copie acceptée : les réponses données à temps comptent.'
          : 'Copie refusée : ce qui est arrivé trop tard ne compte pas.';
        return reply.flash('success', done).redirect(`${examHref(id)}/retards`, 303);
      },
      (refused) => {
        if (refused.error.status === 404) throw refused.error;
        return sendLate(request, reply, id, refused);
      },
    );
    return reply;
  });
}

async function sendLate(request: FastifyRequest, reply: FastifyReply, id: number, refused?: RefusedForm): Promise<FastifyReply> {
  const exam = await findExam(request.em, id);
  if (!exam?.announcedAt) throw examGone();
  if (refused) refusePage(reply, refused.error);
  const found = await listLate(request.em, id);
  return reply.page('questions/admin-exam-late', {
    title: `Retards : ${exam.titre}`,
    area: 'admin',
    exam: { titre: exam.titre, href: examHref(id), grace: sayMinutes(exam.grace) },
    isMarked: exam.markedAt !== null,
    isPublished: exam.publishedAt !== null,
    copies: found.slice(0, maxLate).map(presentLate),
    isCut: found.length > maxLate,
    message: refused?.error.message ?? null,
  });
}

function presentLate({ userId, username, email, endsAt, late, batches, answers, firstSentAt, lastReceivedAt, lastGivenAt }: LateRow) {
  const at = (value: string | null) => (value === null ? null : formatInstant(new Date(value)));
  return {
    userId,
    username,
    email,
    badge: { kind: late === 'waiting' ? 'warning' : late === 'accepted' ? 'success' : 'error', name: lateNames[late] },
    late,
    ended: formatInstant(new Date(endsAt)),
    received: at(lastReceivedAt),
    sent: at(firstSentAt),
    given: at(lastGivenAt),
    what: `${counted(answers, 'réponse')} en ${counted(batches, 'envoi')}`,
  };
}
