import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { notFound } from '../../../platform/errors.ts';
import { idParams, withZod } from '../../../platform/http/validators.ts';
import type { Toast } from '../../../platform/pages/flash.ts';
import { answerForm, type Form } from '../../../platform/pages/form-answer.ts';
import { formatDate, formatInstant } from '../../../shared/dates.ts';
import { parseForm } from '../../../shared/forms/field-errors.ts';
import { confirmedSuperAdministratorsOnly, invalidForm, superAdministratorsOnly } from '../../identity/index.ts';
import {
  decidePayment,
  maxReasonLength,
  type PaymentDecision,
  type PaymentKernel,
  type Settlement,
  settlePayment,
} from '../../payment/index.ts';
import { basePath } from '../payments/filters.ts';
import { decisionNames, statusName } from '../payments/words.ts';
import { confirmationLength, type SupportForm, sendStory } from '../story/story.pages.ts';
import { showPayment } from '../story/story.repository.ts';
import { changeDays } from './day-change.service.ts';

const reasonFault = `Donnez une raison, de 1 à ${maxReasonLength} caractères.`;
/** Reason of a decision. Removes NUL characters and lone surrogates, which PostgreSQL's text type cannot hold. */
const reason = z.string({ error: reasonFault }).check(
  z.overwrite((text) => text.replaceAll('\0', '').toWellFormed().trim()),
  z.minLength(1, reasonFault),
  z.maxLength(maxReasonLength, reasonFault),
);
const amountFault = 'Le montant rendu doit être un nombre entier de XAF, à partir de 1.';
/** A number with which the form's page was rendered; -1 for any invalid value, so that it never equals the current one. */
const seenNumber = z.catch(z.pipe(z.string().check(z.regex(/^\d{1,10}$/)), z.transform(Number)), -1);
const decisionSchema = z.object({
  raison: reason,
  /** Total refunded when the page was rendered; only for a refund and an acknowledgement. */
  vu: seenNumber,
  /** Amount of a refund; empty: all that is left. */
  montant: z.optional(
    z.pipe(
      z.string({ error: amountFault }).check(
        z.overwrite((text) => text.replaceAll(/\s/g, '')),
        z.regex(/^(?:[1-9]\d{0,8})?$/, amountFault),
      ),
      z.transform((text) => (text === '' ? undefined : Number(text))),
    ),
  ),
});

const daysFault = 'Le nombre de jours doit être un nombre entier de 1 à 366.';
const oneTo366 = /^(?:[1-9]\d?|[12]\d\d|3[0-5]\d|36[0-6])$/;
const daysSchema = z.object({
  sens: z.enum(['accorder', 'retirer'], { error: "Choisissez d'accorder ou de retirer des jours." }),
  jours: z.pipe(z.string({ error: daysFault }).check(z.trim(), z.regex(oneTo366, daysFault)), z.transform(Number)),
  raison: reason,
  /** Id of the newest change of days when the page was rendered. */
  vu: seenNumber,
});

const decisions = { examiner: 'review', classer: 'close', rembourser: 'refund', regarder: 'acknowledge' } as const satisfies Partial<
  Record<SupportForm, PaymentDecision>
>;

/**
 * Registers super administrators' actions on a payment: plain forms of its page. A refused form is shown on that page with the typed
 * values.
 */
export async function actionsPages(instance: FastifyInstance, { kernel: { providers } }: { kernel: PaymentKernel }): Promise<void> {
  const app = withZod(instance);
  const guardedOne = { ...superAdministratorsOnly(app), schema: { params: idParams } };

  app.get(`${basePath}/:id`, guardedOne, (request, reply) => sendStory(request, reply, { id: request.params.id, providers }));

  /** Recording a refund requires a recent confirmation of identity. */
  const confirmedOne = { ...confirmedSuperAdministratorsOnly(app), schema: { params: idParams } };

  /** Registers a form of the page; `work` returns the message for the next page. */
  const post = (name: SupportForm, work: (request: FastifyRequest, id: number, form: Form) => Promise<Toast>) =>
    app.post(`${basePath}/:id/${name}`, name === 'rembourser' ? confirmedOne : guardedOne, async (request, reply) => {
      const { id } = request.params;
      await answerForm(
        request,
        async (form) => {
          const { kind, message } = await work(request, id, form);
          reply.flash(kind, message).redirect(`${basePath}/${id}`, 303);
        },
        ({ form: typed, error }) => {
          // An unknown payment has no page that could show the form.
          if (error.status === 404 && error.code === 'RESOURCE.NOT_FOUND') throw error;
          return sendStory(request, reply, { id, providers, refused: { form: name, typed, error } });
        },
      );
      return reply;
    });

  post('verifier', async (request, id) => {
    const { em, context, actor } = request;
    return answerFlash(await settlePayment(em, context, providers, id, 'operator', actor.name));
  });

  for (const [name, decision] of Object.entries(decisions) as [keyof typeof decisions, PaymentDecision][])
    post(name, async (request, id, form) => {
      const { data, errors = [] } = parseForm(decisionSchema, form);
      const unconfirmed = decision === 'refund' ? await confirmationFaults(request, id, form.confirmation) : [];
      if (!data || unconfirmed.length > 0) throw invalidForm([...unconfirmed, ...errors]);
      const amount = decision === 'refund' ? data.montant : undefined;
      const seen = decision === 'refund' || decision === 'acknowledge' ? data.vu : undefined;
      await decidePayment(request.em, request.context, { payment: id, decision, reason: data.raison, amount, seen }, request.actor);
      return { kind: 'success', message: `${decisionNames[decision]}.` };
    });

  post('jours', async (request, id, form) => {
    const { data, errors } = parseForm(daysSchema, form);
    if (errors) throw invalidForm(errors);
    const { sens, jours: days, raison, vu: seen } = data;
    const change = sens === 'accorder' ? 'grant' : 'withdraw';
    const enrolment = await changeDays(request.em, request.context, { paymentId: id, change, days, reason: raison, seen }, request.actor);
    const done = `${days} jour${days > 1 ? 's' : ''} ${sens === 'accorder' ? 'accordé' : 'retiré'}${days > 1 ? 's' : ''}`;
    const ended = enrolment.dateExpiration <= request.context.clock.now();
    const until = ended ? "l'accès est terminé" : `accès jusqu'au ${formatDate(enrolment.dateExpiration)}`;
    return { kind: 'success', message: `${done} : ${until}.` };
  });
}

/**
 * Returns the faults of the confirmation: the end of the reference must be typed, so that the refund is recorded for the intended
 * payment.
 */
async function confirmationFaults(request: FastifyRequest, id: number, typed: unknown) {
  const payment = await showPayment(request.em, id);
  if (!payment) throw notFound("Ce paiement n'existe pas.");
  const ending = payment.reference.slice(-confirmationLength).toLowerCase();
  if (typeof typed === 'string' && typed.trim().toLowerCase() === ending) return [];
  return [{ field: 'confirmation', message: `Saisissez les ${confirmationLength} derniers caractères de la référence.` }];
}

/** Returns the message with the provider's answer, or with the reason why no request was sent. */
function answerFlash({ answer, payment }: Settlement): Toast {
  const state = statusName(payment.status);
  if (answer === null) return { kind: 'info', message: `L'état « ${state} » est définitif : le prestataire n'a pas été interrogé.` };
  if (answer === 'unknown') {
    const next = payment.nextCheckAt ? ` Prochaine vérification le ${formatInstant(payment.nextCheckAt)}.` : '';
    return { kind: 'warning', message: `Le prestataire n'a pas répondu.${next}` };
  }
  return { kind: payment.status === 'succeeded' ? 'success' : 'info', message: `Le prestataire a répondu. État du paiement : ${state}.` };
}
