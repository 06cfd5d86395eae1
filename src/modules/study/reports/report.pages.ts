import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from '../../../platform/errors.ts';
import { idParams, withZod } from '../../../platform/http/validators.ts';
import { answerForm, faultsOf, type RefusedForm, refusePage } from '../../../platform/pages/form-answer.ts';
import { parseForm } from '../../../shared/forms/field-errors.ts';
import { presentPlace } from '../../../shared/study/place.ts';
import { invalidForm } from '../../identity/index.ts';
import { type FaultKind, faultKinds } from './report.entity.ts';
import { faultNames, maxLengths, reportSchema } from './report.forms.ts';
import { studyAddress } from './report.presenter.ts';
import { findReportableItem, type ReportableItem } from './report.repository.ts';
import { reportError } from './report.service.ts';

const url = '/user/contenus/:id/signaler';

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'study/report': {
      titre: string;
      /** Prepa, discipline and kind of the item. */
      place: string;
      /** The item's page. */
      study: string;
      /** Address to which the form is posted. */
      action: string;
      problems: { word: FaultKind; name: string }[];
      maxLengths: typeof maxLengths;
      /** The typed values. */
      typed: { probleme: unknown; endroit: string; message: string };
      /** Faults of the refused form, by field. */
      faults: Record<string, string>;
      /** A refusal that belongs to no field. */
      refusal: string | null;
    };
  }
}

/**
 * Serves the form 'Signaler une erreur' of an item, for learners who may read it. It has its own page, so that study pages do not
 * carry it.
 */
export async function reportPages(instance: FastifyInstance): Promise<void> {
  const app = withZod(instance);

  app.get(
    url,
    { preHandler: [app.requireLearner], schema: { params: idParams }, config: { back: '/user/dashboard' } },
    async (request, reply) => {
      const item = await readableItem(request, request.params.id);
      return item.readable ? sendForm(reply, item) : reply.redirect(studyAddress(item), 303);
    },
  );

  // The session is checked before the body is validated.
  app.post(url, { onRequest: [app.requireLearner], schema: { params: idParams } }, async (request, reply) => {
    const item = await readableItem(request, request.params.id);
    // The item's page explains why access is closed.
    if (!item.readable) return reply.redirect(studyAddress(item), 303);
    await answerForm(
      request,
      async (form) => {
        const { data, errors } = parseForm(reportSchema, form);
        if (errors) throw invalidForm(errors);
        const { probleme: kind, endroit: place, message } = data;
        await reportError(request.em, request.context, { userId: request.signedInLearner.id, itemId: item.id, kind, place, message });
        return reply
          .flash('success', 'Merci ! Votre signalement est transmis, et vous serez prévenu de la suite.')
          .redirect(studyAddress(item), 303);
      },
      (refused) => sendForm(reply, item, refused),
    );
    return reply;
  });
}

/** Returns the item, and whether the learner may read it. @throws AppError 404 when it does not exist */
async function readableItem(request: FastifyRequest, id: number) {
  const item = await findReportableItem(request.em, request.signedInLearner.id, request.context.clock.now(), id);
  if (!item) throw notFound("Ce contenu n'existe pas ou n'existe plus.");
  return { ...item, itemId: item.id, readable: item.enrolled || item.trial };
}

async function sendForm(reply: FastifyReply, item: ReportableItem & { itemId: number }, refused?: RefusedForm): Promise<FastifyReply> {
  if (refused) refusePage(reply, refused.error);
  const typed = (field: 'endroit' | 'message') => {
    const value = refused?.form[field];
    return typeof value === 'string' ? value.slice(0, 2 * maxLengths[field]) : '';
  };
  return reply.page('study/report', {
    title: `Signaler une erreur : ${item.titre}`,
    noindex: true,
    titre: item.titre,
    place: presentPlace(item),
    study: studyAddress(item),
    action: `/user/contenus/${item.id}/signaler`,
    problems: faultKinds.filter((word) => word !== 'corrige' || item.hasCorrection).map((word) => ({ word, name: faultNames[word] })),
    maxLengths,
    typed: { probleme: refused?.form.probleme ?? null, endroit: typed('endroit'), message: typed('message') },
    faults: faultsOf(refused?.error),
    refusal: refused && !refused.error.errors ? refused.error.message : null,
  });
}
