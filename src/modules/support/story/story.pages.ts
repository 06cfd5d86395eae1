import type { FastifyReply, FastifyRequest } from 'fastify';
import { type AppError, notFound } from '../../../platform/errors.ts';
import { formatInstant } from '../../../shared/dates.ts';
import { formatXaf } from '../../../shared/money.ts';
import { maxReasonLength, mayDecide, type PaymentProviders } from '../../payment/index.ts';
import { basePath } from '../payments/filters.ts';
import { statusKinds, statusNames } from '../payments/words.ts';
import { type PresentedStory, presentFacts } from './story.presenter.ts';
import type { PaymentStory } from './story.repository.ts';
import { findWholeStory } from './story.service.ts';

/** The forms of a payment's page, by the last part of their address. */
export type SupportForm = 'verifier' | 'examiner' | 'classer' | 'rembourser' | 'regarder' | 'jours';

/** A form that was refused: what was typed, and why. */
export interface Refused {
  form: SupportForm;
  typed: Record<string, unknown>;
  error: AppError;
}

/** Characters of the reference that a refund asks to type. */
export const confirmationLength = 4;

type Dated<Entry> = Omit<Entry, 'at'> & { at: { machine: string; text: string } };

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'support/payment': Pick<PresentedStory, 'sentence' | 'cut' | 'access'> & {
      payment: {
        reference: string;
        path: string;
        status: { kind: string; name: string };
        /** All payments of its learner. */
        learnerHref: string;
        /** Whole XAF. */
        returned: number;
        left: { amount: number; text: string } | null;
      };
      facts: ReturnType<typeof presentFacts>;
      /** Oldest first, as the days are. */
      entries: Dated<PresentedStory['entries'][number]>[];
      days: Dated<PresentedStory['days'][number]>[];
      /** What the payment's state allows. */
      may: Record<SupportForm, boolean>;
      /** The newest change of days that this page knows. */
      seen: number;
      maxReasonLength: number;
      /** The one that was refused. */
      form: ReturnType<typeof presentForm>;
    };
  }
}

/** Answers a payment's page: its whole story, and what may be done. Three statements. @throws AppError 404 */
export async function sendStory(
  request: FastifyRequest,
  reply: FastifyReply,
  { id, providers, refused }: { id: number; providers: PaymentProviders; refused?: Refused },
): Promise<FastifyReply> {
  const now = request.context.clock.now();
  const whole = await findWholeStory(request.em, providers, id, now);
  if (!whole) throw notFound("Ce paiement n'existe pas.");
  const { payment, access, story } = whole;
  const left = payment.amount - payment.refundedAmount;
  // The browser must not show what was typed again when somebody comes back to it.
  if (refused) reply.code(refused.error.status).header('cache-control', 'no-store');
  const dated = <Entry extends { at: Date }>(entry: Entry) => ({
    ...entry,
    at: { machine: entry.at.toISOString(), text: formatInstant(entry.at) },
  });
  return reply.page('support/payment', {
    title: `Paiement ${payment.reference}`,
    area: 'admin',
    payment: {
      reference: payment.reference,
      path: `${basePath}/${id}`,
      status: { kind: statusKinds[payment.status], name: statusNames[payment.status] },
      learnerHref: `${basePath}?recherche=${encodeURIComponent(payment.email)}`,
      returned: payment.refundedAmount,
      // Money under review is given back as a whole, or not at all.
      left: payment.status === 'succeeded' ? { amount: left, text: formatXaf(left) } : null,
    },
    sentence: story.sentence,
    facts: presentFacts(payment),
    entries: story.entries.map(dated),
    cut: story.cut,
    access: story.access,
    days: story.days.map(dated),
    may: allowed(payment, providers.get(payment.provider)?.reportsRefunds ?? false),
    seen: access?.changes.at(-1)?.id ?? 0,
    maxReasonLength,
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

/** What was typed into the refused form, and its faults by field; a fault of no field stands above the forms. */
function presentForm(refused: Refused | undefined) {
  if (!refused) return { name: null, message: null, values: {}, errors: {} };
  const { form, typed, error } = refused;
  const texts = Object.entries(typed).flatMap(([field, value]) => (typeof value === 'string' ? [[field, value.slice(0, 1000)]] : []));
  const errors = Object.fromEntries((error.errors ?? []).map(({ field, message }) => [field, message]));
  return { name: form, message: error.message, values: Object.fromEntries(texts), errors };
}
