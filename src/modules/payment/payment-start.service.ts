import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { UseCaseContext } from '../../platform/events.ts';
import { Prepa } from '../catalogue/index.ts';
import type { Learner } from '../identity/index.ts';
import { nextCheckAt, sameAttemptWithin } from './check-schedule.ts';
import { Payment } from './payment.entity.ts';
import { alreadyPaid, prepaUnavailable, startFailed, unknownProvider } from './payment.errors.ts';
import { recordCreation, recordTransition } from './payment-history.ts';
import { settlePayment } from './payment-settle.service.ts';
import type { Checkout, PaymentProvider } from './provider.ts';
import type { PaymentProviders } from './providers.ts';

/** Younger than this, it is the second of two clicks: the provider cannot know more yet, in ms. */
const doubleClickWithin = 5_000;

/** References of one learner within as many ms. */
const mostClashes = 50;

interface StartInput {
  learner: Learner;
  prepaId: number;
  /** Slug; the default provider without one. */
  provider?: string | undefined;
  /** The site's origin, where the provider sends notifications and browsers. */
  origin: string;
}

export interface StartedPayment {
  payment: Payment;
  checkout: Extract<Checkout, { kind: 'widget' | 'redirect' }>;
}

/**
 * Saves the attempt, then opens it at the provider (payment-providers §6, rules 2 and 3).
 * @throws AppError 404 unless the prepa is published; 400 for an unknown provider; 409 when the attempt in hand turns out to be paid;
 * 502 when the provider does not open it
 */
export async function startPayment(
  em: EntityManager,
  context: UseCaseContext,
  providers: PaymentProviders,
  input: StartInput,
): Promise<StartedPayment> {
  const provider = input.provider === undefined ? providers.default : providers.get(input.provider);
  if (!provider) throw unknownProvider();
  let attempt = await em.fork().transactional((tx) => saveAttempt(tx, context, provider, input));
  if (attempt.mustVerify) {
    const { id } = attempt.payment;
    const { status } = await settlePayment(em, context, providers, id, 'learner');
    if (status === 'success') throw alreadyPaid();
    attempt = await em.fork().transactional((tx) => saveAttempt(tx, context, provider, input, { verified: id }));
  }
  const opened = await openAttempt(em, context, provider, attempt.payment, input);
  if (opened !== 'taken') return opened;
  // Its address is used up, and nothing has been paid through it yet: the learner goes on with an attempt of their own, and the first stays asked about.
  const { payment } = await em.fork().transactional((tx) => saveAttempt(tx, context, provider, input, { taken: attempt.payment.id }));
  const reopened = await openAttempt(em, context, provider, payment, input);
  if (reopened === 'taken') throw startFailed('the reference is taken');
  return reopened;
}

/** The attempt to go on with: the one whose outcome is unknown, or a new one. One at a time for a learner, a prepa and a provider. */
async function saveAttempt(
  tx: EntityManager,
  context: UseCaseContext,
  provider: PaymentProvider,
  { learner, prepaId }: StartInput,
  /** The attempt that the provider has just been asked about, or that cannot be gone on with. */
  { verified, taken }: { verified?: number; taken?: number } = {},
): Promise<{ payment: Payment; mustVerify: boolean }> {
  await tx.execute('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`payment-start:${learner.id}:${prepaId}:${provider.slug}`]);
  // Shared lock: neither deleted, nor its price changed, before the attempt is saved.
  const prepa = await tx.findOne(Prepa, { id: prepaId, isPublished: true }, { lockMode: LockMode.PESSIMISTIC_READ });
  if (!prepa) throw prepaUnavailable();

  const now = context.clock.now();
  const candidate = await tx.findOne(
    Payment,
    {
      user: learner.id,
      prepa: prepaId,
      provider: provider.slug,
      amount: prepa.prix,
      status: { $in: ['created', 'pending'] },
      createdAt: { $gt: new Date(now.getTime() - sameAttemptWithin) },
    },
    { orderBy: { id: 'desc' } },
  );
  if (candidate && candidate.id !== taken) {
    const known = candidate.id === verified || now.getTime() - candidate.createdAt.getTime() < doubleClickWithin;
    return { payment: candidate, mustVerify: !known };
  }
  return { payment: await insertAttempt(tx, provider, learner, prepa, now), mustVerify: false };
}

async function insertAttempt(tx: EntityManager, provider: PaymentProvider, learner: Learner, prepa: Prepa, now: Date): Promise<Payment> {
  for (let clash = 0; clash < mostClashes; clash += 1) {
    const reference = `${provider.referencePrefix}${now.getTime() + clash}${learner.id.slice(0, 8)}`;
    const saved = await tx
      .createQueryBuilder(Payment)
      .insert({
        provider: provider.slug,
        reference,
        user: learner.id,
        prepa: prepa.id,
        prepaNom: prepa.nom,
        amount: prepa.prix,
        currency: 'XAF',
        status: 'created',
        checks: 0,
        nextCheckAt: nextCheckAt(now, now),
        createdAt: now,
        updatedAt: now,
      })
      .onConflict(['provider', 'reference'])
      .ignore()
      .execute();
    if (saved.affectedRows === 0) continue;
    const payment = await tx.findOneOrFail(Payment, { provider: provider.slug, reference });
    await recordCreation(tx, payment, 'learner', now);
    return payment;
  }
  throw new Error('no free reference');
}

async function openAttempt(
  em: EntityManager,
  context: UseCaseContext,
  provider: PaymentProvider,
  payment: Payment,
  { learner, origin }: StartInput,
): Promise<StartedPayment | 'taken'> {
  const checkout = await provider.start({
    reference: payment.reference,
    amount: payment.amount,
    currency: payment.currency,
    note: `Inscription 30 jours - ${payment.prepaNom}`,
    payer: { email: learner.email },
    urls: {
      notification: `${origin}/api/payment/${provider.slug}/notification`,
      success: `${origin}/success`,
      cancel: `${origin}/cancel`,
    },
  });
  // Open there, for all we know: the attempt stays, and is asked about.
  if (checkout.kind === 'unknown') throw startFailed(checkout.cause);
  if (checkout.kind === 'taken') return 'taken';
  const opened = await em.fork().transactional((tx) => markOpened(tx, context, payment.id, checkout));
  if (checkout.kind === 'refused') throw startFailed(checkout.reason);
  return { payment: opened, checkout };
}

/** In the provider's hands from here on, or refused by it. */
async function markOpened(
  tx: EntityManager,
  context: UseCaseContext,
  id: number,
  checkout: Exclude<Checkout, { kind: 'unknown' | 'taken' }>,
): Promise<Payment> {
  const payment = await tx.findOneOrFail(Payment, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
  // Its notification may have come before this answer: the provider's id is kept all the same.
  if (checkout.kind === 'redirect') payment.providerTransactionId ??= checkout.providerTransactionId?.slice(0, 120) ?? null;
  if (payment.status !== 'created') {
    await tx.flush();
    return payment;
  }
  const at = context.clock.now();
  const to = checkout.kind === 'refused' ? 'failed' : 'pending';
  const note = checkout.kind === 'refused' ? 'refused at the start' : undefined;
  payment.status = to;
  payment.updatedAt = at;
  await tx.flush();
  await recordTransition(tx, payment, { from: 'created', to, actor: 'learner', at, note });
  return payment;
}
