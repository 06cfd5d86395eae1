import type { EntityManager } from '@mikro-orm/postgresql';
import { announceEnds, expireEnrolments, grantEnrolment, restoreEnrolments, withdrawDays } from '../../../src/modules/enrolment/index.ts';
import { terminal } from '../../../src/modules/identity/index.ts';
import { startPayment } from '../../../src/modules/payment/attempts/start.service.ts';
import {
  decidePayment,
  type PaymentActor,
  type PaymentDecision,
  type PaymentProviders,
  reconcilePayments,
  settlePayment,
} from '../../../src/modules/payment/index.ts';
import { findReturned } from '../../../src/modules/payment/ledger/payment.repository.ts';
import { followNotification, storeNotification } from '../../../src/modules/payment/notifications/notification.service.ts';
import { changeDays } from '../../../src/modules/support/actions/day-change.service.ts';
import type { UseCaseContext } from '../../../src/platform/use-cases/events.ts';
import { learner, prepa } from './beginning.ts';
import type { Slug } from './ledger.ts';

/** The services that an actor uses; actors in the same process share them. */
interface Means {
  em: EntityManager;
  context: UseCaseContext;
  providers: PaymentProviders;
}

/** An actor's work: a use case of the product, called as its routes and commands call it. */
export type Deed = (means: Means) => Promise<unknown>;

/** The record that a successful use case must leave exactly once. */
export type Left = 'decision' | 'grant' | 'withdrawal';

const leaving =
  (leaves: Left, deed: Deed): Deed =>
  async (means) => {
    await deed(means);
    return { leaves };
  };

export const settle =
  (reference: string, actor: PaymentActor): Deed =>
  ({ em, context, providers }) =>
    settlePayment(em, context, providers, reference, actor, actor === 'operator' ? terminal.name : undefined);

/** Handles a notification as the route does: stores it first, then follows it. */
export const notify =
  (reference: string, slug: Slug): Deed =>
  async ({ em, context, providers }) => {
    const arrived = performance.now();
    const provider = providers.get(slug);
    if (!provider) throw new Error(slug);
    const stored = await storeNotification(em, context, provider, { body: Buffer.from(reference), headers: {} });
    if (!stored || stored.paymentId === null || stored.repeated) return;
    const { id, paymentId, providerTransactionId } = stored;
    await followNotification(em, context, providers, { id, paymentId, providerTransactionId, arrived });
  };

export const browserReturns =
  (reference: string): Deed =>
  async ({ em, context, providers }) => {
    const found = await findReturned(em, [reference]);
    if (found) await settlePayment(em, context, providers, found.id, 'browser-return');
  };

export const reconcile: Deed = ({ em, context, providers }) => reconcilePayments(em, context, providers, { limit: 5 });

export const decide = (payment: number, decision: PaymentDecision, options: { amount?: number | undefined; seen?: number } = {}): Deed =>
  leaving('decision', ({ em, context }) =>
    decidePayment(em, context, { payment, decision, reason: `raison de ${decision}`, ...options }, terminal),
  );

export const grant = (days: number): Deed =>
  leaving('grant', ({ em, context }) => grantEnrolment(em, context, { email: learner.email, prepaId: prepa.id, days, reason: 'panne' }));

export const withdraw = (days: number): Deed =>
  leaving('withdrawal', ({ em, context }) =>
    withdrawDays(em, context, { email: learner.email, prepaId: prepa.id, days, reason: 'erreur' }),
  );

/** Changes days through the form of a payment's page, which was opened when the newest extension had the id `seen`. */
export const changeDaysOf = (paymentId: number, change: 'grant' | 'withdraw', days: number, seen: number): Deed =>
  leaving(change === 'grant' ? 'grant' : 'withdrawal', ({ em, context }) =>
    changeDays(em, context, { paymentId, change, days, reason: 'panne', seen }, terminal),
  );

/** `prepa enrolments expire`. */
export const expire: Deed = async ({ em, context }) => {
  await restoreEnrolments(em, context);
  await expireEnrolments(em, context.clock.now());
  await announceEnds(em, context);
};

export const start =
  (provider: Slug, anotherAttempt = false): Deed =>
  ({ em, context, providers }) =>
    startPayment(em, context, providers, { learner, prepaId: prepa.id, provider, anotherAttempt, origin: 'https://prepa.example' });
