import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { errorAnswers, messageAnswer } from '../../../platform/http/answers.ts';
import { describedBody } from '../../../platform/http/described-body.ts';
import { withZod } from '../../../platform/http/validators.ts';
import { readForm } from '../../../platform/pages/form-answer.ts';
import { transact } from '../../../platform/use-cases/transaction.ts';
import { passwordChangeSchema } from '../../../shared/forms/account.ts';
import { profileSchema } from '../../../shared/forms/learner.ts';
import { signInRequired } from '../accounts/identity.errors.ts';
import { endSessions, listSessions, type SessionRow } from '../sessions/session.repository.ts';
import { learnerTransport } from '../sessions/session-transport.ts';
import { callerOf } from '../sign-in/caller.ts';
import { keepSignedIn } from './keep-signed-in.ts';
import { accountAnswer } from './learner.schemas.ts';
import type { LearnerLimits } from './learner.service.ts';
import { changePassword, endSession, renameLearner } from './profile.service.ts';

const sessionAnswer = z
  .object({
    id: z.string().meta({ description: 'Pour la terminer ; ni le jeton, ni ce qui en est conservé' }),
    device: z.string().nullable(),
    createdAt: z.date(),
    usedAt: z.date().meta({ description: 'La dernière utilisation, à un jour près' }),
    current: z.boolean(),
  })
  .meta({ id: 'Session' });
/** An id in another form cannot exist, so it gives a 404 instead of a 400. */
export const sessionParams = z.object({ id: z.string().max(64) });

export const profileMessages = {
  renamed: "Nom d'utilisateur enregistré",
  password: 'Mot de passe modifié. Vos autres appareils sont déconnectés.',
  ended: 'Session terminée',
  othersEnded: 'Vos autres sessions sont terminées',
} as const;

/** Calls on the signed-in learner's account and sessions. */
export const profileRoutes: FastifyPluginAsync<{ limits: LearnerLimits }> = async (instance, { limits }) => {
  const app = withZod(instance);
  const preHandler = [app.requireLearner];
  const tags = ['Candidats'];

  const renaming = {
    tags,
    summary: "Changer de nom d'utilisateur",
    response: { 200: accountAnswer, ...errorAnswers(400, 401, 409) },
  };
  app.put('/users/profile', { preHandler, ...describedBody(profileSchema, renaming) }, async (request) => {
    const user = await renameLearner(request.em, request.context, request.signedInLearner, readForm(request));
    return { message: profileMessages.renamed, user };
  });

  const changing = {
    tags,
    summary: 'Changer de mot de passe ; toutes les sessions se terminent, une nouvelle commence',
    response: { 200: messageAnswer.extend({ token: z.string() }), ...errorAnswers(400, 401, 429) },
  };
  app.put('/users/password', { preHandler, ...describedBody(passwordChangeSchema, changing) }, async (request, reply) => {
    const own = { learner: request.signedInLearner, token: ownToken(request) };
    const opened = await changePassword(request.em, request.context, own, readForm(request), limits, callerOf(request));
    keepSignedIn(request, reply, opened);
    return { message: profileMessages.password, token: opened.session.token };
  });

  const listing = { tags, summary: 'Sessions ouvertes', response: { 200: z.array(sessionAnswer), ...errorAnswers(401) } };
  app.get('/users/sessions', { preHandler, schema: listing }, async (request) => {
    return (await ownSessions(request)).map(({ id, device, createdAt, usedAt, current }) => ({ id, device, createdAt, usedAt, current }));
  });

  const ending = {
    tags,
    summary: 'Terminer une session',
    params: sessionParams,
    response: { 200: messageAnswer, ...errorAnswers(401, 404) },
  };
  app.delete('/users/sessions/:id', { preHandler, schema: ending }, async (request) => {
    await endSession(request.em, request.context, request.signedInLearner, request.params.id);
    return { message: profileMessages.ended };
  });

  const endingOthers = { tags, summary: 'Terminer toutes les autres sessions', response: { 200: messageAnswer, ...errorAnswers(401) } };
  app.delete('/users/sessions', { preHandler, schema: endingOthers }, async (request) => {
    await endOtherSessions(request);
    return { message: profileMessages.othersEnded };
  });
};

/** Returns the token of the request's session. @throws AppError 401 without one */
export function ownToken(request: FastifyRequest): string {
  const token = learnerTransport.presented(request);
  if (!token) throw signInRequired();
  return token;
}

/** Ends all sessions of the learner except the request's own. */
export const endOtherSessions = (request: FastifyRequest): Promise<number> =>
  transact(request.em, request.context, (tx) =>
    endSessions(tx, request.context, request.signedInLearner.id, ownToken(request), 'elsewhere'),
  );

export const ownSessions = (request: FastifyRequest): Promise<SessionRow[]> =>
  listSessions(request.em, request.signedInLearner.id, request.context.clock.now(), ownToken(request));
