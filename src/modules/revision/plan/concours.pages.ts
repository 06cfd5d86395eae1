import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { idParams, withZod } from '../../../platform/http/validators.ts';
import { listAddress, orAbsent, rowIdSchema } from '../../../platform/pages/filtered-list.ts';
import { answerForm, faultsOf, type RefusedForm, refusePage, typedField } from '../../../platform/pages/form-answer.ts';
import { dayIn } from '../../../shared/dates.ts';
import { prepaDaySchema } from '../../../shared/forms/concours.ts';
import { parseForm } from '../../../shared/forms/field-errors.ts';
import { administratorsOnly, invalidForm } from '../../identity/index.ts';
import { type ConcoursRow, listConcours } from './concours.repository.ts';
import { setConcours } from './concours.service.ts';
import { dayLimits } from './plan.presenter.ts';

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'revision/concours-list': {
      prepas: (ConcoursRow & { action: string; typed: string; fault: string | null })[];
      limits: { min: string; max: string };
      /** Address of the next page; null on the last one. */
      next: string | null;
      first: string | null;
    };
  }
}

const basePath = '/admin/concours';
/** Prepas per page. */
const pageSize = 50;
const query = z.object({ apres: orAbsent(rowIdSchema) });

/** Serves the administrators' page with the date of each prepa's concours and what learners said afterwards. */
export async function concoursPages(instance: FastifyInstance): Promise<void> {
  const app = withZod(instance);
  const guarded = administratorsOnly(app);

  app.get(basePath, { ...guarded, schema: { querystring: query } }, (request, reply) => sendConcours(request, reply, request.query));

  app.post(`${basePath}/:id`, { ...guarded, schema: { params: idParams, querystring: query } }, async (request, reply) => {
    const { id } = request.params;
    await answerForm(
      request,
      async (form) => {
        const { data, errors } = parseForm(prepaDaySchema(dayIn(request.context.clock.now())), form);
        if (errors) throw invalidForm(errors);
        await setConcours(request.em, request.context, request.actor, id, data.date);
        return reply
          .flash('success', data.date ? 'Date enregistrée.' : 'Date retirée.')
          .redirect(listAddress(basePath, request.query), 303);
      },
      (refused) => {
        // The list has no row for a prepa that does not exist.
        if (refused.error.status === 404) throw refused.error;
        return sendConcours(request, reply, request.query, { ...refused, id });
      },
    );
    return reply;
  });
}

async function sendConcours(
  request: FastifyRequest,
  reply: FastifyReply,
  { apres }: z.output<typeof query>,
  refused?: RefusedForm & { id: number },
): Promise<FastifyReply> {
  if (refused) refusePage(reply, refused.error);
  const found = await listConcours(request.em, apres ?? 0, pageSize + 1);
  const rows = found.slice(0, pageSize);
  return reply.page('revision/concours-list', {
    title: 'Concours',
    area: 'admin',
    prepas: rows.map((row) => {
      const own = refused?.id === row.id ? refused : null;
      return {
        ...row,
        action: listAddress(`${basePath}/${row.id}`, { apres }),
        typed: own ? typedField(own.form, 'date') : (row.day ?? ''),
        fault: own && (faultsOf(own.error).date ?? own.error.message),
      };
    }),
    limits: dayLimits(request.context.clock.now()),
    first: apres === undefined ? null : basePath,
    next: found.length > pageSize ? listAddress(basePath, { apres: rows.at(-1)?.id }) : null,
  });
}
