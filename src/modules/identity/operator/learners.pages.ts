import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { notFound } from '../../../platform/errors.ts';
import { withZod } from '../../../platform/http/validators.ts';
import { flashDone } from '../../../platform/pages/flash.ts';
import { answerForm, faultsOf, type RefusedForm, refusePage, typedField } from '../../../platform/pages/form-answer.ts';
import { trimBlanks } from '../../../shared/blanks.ts';
import { formatDate, formatInstant } from '../../../shared/dates.ts';
import { superAdministratorsOnly } from '../sessions/guards.ts';
import { presentSession } from '../sessions/session.presenter.ts';
import { listSessions, maxSessions } from '../sessions/session.repository.ts';
import { blockLearner, endLearnerSessions, maxReasonLength, unblockLearner } from './blocking.service.ts';
import { type FoundLearner, findLearnerById, maxFound, searchLearners } from './learner-search.repository.ts';

const basePath = '/admin/candidats';
const params = z.object({ id: z.uuid() });
const sessionParams = params.extend({ session: z.string().max(64) });

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'identity/learners': {
      /** The searched text; '' before a search. */
      text: string;
      learners: ReturnType<typeof presentLearner>[];
      /** The list's limit, when the list is incomplete; otherwise null. */
      maxListed: number | null;
    };
    'identity/learner': {
      learner: ReturnType<typeof presentLearner>;
      sessions: ReturnType<typeof presentSession>[];
      maxSessions: number | null;
      maxReasonLength: number;
      /** The typed reason, and its fault. */
      reason: string;
      fault: string | null;
      /** A refusal that belongs to no field. */
      refusal: string | null;
    };
  }
}

/** Serves /admin/candidats: learners by e-mail or username, their sessions, blocking and unblocking them. */
export const learnersPages: FastifyPluginAsync = async (instance) => {
  const app = withZod(instance);
  const guarded = superAdministratorsOnly(app);
  const guardedOne = { ...guarded, schema: { params } };
  app.contributeToMenu({ href: basePath, name: 'Candidats', order: 25, superAdministratorsOnly: true });

  app.get(basePath, guarded, async (request, reply) => {
    const text = readText((request.query as { recherche?: unknown }).recherche);
    const found = text === '' ? [] : await searchLearners(request.em, text);
    return reply.page('identity/learners', {
      title: 'Candidats',
      area: 'admin',
      text,
      learners: found.slice(0, maxFound).map(presentLearner),
      maxListed: found.length > maxFound ? maxFound : null,
    });
  });

  app.get(`${basePath}/:id`, guardedOne, (request, reply) => sendLearner(request, reply, request.params.id));

  for (const [name, change, done] of [
    ['bloquer', blockLearner, 'est bloqué. Ses sessions sont terminées.'],
    ['debloquer', unblockLearner, "n'est plus bloqué."],
  ] as const) {
    // The URL of a refused form, opened again with GET, redirects to the page of the form.
    app.get(`${basePath}/:id/${name}`, guardedOne, (request, reply) => reply.redirect(`${basePath}/${request.params.id}`, 303));
    app.post(`${basePath}/:id/${name}`, guardedOne, async (request, reply) => {
      const { id } = request.params;
      await answerForm(
        request,
        async (form) => {
          const { username } = await change(request.em, request.context, request.actor, id, form);
          return reply.flash('success', `Le compte de ${username} ${done}`).redirect(`${basePath}/${id}`, 303);
        },
        (refused) => sendLearner(request, reply, id, refused),
      );
      return reply;
    });
  }

  app.post(`${basePath}/:id/sessions/terminer`, guardedOne, async (request, reply) => {
    const { id } = request.params;
    await endLearnerSessions(request.em, request.context, request.actor, id, null);
    return reply.flash('success', 'Toutes les sessions de ce candidat sont terminées.').redirect(`${basePath}/${id}`, 303);
  });

  app.post(`${basePath}/:id/sessions/:session/terminer`, { ...guarded, schema: { params: sessionParams } }, async (request, reply) => {
    const { id, session } = request.params;
    const ended = endLearnerSessions(request.em, request.context, request.actor, id, session);
    await flashDone(request, reply, ended, 'La session est terminée.');
    return reply.redirect(`${basePath}/${id}`, 303);
  });
};

/** Sends a learner's page. @throws AppError 404 */
async function sendLearner(request: FastifyRequest, reply: FastifyReply, id: string, refused?: RefusedForm): Promise<FastifyReply> {
  const found = await findLearnerById(request.em, id);
  if (!found) throw notFound("Ce candidat n'existe pas.");
  const now = request.context.clock.now();
  const sessions = await listSessions(request.em, id, now, null);
  if (refused) refusePage(reply, refused.error);
  return reply.page('identity/learner', {
    title: found.username,
    area: 'admin',
    learner: presentLearner(found),
    sessions: sessions.map((session) => presentSession(session, now)),
    maxSessions: sessions.length < maxSessions ? null : maxSessions,
    maxReasonLength,
    reason: typedField(refused?.form, 'raison'),
    fault: faultsOf(refused?.error).raison ?? null,
    refusal: refused && !refused.error.errors ? refused.error.message : null,
  });
}

const presentLearner = ({ id, username, email, createdAt, blockedAt, blockedReason, erasedAt }: FoundLearner) => ({
  id,
  username,
  email,
  since: formatDate(createdAt),
  blocked: blockedAt && { since: formatInstant(blockedAt), reason: blockedReason },
  erased: erasedAt !== null,
});

/** Returns a search text of limited length, without NUL characters and lone surrogates, which PostgreSQL cannot hold. */
const readText = (value: unknown): string =>
  typeof value === 'string' ? trimBlanks(value.replaceAll('\0', '').toWellFormed()).slice(0, 255) : '';
