import type { FastifyInstance } from 'fastify';
import { AppError, notFound } from '../../../platform/errors.ts';
import { withZod } from '../../../platform/http/validators.ts';
import { requestLimit } from '../../../platform/limits/request-limit.ts';
import { answerForm } from '../../../platform/pages/form-answer.ts';
import { matches, tagOf } from '../../../platform/pages/page-etag.ts';
import { formatHour } from '../../../shared/revision/reminder.ts';
import { presentedSession } from '../../identity/index.ts';
import { findReminders, subscribe, unsubscribe } from './push.repository.ts';
import { subscriptionBody } from './push.schemas.ts';
import { pushWorker } from './push-worker.ts';

const address = '/user/rappels';
const profile = '/user/profil';

/** Subscriptions of one learner per minute. */
const subscribing = requestLimit('push.subscribe', 10);

interface Options {
  /** Whether the site has keys for push services. */
  isOpen: boolean;
  /** Whether a push service on this machine is accepted, as tests have one. */
  local: boolean;
}

/** Serves the forms with which a learner asks for reminders and ends them, their section of the profile, and the push worker. */
export async function pushPages(instance: FastifyInstance, { isOpen, local }: Options): Promise<void> {
  const app = withZod(instance);
  const body = subscriptionBody(local);
  const etag = tagOf(pushWorker);

  app.post(address, { onRequest: [app.requireLearner] }, async (request, reply) => {
    if (!isOpen) throw notFound();
    const { id: userId } = request.signedInLearner;
    await subscribing.consume(userId);
    await answerForm(
      request,
      async (form) => {
        const { data, error } = body.safeParse(form);
        // All fields but the hour come from the browser, so one message says enough.
        if (error) throw new AppError('REMINDER.REFUSED', 400, error.issues[0]?.message ?? '');
        const { seance, ...subscription } = data;
        await subscribe(request.em, request.context, { userId, sessionId: presentedSession(request) }, subscription);
        const said = `C'est noté : rappel à ${formatHour(data.heure)}, les jours où votre séance n'est pas encore faite.`;
        return reply.flash('success', said).redirect(seance ? `/user/seance/${seance}` : '/user/dashboard', 303);
      },
      async ({ error }) => reply.flash('error', error.message).redirect('/user/seance', 303),
    );
    return reply;
  });

  app.post(`${address}/fin`, { onRequest: [app.requireLearner] }, async (request, reply) => {
    await unsubscribe(request.em, request.signedInLearner.id);
    return reply.flash('success', 'Vous ne recevrez plus de rappel.').redirect(profile, 303);
  });
  // The URL of the form, opened again with GET.
  for (const form of [address, `${address}/fin`])
    app.get(form, { preHandler: [app.requireLearner] }, (_request, reply) => reply.redirect(profile, 303));

  app.contributeToProfile(async (request) => {
    const reminders = await findReminders(request.em, request.signedInLearner.id);
    if (!reminders) return null;
    const { browsers, hour } = reminders;
    return { view: 'partials/reminders', data: { hour: formatHour(hour), browsers } };
  });

  app.get('/push-worker.js', { config: { quiet: true, anonymous: true, load: 'essential' } }, async (request, reply) => {
    if (!isOpen) throw notFound();
    reply.header('content-security-policy', "default-src 'none'").header('cache-control', 'no-cache').header('etag', etag);
    if (matches(request.headers['if-none-match'], etag)) return reply.code(304).send();
    return reply.type('text/javascript; charset=utf-8').send(pushWorker);
  });
}
