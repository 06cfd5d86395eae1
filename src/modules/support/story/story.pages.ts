import type { FastifyReply, FastifyRequest } from 'fastify';
import { type AppError, notFound } from '../../../platform/errors.ts';
import { faultsOf } from '../../../platform/pages/form-answer.ts';
import { formatInstant } from '../../../shared/dates.ts';
import { formatXaf } from '../../../shared/money.ts';
import { maxReasonLength, mayDecide, type PaymentProviders } from '../../payment/index.ts';
import { basePath } from '../payments/filters.ts';
import { statusKinds, statusNames } from '../payments/words.ts';
import { presentFacts } from './story.presenter.ts';
import type { PaymentStory } from './story.repository.ts';
import { findWholeStory, type WholeStory } from './story.service.ts';

/** The forms of a payment's page, by the last part of their address. */
export type SupportForm = 'verifier' | 'examiner' | 'classer' | 'rembourser' | 'regarder' | 'jours';

/** A refused form: its typed values and the error. */
export interface Refused {
  form: SupportForm;
  typed: Record<string, unknown>;
  error: AppError;
}

/** Number of characters of the reference that a refund asks to type. */
export const confirmationLength = 4;

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'support/payment': ReturnType<typeof presentWhole> & { form: ReturnType<typeof presentForm> };
  }
}

/** Sends a payment's page: its full history, and the allowed actions. Three statements. @throws AppError 404 */
export async function sendStory(
  request: FastifyRequest,
  reply: FastifyReply,
  { id, providers, refused }: { id: number; providers: PaymentProviders; refused?: Refused },
): Promise<FastifyReply> {
  const now = request.context.clock.now();
  const whole = await findWholeStory(request.em, providers, id, now);
  if (!whole) throw notFound("Ce paiement n'existe pas.");
  const { payment } = whole;
  // The browser must not show the typed values again from its history.
  if (refused) reply.code(refused.error.status).header('cache-control', 'no-store');
  const reportsRefunds = providers.get(payment.provider)?.reportsRefunds ?? false;
  return reply.page('support/payment', {
    title: `Paiement ${payment.reference}`,
    area: 'admin',
    ...presentWhole(whole, reportsRefunds),
    form: presentForm(refused),
  });
}

function presentWhole({ payment, access, story }: WholeStory, reportsRefunds: boolean) {
  const { id, reference, status, email, amount, refundedAmount } = payment;
  const left = amount - refundedAmount;
  const dated = <Entry extends { at: Date }>(entry: Entry) => ({
    ...entry,
    at: { machine: entry.at.toISOString(), text: formatInstant(entry.at) },
  });
  return {
    payment: {
      reference,
      path: `${basePath}/${id}`,
      status: { kind: statusKinds[status], name: statusNames[status] },
      /** Address of the list with all payments of its learner. */
      learnerHref: `${basePath}?recherche=${encodeURIComponent(email)}`,
      /** Total refunded, in whole XAF. */
      returned: refundedAmount,
      // A payment under review is refunded entirely or not at all.
      left: status === 'succeeded' ? { amount: left, text: formatXaf(left) } : null,
    },
    ...story,
    facts: presentFacts(payment, story),
    entries: story.entries.map(dated),
    days: story.days.map(dated),
    may: allowed(payment, reportsRefunds),
    /** Id of the newest change of days on this page. */
    seen: access?.changes.at(-1)?.id ?? 0,
    maxReasonLength,
  };
}

/** Returns which actions the payment's state allows. */
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

/** Returns the typed values of a refused form, and its faults by field. A fault without field is shown above the forms. */
function presentForm(refused: Refused | undefined) {
  if (!refused) return { name: null, message: null, values: {}, errors: {} };
  const { form, typed, error } = refused;
  const texts = Object.entries(typed).flatMap(([field, value]) => (typeof value === 'string' ? [[field, value.slice(0, 1000)]] : []));
  return { name: form, message: error.message, values: Object.fromEntries(texts), errors: faultsOf(error) };
}
