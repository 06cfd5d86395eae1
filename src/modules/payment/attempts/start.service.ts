import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { requireRightClock } from '../../../platform/use-cases/clock-check.ts';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { transact } from '../../../platform/use-cases/transaction.ts';
import { Prepa } from '../../catalogue/index.ts';
import type { Learner } from '../../identity/index.ts';
import type { Checkout, PaymentProvider } from '../contract/provider.ts';
import { recordCreation, recordTransition } from '../ledger/history.repository.ts';
import { Payment } from '../ledger/payment.entity.ts';
import { alreadyPaid, prepaUnavailable, signInToPay, startFailed, tooManyStarts, unknownProvider } from '../ledger/payment.errors.ts';
import type { PaymentProviders } from '../providers/provider.registry.ts';
import { nextCheckAt, sameAttemptWithin } from '../settlement/check-schedule.ts';
import { settlePayment } from '../settlement/settle.service.ts';
import { findOpenAttempts, maxOpenAttempts, opensAgain } from './open-attempts.ts';

/** A second start within this time is a double click, in ms: the provider cannot know the outcome of the first one yet. */
const doubleClickWithin = 5_000;

/** Maximum number of open attempts that are verified at their provider before a new payment; the newest are verified. */
const maxAskedAgain = 5;

/** Maximum number of retries with a new attempt, when a concurrent click has used up the previous attempt's address. */
const maxReopenings = 5;

/** Window in which `maxNewAttempts` counts a learner's new attempts for all prepas, in ms. */
const newAttemptsWithin = 10 * 60_000;

/** Maximum number of references to try, each a millisecond later, when another attempt of the learner already has the reference. */
const maxClashes = 50;

/** The payer's data for the provider. */
type Payer = Pick<Learner, 'id' | 'username' | 'email'>;

interface StartInput {
  learner: Payer;
  prepaId: number;
  /** Slug of the provider; the default provider when undefined. */
  provider?: string | undefined;
  /** The learner knows about the open attempt and wants a new one. */
  anotherAttempt?: boolean | undefined;
  /** Maximum number of new attempts in 10 minutes; 5 unless the settings say otherwise (PAYMENT_STARTS_PER_LEARNER). */
  maxNewAttempts?: number;
  /** The site's origin, to which the provider sends notifications and browsers. */
  origin: string;
}

export interface StartedPayment {
  payment: Payment;
  /** 'held': the checkout cannot be opened again from here. */
  checkout: Extract<Checkout, { kind: 'widget' | 'redirect' }> | { kind: 'held' };
  /**
   * 0 for a new attempt. Otherwise the attempt was open before this call, is the latest, and this is the number of open attempts for
   * the prepa.
   */
  open: number;
}

/**
 * Saves the attempt, then opens it at the provider (payment-providers §6, rules 2 and 3).
 * An open attempt of the learner for this prepa, at any provider and price, is returned instead, unless `anotherAttempt` is set and
 * fewer than three are open.
 * @throws AppError 404 unless the prepa is published; 400 for an unknown provider; 409 when an earlier attempt turns out to be paid;
 * 429 with Retry-After after `maxNewAttempts`; 502 when the provider does not open the payment; WrongClockError
 */
export async function startPayment(
  em: EntityManager,
  context: UseCaseContext,
  providers: PaymentProviders,
  input: StartInput,
): Promise<StartedPayment> {
  await requireRightClock(em);
  const provider = chosenProvider(providers, input.provider);
  if (!provider) throw unknownProvider();
  const asked = await askAboutOpenAttempts(em, context, providers, input);
  let { payment, open } = await transact(em, context, (tx) => saveAttempt(tx, context, provider, input, asked));
  for (let reopening = 0; reopening <= maxReopenings; reopening += 1) {
    if (open > 0 && (reopening > 0 || !isDoubleClick(context, provider, payment, input))) {
      return { open, ...(await goOnWith(em, context, providers, payment, input)) };
    }
    const opened = await openAttempt(em, context, provider, payment, input);
    if (opened !== 'taken') return { ...opened, open };
    // The address is used up and not paid: begin a new attempt, while the first is still checked. Never reuse an attempt that a
    // concurrent click is about to open.
    ({ payment, open } = await transact(em, context, (tx) => saveAttempt(tx, context, provider, input, null)));
  }
  throw startFailed('the reference is taken');
}

/** Resumes an open attempt: its checkout is opened again, if the provider can open a checkout several times. */
async function goOnWith(
  em: EntityManager,
  context: UseCaseContext,
  providers: PaymentProviders,
  payment: Payment,
  input: StartInput,
): Promise<Pick<StartedPayment, 'payment' | 'checkout'>> {
  const provider = opensAgain(providers, payment.provider) ? providers.get(payment.provider) : undefined;
  const opened = provider ? await openAttempt(em, context, provider, payment, input) : 'taken';
  return opened === 'taken' ? { payment, checkout: { kind: 'held' } } : opened;
}

/**
 * Returns whether this is the second click of a double click: the first click's attempt is being opened, and only one click can get
 * its address.
 */
const isDoubleClick = ({ clock }: UseCaseContext, provider: PaymentProvider, payment: Payment, { anotherAttempt }: StartInput): boolean =>
  !anotherAttempt && payment.provider === provider.slug && clock.now().getTime() - payment.createdAt.getTime() < doubleClickWithin;

/** Returns the provider for a new payment. Providers that are no longer chosen verify their payments, but get no new payments. */
const chosenProvider = (providers: PaymentProviders, slug: string | undefined): PaymentProvider | undefined =>
  slug === undefined ? providers.default : providers.list().find((provider) => provider.slug === slug);

/**
 * Asks the providers about the learner's open attempts for the prepa, at any provider and price, so that no learner pays twice.
 * @throws AppError 409 when one of them has been paid
 */
async function askAboutOpenAttempts(
  em: EntityManager,
  context: UseCaseContext,
  providers: PaymentProviders,
  { learner, prepaId, anotherAttempt }: StartInput,
) {
  const now = context.clock.now().getTime();
  // A learner who wants another attempt has seen the open one, so this is no double click.
  const youngerThan = new Date(now - (anotherAttempt ? 0 : doubleClickWithin));
  const open = await em
    .fork()
    .find(
      Payment,
      { user: learner.id, prepa: prepaId, status: { $in: ['created', 'pending'] }, createdAt: { $lte: youngerThan } },
      { orderBy: { id: 'desc' }, limit: maxAskedAgain, fields: ['id'] },
    );
  const ids = open.map(({ id }) => id);
  const settlements = await Promise.all(ids.map((id) => settlePayment(em.fork(), context, providers, id, 'learner')));
  if (settlements.some(({ status }) => status === 'success')) throw alreadyPaid();
  return { ids, youngerThan };
}

/** The attempts that were just verified, and the creation time after which attempts were too recent to be verified. */
type Asked = Awaited<ReturnType<typeof askAboutOpenAttempts>>;

/**
 * Returns the attempt to use: an open one, one whose start got no response, or a new one.
 * Takes a lock per learner, so that a concurrent start in a second tab sees the first tab's attempt.
 */
async function saveAttempt(
  tx: EntityManager,
  context: UseCaseContext,
  provider: PaymentProvider,
  { learner, prepaId, anotherAttempt, maxNewAttempts = 5 }: StartInput,
  /** The attempts that may be resumed; null: always begin a new one, unless too many are open. */
  asked: Asked | null,
): Promise<Pick<StartedPayment, 'payment' | 'open'>> {
  await tx.execute('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`payment-start:${learner.id}`]);
  // An account erased since the session was read must not pay.
  const account = await tx.execute('select id from app_user where id = ? and erased_at is null for key share', [learner.id]);
  if (account.length === 0) throw signInToPay();
  // Shared lock: the prepa is neither deleted nor changed in price before the attempt is saved.
  const prepa = await tx.findOne(Prepa, { id: prepaId, isPublished: true }, { lockMode: LockMode.PESSIMISTIC_READ });
  if (!prepa) throw prepaUnavailable();

  const now = context.clock.now();
  const open = await findOpenAttempts(tx, learner.id, prepaId, maxOpenAttempts);
  const [latest] = open;
  const wantsNew = anotherAttempt || asked === null;
  if (latest && (!wantsNew || open.length >= maxOpenAttempts)) return { payment: latest, open: open.length };
  // Second click of a double click on a new attempt: the first click's checkout can be opened again.
  const again = asked && open.length > 1 && provider.reopens && latest?.provider === provider.slug;
  if (again && now.getTime() - latest.createdAt.getTime() < doubleClickWithin) return { payment: latest, open: 0 };
  const unanswered = asked && {
    user: learner.id,
    prepa: prepaId,
    provider: provider.slug,
    amount: prepa.prix,
    startUnanswered: true,
    status: { $in: ['created' as const, 'pending' as const] },
    createdAt: { $gt: new Date(now.getTime() - sameAttemptWithin) },
    $or: [{ id: { $in: asked.ids } }, { createdAt: { $gt: asked.youngerThan } }],
  };
  const same = unanswered && (await tx.findOne(Payment, unanswered, { orderBy: { id: 'desc' } }));
  if (same) return { payment: same, open: 0 };
  await boundNewAttempts(tx, learner, now, maxNewAttempts);
  return { payment: await insertAttempt(tx, provider, learner, prepa, now), open: 0 };
}

/**
 * Throws when the learner has begun too many attempts. Counts rows, so that all processes agree; the caller holds the learner's lock.
 * @throws AppError 429
 */
async function boundNewAttempts(tx: EntityManager, learner: Payer, now: Date, most: number): Promise<void> {
  const since = new Date(now.getTime() - newAttemptsWithin);
  const recent = await tx.find(
    Payment,
    { user: learner.id, createdAt: { $gt: since } },
    { orderBy: { createdAt: 'desc' }, limit: most, fields: ['createdAt'] },
  );
  const first = recent.length < most ? undefined : recent.at(-1);
  if (first) throw tooManyStarts((first.createdAt.getTime() - since.getTime()) / 1000);
}

async function insertAttempt(tx: EntityManager, provider: PaymentProvider, learner: Payer, prepa: Prepa, now: Date): Promise<Payment> {
  for (let clash = 0; clash < maxClashes; clash += 1) {
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
): Promise<Pick<StartedPayment, 'payment' | 'checkout'> | 'taken'> {
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
  // It may be open at the provider: the attempt stays, and is checked.
  if (checkout.kind === 'unknown') {
    await em.fork().nativeUpdate(Payment, { id: payment.id, status: 'created' }, { startUnanswered: true });
    throw startFailed(checkout.cause);
  }
  if (checkout.kind === 'taken') return 'taken';
  const opened = await transact(em, context, (tx) => markOpened(tx, context, payment.id, checkout));
  if (checkout.kind === 'refused') throw startFailed(checkout.reason);
  return { payment: opened, checkout };
}

/** Records the provider's response: the payment is open there, or was refused. */
async function markOpened(
  tx: EntityManager,
  context: UseCaseContext,
  id: number,
  checkout: Exclude<Checkout, { kind: 'unknown' | 'taken' }>,
): Promise<Payment> {
  const payment = await tx.findOneOrFail(Payment, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
  // A notification may have arrived before this response. Keep the provider's id all the same: if a reference was opened again, the
  // newest id is the one paid.
  payment.startUnanswered = false;
  if (checkout.kind === 'redirect')
    payment.providerTransactionId = checkout.providerTransactionId?.slice(0, 120) ?? payment.providerTransactionId;
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
