import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { idParams, withZod } from '../../../platform/http/validators.ts';
import { orAbsent, pageOf, rowIdSchema } from '../../../platform/pages/filtered-list.ts';
import { flashDone } from '../../../platform/pages/flash.ts';
import { answerForm, faultsOf, type RefusedForm, refusePage } from '../../../platform/pages/form-answer.ts';
import { parseForm } from '../../../shared/forms/field-errors.ts';
import { administratorsOnly, invalidForm } from '../../identity/index.ts';
import { answerSchema, maxLengths } from './report.forms.ts';
import { presentReport } from './report.presenter.ts';
import { listReports, maxListed, openReportsCount, type ReportRow } from './report.repository.ts';
import { closeReport } from './report.service.ts';

const basePath = '/admin/signalements';
const filters = z.object({ etat: orAbsent(z.enum(['traites'])), avant: orAbsent(rowIdSchema) });

/** A refused form with an answer to a report, and the typed text. */
interface RefusedAnswer extends RefusedForm {
  id: number;
}

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'study/reports': ReturnType<typeof presentReports>;
  }
}

/** Serves /admin/signalements, where administrators answer or close the errors that learners have reported. */
export async function reportAdministrationPages(instance: FastifyInstance): Promise<void> {
  const app = withZod(instance);
  const guarded = administratorsOnly(app);
  app.contributeToMenu({ href: basePath, name: 'Signalements', order: 15, waiting: openReportsCount });

  app.get(basePath, guarded, (request, reply) => sendReports(request, reply));

  app.get(`${basePath}/:id/traiter`, { ...guarded, schema: { params: idParams } }, (_request, reply) => reply.redirect(basePath, 303));

  app.post(`${basePath}/:id/traiter`, { ...guarded, schema: { params: idParams } }, async (request, reply) => {
    const { id } = request.params;
    await answerForm(
      request,
      async (form) => {
        const { data, errors } = parseForm(answerSchema, form);
        if (errors) throw invalidForm(errors);
        const answer = data.reponse || null;
        const done = answer === null ? 'Signalement classé : le candidat est prévenu.' : 'Réponse envoyée au candidat.';
        await flashDone(request, reply, closeReport(request.em, request.context, request.actor, { id, answer }), done);
        return reply.redirect(basePath, 303);
      },
      (refused) => sendReports(request, reply, { ...refused, id }),
    );
    return reply;
  });
}

async function sendReports(request: FastifyRequest, reply: FastifyReply, refused?: RefusedAnswer): Promise<FastifyReply> {
  if (refused) refusePage(reply, refused.error);
  const query = filters.parse(request.query);
  const found = await listReports(request.em, query.etat === undefined, query.avant);
  return reply.page('study/reports', { title: 'Signalements', area: 'admin', ...presentReports(found, query, refused) });
}

function presentReports(found: readonly ReportRow[], query: z.output<typeof filters>, refused?: RefusedAnswer) {
  const { rows, ...page } = pageOf(basePath, found, maxListed, query);
  return {
    ...page,
    closed: query.etat === 'traites',
    reports: rows.map(presentReport),
    maxLength: maxLengths.reponse,
    refused: refused && {
      id: refused.id,
      typed: typeof refused.form.reponse === 'string' ? refused.form.reponse.slice(0, 2 * maxLengths.reponse) : '',
      message: faultsOf(refused.error).reponse ?? refused.error.message,
    },
  };
}
