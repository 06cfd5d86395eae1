import type { EntityManager } from '@mikro-orm/postgresql';
import { User } from '../identity/index.ts';
import { Payment, type PaymentStatus } from './payment.entity.ts';
import { PaymentEvent } from './payment-event.entity.ts';
import { PaymentNotification } from './payment-notification.entity.ts';

/** Read models for whoever answers "I have paid and I see nothing". */

export interface PaymentSummary {
  id: number;
  reference: string;
  provider: string;
  status: PaymentStatus;
  /** Whole XAF. */
  amount: number;
  currency: string;
  email: string;
  prepaId: number | null;
  prepaNom: string;
  checks: number;
  createdAt: Date;
  settledAt: Date | null;
  nextCheckAt: Date | null;
}

export interface PaymentStory extends PaymentSummary {
  method: string | null;
  providerTransactionId: string | null;
  events: Pick<PaymentEvent, 'type' | 'actor' | 'fromStatus' | 'toStatus' | 'detail' | 'at'>[];
  notifications: { id: number; contentType: string; receivedAt: Date; processedAt: Date | null }[];
}

const mostListed = 200;
const mostOfStory = 500;

/** Newest first; at most 200. */
export async function listPayments(
  em: EntityManager,
  { status, limit = 50 }: { status?: PaymentStatus | undefined; limit?: number | undefined } = {},
): Promise<PaymentSummary[]> {
  const reads = em.fork();
  const payments = await reads.find(Payment, status ? { status } : {}, {
    orderBy: { id: 'desc' },
    limit: Math.min(Math.max(1, limit), mostListed),
  });
  const emails = await emailsOf(reads, payments);
  return payments.map((payment) => summary(payment, emails));
}

/** One payment with everything that happened to it; null for an unknown reference. */
export async function showPayment(em: EntityManager, reference: string): Promise<PaymentStory | null> {
  const reads = em.fork();
  const payment = await reads.findOne(Payment, { reference }, { orderBy: { id: 'asc' } });
  if (!payment) return null;
  const events = await reads.find(PaymentEvent, { payment: payment.id }, { orderBy: { id: 'asc' }, limit: mostOfStory });
  const notifications = await reads.find(
    PaymentNotification,
    { provider: payment.provider, reference },
    { orderBy: { id: 'asc' }, limit: mostOfStory },
  );
  return {
    ...summary(payment, await emailsOf(reads, [payment])),
    method: payment.method ?? null,
    providerTransactionId: payment.providerTransactionId ?? null,
    events: events.map(({ type, actor, fromStatus, toStatus, detail, at }) => ({ type, actor, fromStatus, toStatus, detail, at })),
    notifications: notifications.map(({ id, contentType, receivedAt, processedAt }) => ({
      id,
      contentType,
      receivedAt,
      processedAt: processedAt ?? null,
    })),
  };
}

async function emailsOf(em: EntityManager, payments: Payment[]): Promise<Map<string, string>> {
  const users = await em.find(User, { id: { $in: [...new Set(payments.map(({ user }) => user))] } }, { fields: ['id', 'email'] });
  return new Map(users.map(({ id, email }) => [id, email]));
}

function summary(payment: Payment, emails: Map<string, string>): PaymentSummary {
  const { id, reference, provider, status, amount, currency, prepaNom, checks, createdAt } = payment;
  return {
    ...{ id, reference, provider, status, amount, currency, prepaNom, checks, createdAt },
    email: emails.get(payment.user) ?? '',
    prepaId: payment.prepa ?? null,
    settledAt: payment.settledAt ?? null,
    nextCheckAt: payment.nextCheckAt ?? null,
  };
}
