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

/** A second start within this time is a double click: the provider cannot know yet what became of the first. In ms. */
const doubleClickWithin = 5_000;

/** What is still open is asked about before money is taken once more: so many of the newest. */
const maxAskedAgain = 5;

/** How often a new attempt is begun because another click has just used up the address of the one before. */
const maxReopenings = 5;

/** New attempts of a learner, for whatever prepa, that `maxNewAttempts` counts: those within so many ms. */
const newAttemptsWithin = 10 * 60_000;

/** References that are tried, each a millisecond later, when the learner's other attempts have the ones before. */
const maxClashes = 50;

/** What a provider is told of who pays. */
type Payer = Pick<Learner, 'id' | 'username' | 'email'>;

interface StartInput {
  learner: Payer;
  prepaId: number;
  /** Slug; the default provider without one. */
  provider?: string | undefined;
  /** The learner knows of the attempt that is open, and wants one more all the same. */
  anotherAttempt?: boolean | undefined;
  /** So many new attempts in 10 minutes; 5 unless the settings say otherwise (PAYMENT_STARTS_PER_LEARNER). */
  maxNewAttempts?: number;
  /** The site's origin, where the provider sends notifications and browsers. */
  origin: string;
}

export interface StartedPayment {
  payment: Payment;
  /** Held: its checkout cannot be opened once more from here. */
  checkout: Extract<Checkout, { kind: 'widget' | 'redirect' }> | { kind: 'held' };
  /** It was open before this call, and is shown instead of a new one: of so many that are open at this prepa it is the latest. 0: it is new. */
  open: number;
}

/**
 * Saves the attempt, then opens it at the provider (payment-providers §6, rules 2 and 3). An attempt of the learner's at this prepa that is still
 * open, with whatever provider and price, is answered instead, unless `anotherAttempt` is asked for and fewer than three are.
 * @throws AppError 404 unless the prepa is published; 400 for an unknown provider; 409 when an earlier attempt turns out to be paid;
 * 429 with Retry-After after `maxNewAttempts`; 502 when the provider does not open it; WrongClockError
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
    // Its address is used up, and nothing has been paid through it yet: the learner goes on with an attempt of their own, and the first stays
    // asked about. Never another click's, which is about to be opened there too.
    ({ payment, open } = await transact(em, context, (tx) => saveAttempt(tx, context, provider, input, null)));
  }
  throw startFailed('the reference is taken');
}

/** Goes on with an attempt that was open before: a provider that opens a checkout more than once is asked for it again. */
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

/** The second of two clicks: what the first one has begun is about to be opened, and only one of them gets its address. */
const isDoubleClick = ({ clock }: UseCaseContext, provider: PaymentProvider, payment: Payment, { anotherAttempt }: StartInput): boolean =>
  !anotherAttempt && payment.provider === provider.slug && clock.now().getTime() - payment.createdAt.getTime() < doubleClickWithin;

/** A provider that is no longer chosen is asked about its payments, and gets no new ones. */
const chosenProvider = (providers: PaymentProviders, slug: string | undefined): PaymentProvider | undefined =>
  slug === undefined ? providers.default : providers.list().find((provider) => provider.slug === slug);

/**
 * Asks about the learner's open attempts for the prepa, whatever their provider and price: nobody pays a second time for what is paid already.
 * @throws AppError 409 when one of them has been paid
 */
async function askAboutOpenAttempts(
  em: EntityManager,
  context: UseCaseContext,
  providers: PaymentProviders,
  { learner, prepaId, anotherAttempt }: StartInput,
) {
  const now = context.clock.now().getTime();
  // A learner who asks for one more has been shown the first: that is no double click.
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

/** Which attempts the providers have just been asked about, and from when on an attempt is too young for that. */
type Asked = Awaited<ReturnType<typeof askAboutOpenAttempts>>;

/**
 * The attempt to go on with: one that is open, one whose start had no answer, or a new one. One at a time for a learner, so that of two tabs that start at the
 * same instant the second finds what the first has begun.
 */
async function saveAttempt(
  tx: EntityManager,
  context: UseCaseContext,
  provider: PaymentProvider,
  { learner, prepaId, anotherAttempt, maxNewAttempts = 5 }: StartInput,
  /** What may be gone on with; null: nothing, it must be a new one, as long as not too many are open. */
  asked: Asked | null,
): Promise<Pick<StartedPayment, 'payment' | 'open'>> {
  await tx.execute('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`payment-start:${learner.id}`]);
  // Erased since the session was looked at: what is paid now would be nobody's.
  const account = await tx.execute('select id from app_user where id = ? and erased_at is null for key share', [learner.id]);
  if (account.length === 0) throw signInToPay();
  // Shared lock: neither deleted, nor its price changed, before the attempt is saved.
  const prepa = await tx.findOne(Prepa, { id: prepaId, isPublished: true }, { lockMode: LockMode.PESSIMISTIC_READ });
  if (!prepa) throw prepaUnavailable();

  const now = context.clock.now();
  const open = await findOpenAttempts(tx, learner.id, prepaId, maxOpenAttempts);
  const [latest] = open;
  const wantsNew = anotherAttempt || asked === null;
  if (latest && (!wantsNew || open.length >= maxOpenAttempts)) return { payment: latest, open: open.length };
  // The second of two clicks on one more: what the first has begun opens as often as it is asked to.
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

/** By the attempts themselves, so that every process counts the same; the caller holds the learner's lock. @throws AppError 429 */
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
  // Open there, for all we know: the attempt stays, and is asked about.
  if (checkout.kind === 'unknown') {
    await em.fork().nativeUpdate(Payment, { id: payment.id, status: 'created' }, { startUnanswered: true });
    throw startFailed(checkout.cause);
  }
  if (checkout.kind === 'taken') return 'taken';
  const opened = await transact(em, context, (tx) => markOpened(tx, context, payment.id, checkout));
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
  // A notification may have come before this answer: the provider's id is kept all the same, and the newest one, through which a reference
  // that is opened once more is paid.
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
