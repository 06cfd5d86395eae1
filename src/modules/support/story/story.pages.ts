import type { FastifyReply, FastifyRequest } from 'fastify';
import { type AppError, notFound } from '../../../platform/errors.ts';
import { formatInstant } from '../../../shared/dates.ts';
import { formatXaf } from '../../../shared/money.ts';
import { maxReasonLength, mayDecide, type PaymentProviders } from '../../payment/index.ts';
import { home } from '../payments/filters.ts';
import { statusKinds, statusNames } from '../payments/words.ts';
import { presentFacts } from './story.presenter.ts';
import type { PaymentStory } from './story.repository.ts';
import { tellPayment } from './story.service.ts';

/** The forms of a payment's page, as their addresses end. */
export type SupportForm = 'verifier' | 'examiner' | 'classer' | 'rembourser' | 'regarder' | 'jours';

/** A form that was refused: what was typed, and why. */
export interface Refused {
  form: SupportForm;
  typed: Record<string, unknown>;
  error: AppError;
}

/** Characters of the reference that a refund asks to type. */
export const typedOfReference = 4;

/** Answers a payment's page: its whole story, and what may be done. Three statements. @throws AppError 404 */
export async function sendStory(
  request: FastifyRequest,
  reply: FastifyReply,
  { id, providers, refused }: { id: number; providers: PaymentProviders; refused?: Refused },
): Promise<FastifyReply> {
  const now = request.context.clock.now();
  const whole = await tellPayment(request.em, providers, id, now);
  if (!whole) throw notFound("Ce paiement n'existe pas.");
  const { payment, access, told } = whole;
  const { sentence, entries, ...story } = told;
  const left = payment.amount - payment.refundedAmount;
  // A page that answers a form is no page to come back to.
  if (refused) reply.code(refused.error.status).header('cache-control', 'no-store');
  const dated = <Entry extends { at: Date }>(entry: Entry) => ({
    ...entry,
    at: { machine: entry.at.toISOString(), text: formatInstant(entry.at) },
  });
  return reply.page('support/payment', {
    title: `Paiement ${payment.reference}`,
    area: 'admin',
    noindex: true,
    payment: {
      ...{ id, reference: payment.reference, path: `${home}/${id}` },
      status: { kind: statusKinds[payment.status], name: statusNames[payment.status] },
      learnerHref: `${home}?recherche=${encodeURIComponent(payment.email)}`,
      ending: payment.reference.slice(-typedOfReference),
      returned: payment.refundedAmount,
      // Of money under review all is given back, or nothing.
      left: payment.status === 'succeeded' ? { amount: left, text: formatXaf(left) } : null,
    },
    sentence,
    facts: presentFacts(payment),
    entries: entries.map(dated),
    cut: story.cut,
    access: story.access,
    days: story.days.map(dated),
    may: allowed(payment, providers.get(payment.provider)?.reportsRefunds ?? false),
    seen: access?.changes.at(-1)?.id ?? 0,
    maxReasonLength: maxReasonLength,
    form: presentForm(refused),
  });
}

/** What the payment's state allows. */
function allowed({ status, prepaId, needsLook }: PaymentStory, reportsRefunds: boolean): Record<SupportForm, boolean> {
  return {
    verifier: status !== 'refunded' && (status !== 'succeeded' || reportsRefunds),
    examiner: mayDecide(status, 'review'),
    classer: mayDecide(status, 'failed'),
    rembourser: mayDecide(status, 'refunded'),
    regarder: needsLook,
    jours: prepaId !== null,
  };
}

/** What the refused form holds, as text, and its faults by field; a fault of no field stands above. */
function presentForm(refused: Refused | undefined) {
  if (!refused) return { name: null, message: null, values: {}, errors: {} };
  const { form, typed, error } = refused;
  const texts = Object.entries(typed).flatMap(([field, value]) => (typeof value === 'string' ? [[field, value.slice(0, 1000)]] : []));
  const errors = Object.fromEntries((error.errors ?? []).map(({ field, message }) => [field, message]));
  return { name: form, message: error.message, values: Object.fromEntries(texts), errors };
}
