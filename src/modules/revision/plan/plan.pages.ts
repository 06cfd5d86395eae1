import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { notFound } from '../../../platform/errors.ts';
import { idSchema, withZod } from '../../../platform/http/validators.ts';
import { answerForm, faultsOf, type RefusedForm, refusePage, typedField } from '../../../platform/pages/form-answer.ts';
import { dayIn } from '../../../shared/dates.ts';
import { outcomeSchema, planSchema } from '../../../shared/forms/concours.ts';
import { parseForm } from '../../../shared/forms/field-errors.ts';
import { dailyMinutes, daysUntil, formatConcoursDay } from '../../../shared/revision/countdown.ts';
import { invalidForm } from '../../identity/index.ts';
import { dayLimits, planHref } from './plan.presenter.ts';
import { listPlans, type Plan, savePlan, sayOutcome } from './plan.repository.ts';

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'revision/plan': {
      nom: string;
      action: string;
      /** The prepa's date in words; null without one. */
      prepaDate: string | null;
      choix: string;
      /** The learner's own date, as typed or stored. */
      date: string;
      minutes: number;
      durations: readonly number[];
      limits: { min: string; max: string };
      faults: Record<string, string>;
    };
  }
}

const params = z.object({ prepaId: idSchema });
/** The form is sent to the address of its page. */
const ownPage = ({ url }: FastifyRequest): string => url;

/** Serves the page on which a learner sets the date of a concours and the time a day, and the answers after that date. */
export async function planPages(instance: FastifyInstance): Promise<void> {
  const app = withZod(instance);

  app.get(
    '/user/concours/:prepaId',
    { preHandler: [app.requireLearner], schema: { params }, config: { back: '/user/dashboard' } },
    async (request, reply) => sendPlan(request, reply, await planOf(request, request.params.prepaId)),
  );

  app.post(
    '/user/concours/:prepaId',
    { onRequest: [app.requireLearner], schema: { params }, config: { formPage: ownPage } },
    async (request, reply) => {
      const plan = await planOf(request, request.params.prepaId);
      await answerForm(
        request,
        async (form) => {
          const { data, errors } = parseForm(planSchema(dayIn(request.context.clock.now()), ownDay(plan)), form);
          if (errors) throw invalidForm(errors);
          const { choix: choice, minutes = plan.minutes } = data;
          const day = data.choix === 'own' ? data.date : null;
          await savePlan(request.em, request.signedInLearner.id, { prepaId: plan.prepaId, choice, day, minutes });
          const counts = choice === 'own' ? day : choice === 'prepa' ? plan.prepaDay : null;
          const said = counts === null ? 'Enregistré, sans date.' : `Enregistré : concours le ${formatConcoursDay(counts)}.`;
          return reply.flash('success', said).redirect('/user/dashboard', 303);
        },
        (refused) => sendPlan(request, reply, plan, refused),
      );
      return reply;
    },
  );

  // The URL of the form, opened again with GET.
  app.get('/user/concours/:prepaId/resultat', { preHandler: [app.requireLearner], schema: { params } }, (_request, reply) =>
    reply.redirect('/user/dashboard', 303),
  );

  app.post('/user/concours/:prepaId/resultat', { onRequest: [app.requireLearner], schema: { params } }, async (request, reply) => {
    const plan = await planOf(request, request.params.prepaId);
    await answerForm(
      request,
      async (form) => {
        const { data, errors } = parseForm(outcomeSchema, form);
        if (errors) throw invalidForm(errors);
        const at = request.context.clock.now();
        // A page that was open for long may be about another day.
        if (data.date !== plan.day || daysUntil(plan.day, at) >= 0) {
          return reply.flash('warning', "Rien n'a été enregistré : la date de votre concours a changé.").redirect('/user/dashboard', 303);
        }
        await sayOutcome(request.em, request.signedInLearner.id, { prepaId: plan.prepaId, day: plan.day, outcome: data.resultat, at });
        return reply.flash('success', "Merci de nous l'avoir dit.").redirect('/user/dashboard', 303);
      },
      async ({ error }) => reply.flash('error', error.message).redirect('/user/dashboard', 303),
    );
    return reply;
  });
}

/** @throws AppError 404 for a prepa in which the learner has not been enrolled lately */
async function planOf(request: FastifyRequest, prepaId: number): Promise<Plan> {
  const plans = await listPlans(request.em, request.signedInLearner.id, request.context.clock.now());
  const plan = plans.find((one) => one.prepaId === prepaId);
  if (!plan) throw notFound("Vous n'êtes pas inscrit à cette préparation.");
  return plan;
}

/** Returns the learner's own date; null without one. */
const ownDay = ({ choice, day }: Plan): string | null => (choice === 'own' ? day : null);

async function sendPlan(request: FastifyRequest, reply: FastifyReply, plan: Plan, refused?: RefusedForm): Promise<FastifyReply> {
  if (refused) refusePage(reply, refused.error);
  const form = refused?.form;
  const { prepaId, prepaNom, prepaDay, choice, minutes } = plan;
  // Without a date of the prepa, a learner who has not chosen yet is about to set one.
  const chosen = choice === 'prepa' && prepaDay === null ? 'own' : choice;
  return reply.page('revision/plan', {
    title: 'Date du concours',
    noindex: true,
    learnerCss: true,
    nom: prepaNom,
    action: planHref(prepaId),
    prepaDate: prepaDay && formatConcoursDay(prepaDay),
    choix: form ? typedField(form, 'choix') : chosen,
    date: form ? typedField(form, 'date') : (ownDay(plan) ?? ''),
    minutes: (form && Number(typedField(form, 'minutes'))) || minutes,
    durations: dailyMinutes,
    limits: dayLimits(request.context.clock.now(), ownDay(plan)),
    faults: faultsOf(refused?.error),
  });
}
