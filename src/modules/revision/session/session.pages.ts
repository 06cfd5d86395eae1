import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../../platform/errors.ts';
import { idSchema, withZod } from '../../../platform/http/validators.ts';
import { answerFields } from '../../../shared/questions/answer-form.ts';
import { describePlan, presentEnd, presentSession, sessionHref } from '../../../shared/revision/session-page.ts';
import { isBegun, isDone } from '../../../shared/revision/session-plan.ts';
import { presentWeek } from '../../../shared/revision/week.ts';
import type { FindSigner, ReadsLimit } from '../../content/index.ts';
import { answerLimit, pageAbove, pageOfForm, partsAsRead, questionGone, typedIn, unsentQuery } from '../../questions/index.ts';
import { listPlans, type Plan } from '../plan/plan.repository.ts';
import { presentReminder, shareHref } from './end.presenter.ts';
import { finishIfDone, finishSession, passExercise } from './session.repository.ts';
import { sessionParams, sessionQuestionParams } from './session.routes.ts';
import { answerInSession, planToday, sessionOf, startSession, summarise } from './session.service.ts';

interface Here {
  /** Whether the page is made from a kept copy, without network. */
  offline: boolean;
}

interface WithOthers extends Here {
  /** The learner's other open prepas with questions. */
  others: { href: string; nom: string }[];
}

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'revision/session-start': WithOthers & {
      plan: ReturnType<typeof describePlan> | null;
      prepaId: number;
      prepaNom: string;
      week: ReturnType<typeof presentWeek>;
    };
    'revision/session': Here &
      Omit<ReturnType<typeof presentSession>, 'parts' | 'steps'> & {
        steps: (ReturnType<typeof presentSession>['steps'][number] & { html: string })[];
      };
    'revision/session-end': WithOthers &
      ReturnType<typeof presentEnd> & {
        sessionId: string;
        reminder: ReturnType<typeof presentReminder>;
        /** Whether the weekly letter is offered: e-mails can be sent, and the learner does not get it yet. */
        offersLetter: boolean;
        /** Whether the site may be added to the home screen: from the second finished session on. */
        offersInstallation: boolean;
        /** Link that shares the run of days on WhatsApp; null when there is none yet. */
        shareHref: string | null;
      };
  }
}

const address = '/user/seance';
const query = z.object({ prepa: idSchema.optional().catch(undefined) });
const beginBody = z.object({ prepa: idSchema, suite: z.literal('1').optional() });

/** Serves the daily session: what it will ask, its questions one after another, and what it changed. */
export async function sessionPages(
  instance: FastifyInstance,
  { reads, signer, pushKey, sendsLetters }: { reads: ReadsLimit; signer: FindSigner; pushKey: string | null; sendsLetters: boolean },
): Promise<void> {
  const app = withZod(instance);
  const learnerOf = (request: FastifyRequest) => ({ userId: request.signedInLearner.id, now: request.context.clock.now() });
  const shared = { noindex: true, learnerCss: true, offline: false };

  app.get(
    address,
    { preHandler: [app.requireLearner], schema: { querystring: query }, config: { back: '/user/dashboard' } },
    async (request, reply) => {
      const learner = learnerOf(request);
      const all = await listPlans(request.em, learner.userId, learner.now);
      const plans = all.filter(isOpen);
      const plan = plans.find(({ prepaId }) => prepaId === request.query.prepa) ?? plans[0];
      if (!plan) {
        const ended = all.length > 0 && all.every(({ access }) => !access);
        const reason =
          all.length === 0
            ? "Vous n'avez pas de préparation ouverte : choisissez-en une pour commencer vos séances."
            : ended
              ? 'Votre accès a pris fin : renouvelez-le pour reprendre vos séances.'
              : 'Aucune de vos préparations ouvertes ne pose encore de questions.';
        return reply.flash('info', reason).redirect('/user/dashboard', 303);
      }
      if (plan.today) return reply.redirect(sessionHref(plan.today.id), 303);
      const asked = await planToday(request.em, learner, plan, 1);
      return reply.page('revision/session-start', {
        ...shared,
        title: 'Séance du jour',
        plan: asked.length > 0 ? describePlan(asked) : null,
        prepaId: plan.prepaId,
        prepaNom: plan.prepaNom,
        week: presentWeek(plan.week, learner.now),
        others: othersOf(plans, plan),
      });
    },
  );

  app.post(
    address,
    { onRequest: [app.requireLearner], schema: { body: beginBody }, config: { formPage: () => address } },
    async (request, reply) => {
      const learner = learnerOf(request);
      const { prepa: prepaId, suite } = request.body;
      const plan = await planOf(request, prepaId);
      if (!plan?.access) return reply.redirect('/user/dashboard', 303);
      const { today } = plan;
      if (today && (!today.isFinished || !suite)) return reply.redirect(sessionHref(today.id), 303);
      const id = await startSession(request.em, learner, plan, (today?.part ?? 0) + 1);
      if (id !== null) return reply.redirect(sessionHref(id), 303);
      reply.flash('info', "Il n'y a plus rien à réviser aujourd'hui.");
      return reply.redirect(today ? sessionHref(today.id) : '/user/dashboard', 303);
    },
  );

  app.get(
    `${address}/:id`,
    {
      preHandler: [app.requireLearner],
      schema: { params: sessionParams, querystring: z.object(unsentQuery) },
      config: { authored: true, back: '/user/dashboard' },
    },
    async (request, reply) => {
      const learner = learnerOf(request);
      const session = await sessionOf(request.em, learner, request.params.id);
      // The dashboard says why access is closed.
      if (!session.access) return reply.redirect('/user/dashboard', 303);
      if (session.finishedAt) return sendEnd(request, reply, session);
      const { question, ...typed } = request.query;
      const unsent = question === undefined ? null : { question, given: typedIn(typed) };
      const shown = presentSession(session, { origin: app.siteOrigin(request), unsent });
      // Nothing that can be asked is left, or the exercise was marked on its own page.
      if (isDone(session)) {
        await finishSession(request.em, learner.userId, session.id, learner.now);
        return reply.redirect(shown.total === 0 ? address : sessionHref(session.id), 303);
      }
      await reads.take(request, learner.userId, [...new Set(session.questions.map(({ itemId }) => itemId))], learner.now);
      const htmls = await partsAsRead(shown.parts, { em: request.em, signer, audience: session.prepaId, now: learner.now });
      const steps = shown.steps.map((step, index) => ({ ...step, html: htmls[index] ?? '' }));
      return reply.page('revision/session', { ...shared, ...shown, steps, formulas: htmls.some((html) => html.includes('<math')) });
    },
  );

  async function sendEnd(request: FastifyRequest, reply: FastifyReply, session: Awaited<ReturnType<typeof sessionOf>>) {
    const learner = learnerOf(request);
    const plans = await listPlans(request.em, learner.userId, learner.now);
    const plan = plans.find(({ prepaId }) => prepaId === session.prepaId);
    if (!plan) return reply.redirect('/user/dashboard', 303);
    const summary = await summarise(request.em, learner, session, plan);
    const { site } = app;
    return reply.page('revision/session-end', {
      ...shared,
      ...presentEnd(session, summary, plan, learner.now),
      others: othersOf(plans, plan),
      sessionId: session.id,
      reminder: presentReminder(session, pushKey),
      offersInstallation: session.hasFinishedBefore,
      offersLetter: sendsLetters && !session.weeklyLetter,
      shareHref: shareHref(session, learner.now, { name: site.name, url: app.siteOrigin(request) }),
    });
  }

  app.post(
    `${address}/:id/questions/:question`,
    {
      preValidation: [app.requireLearner],
      schema: { params: sessionQuestionParams, body: z.object(answerFields) },
      config: { formPage: pageOfForm },
    },
    async (request, reply) => {
      const { id, question } = request.params;
      const learner = learnerOf(request);
      await answerLimit.consume(learner.userId);
      try {
        await answerInSession(request.em, learner, id, question, request.body);
      } catch (error) {
        const isGone = error instanceof AppError && error.message === questionGone;
        if (!(error instanceof AppError) || !(isGone || ['QUESTION.ANSWER', 'SESSION.ENDED'].includes(error.code))) throw error;
        reply.flash('warning', error.message);
      }
      return reply.redirect(`${sessionHref(id)}#q-${question}`, 303);
    },
  );

  app.post(
    `${address}/:id/passer`,
    { onRequest: [app.requireLearner], schema: { params: sessionParams }, config: { formPage: pageAbove } },
    async (request, reply) => {
      const learner = learnerOf(request);
      const { id } = await sessionOf(request.em, learner, request.params.id);
      await passExercise(request.em, learner.userId, id);
      await finishIfDone(request.em, learner.userId, id, learner.now);
      return reply.redirect(sessionHref(id), 303);
    },
  );

  app.post(
    `${address}/:id/fin`,
    { onRequest: [app.requireLearner], schema: { params: sessionParams }, config: { formPage: pageAbove } },
    async (request, reply) => {
      const learner = learnerOf(request);
      const session = await sessionOf(request.em, learner, request.params.id);
      const { id } = session;
      // A session in which nothing was done does not count for the day: it stays open.
      if (!session.finishedAt && !isBegun(session)) return reply.redirect('/user/dashboard', 303);
      await finishSession(request.em, learner.userId, id, learner.now);
      return reply.redirect(sessionHref(id), 303);
    },
  );

  // The URL of a form, opened again with GET.
  for (const form of ['fin', 'passer', 'questions/:question'])
    app.get(`${address}/:id/${form}`, { preHandler: [app.requireLearner], schema: { params: sessionParams } }, (request, reply) =>
      reply.redirect(sessionHref(request.params.id), 303),
    );
}

const isOpen = ({ access, hasQuestions }: Plan): boolean => access && hasQuestions;

/** Returns links to the sessions of the other open prepas with questions. */
const othersOf = (plans: readonly Plan[], plan: Plan) =>
  plans
    .filter((other) => isOpen(other) && other !== plan)
    .map(({ prepaId, prepaNom }) => ({ href: `${address}?prepa=${prepaId}`, nom: prepaNom }));

/** Returns the learner's plan for a prepa; null without one. */
async function planOf(request: FastifyRequest, prepaId: number): Promise<Plan | null> {
  const plans = await listPlans(request.em, request.signedInLearner.id, request.context.clock.now());
  return plans.find((plan) => plan.prepaId === prepaId) ?? null;
}
