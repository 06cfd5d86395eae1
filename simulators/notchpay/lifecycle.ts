import type { Agenda } from '../platform/agenda.ts';
import type { SimulatedClock } from '../platform/clock.ts';
import { SimulatorError } from '../platform/errors.ts';
import type { KnobBoard } from '../platform/knob-board.ts';
import type { Knobs } from './knobs.ts';
import type { Status } from './ledger.ts';
import { isOpen, type Payment, type Payments } from './payments.ts';
import type { Webhooks } from './webhooks.ts';

/** Call `afterResponse` after the browser's response: it sends the webhooks that the knobs delay until then. */
export interface Decision {
  payment: Payment;
  afterResponse: () => void;
}

export interface Lifecycle {
  /** Plans the expiry of a new payment and sends the webhooks that the knobs ask for before the response. */
  begin(payment: Payment): Promise<void>;
  /** Completes the payment after `delayMs` (default: the knob). With a delay, resolves as soon as the approval is planned. */
  approve(payment: Payment, delayMs?: number): Promise<Decision>;
  /** Sets another status; `paid` is used only for `incomplete`. Throws 409 once the payment is complete or refunded. */
  decide(payment: Payment, status: Status, paid?: number): Promise<Decision>;
  /** Refunds `amount`, by default everything. Sends no webhook. Throws 409 if less was paid. */
  refund(payment: Payment, amount?: number): Payment;
  /** Applies an approval or expiry that is due. Needed because a test can move the clock without a timer firing. */
  settleDue(payment: Payment): void;
}

export interface LifecycleContext {
  payments: Payments;
  knobs: KnobBoard<Knobs>;
  webhooks: Webhooks;
  clock: SimulatedClock;
  agenda: Agenda;
}

const nothing = () => {};
const isPaid = ({ status }: Payment) => ['complete', 'refunded', 'partialy-refunded'].includes(status);

/** Changes payments: by the payer's choice, by control routes, or by time. */
export function createLifecycle({ payments, knobs, webhooks, clock, agenda }: LifecycleContext): Lifecycle {
  const expiresAt = (payment: Payment) => payment.createdAt + knobs.effective(payment.ref).expiresAfterMs;
  const approvalKey = ({ ref }: Payment) => `approval ${ref}`;

  async function sendAll(payment: Payment, statuses: Status[]): Promise<void> {
    for (const status of statuses) await webhooks.send(payment, status);
  }

  /** Applies the decision that is due and returns the statuses whose events must be sent. */
  function decideDue(payment: Payment): Status[] {
    const { approvalDueAt } = payment;
    if (approvalDueAt !== null && clock.now() >= approvalDueAt) return complete(payment);
    if (!isOpen(payment) || clock.now() < expiresAt(payment)) return [];
    payments.decide(payment, 'expired', clock.now());
    return ['expired'];
  }

  function settleDue(payment: Payment): void {
    void sendAll(payment, decideDue(payment));
  }

  function planExpiry(payment: Payment): void {
    agenda.plan(`expiry ${payment.ref}`, expiresAt(payment), async () => {
      await sendAll(payment, decideDue(payment));
      // `expiresAfterMs` was increased in the meantime.
      if (isOpen(payment)) planExpiry(payment);
    });
  }

  function complete(payment: Payment): Status[] {
    const { approvalStory } = knobs.effective(payment.ref);
    agenda.cancel(approvalKey(payment));
    if (approvalStory === 'failed-then-complete' && isOpen(payment)) payments.decide(payment, 'failed', clock.now());
    payments.decide(payment, 'complete', clock.now(), payment.amount);
    if (approvalStory === 'failed-then-complete') return ['failed', 'complete'];
    return approvalStory === 'complete-then-processing' ? ['complete', 'processing'] : ['complete'];
  }

  async function announce(payment: Payment, statuses: Status[]): Promise<Decision> {
    if (knobs.effective(payment.ref).webhookMoment === 'after-redirect') {
      return { payment, afterResponse: () => void sendAll(payment, statuses) };
    }
    await sendAll(payment, statuses);
    return { payment, afterResponse: nothing };
  }

  return {
    settleDue,
    async begin(payment) {
      planExpiry(payment);
      const { beforeAnswer } = knobs.effective(payment.ref);
      if (beforeAnswer === 'created') await webhooks.send(payment, 'pending');
      if (beforeAnswer === 'complete') await sendAll(payment, complete(payment));
    },
    async approve(payment, delayMs = knobs.effective(payment.ref).approvalDelayMs) {
      settleDue(payment);
      if (isPaid(payment)) return { payment, afterResponse: nothing };
      if (delayMs > 0) {
        payment.approvalDueAt = clock.now() + delayMs;
        agenda.plan(approvalKey(payment), payment.approvalDueAt, () => sendAll(payment, decideDue(payment)));
        return { payment, afterResponse: nothing };
      }
      return announce(payment, complete(payment));
    },
    async decide(payment, status, paid) {
      settleDue(payment);
      if (isPaid(payment)) throw new SimulatorError(409, 'Ce paiement est déjà payé.');
      agenda.cancel(approvalKey(payment));
      if (payment.status === status) {
        payment.approvalDueAt = null;
        return { payment, afterResponse: nothing };
      }
      // 'processing' is no decision, and the ledger holds only decisions.
      if (status === 'processing') Object.assign(payment, { status });
      else payments.decide(payment, status, clock.now(), status === 'incomplete' ? (paid ?? Math.floor(payment.amount / 2)) : 0);
      // The provider documents no event for an incomplete payment.
      return status === 'incomplete' ? { payment, afterResponse: nothing } : announce(payment, [status]);
    },
    refund(payment, amount = payment.paid) {
      settleDue(payment);
      if (!isPaid(payment) || amount > payment.paid || payment.paid === 0) {
        throw new SimulatorError(409, "Ce montant n'est pas payé : rien à rembourser.");
      }
      const left = payment.paid - amount;
      payments.decide(payment, left === 0 ? 'refunded' : 'partialy-refunded', clock.now(), left);
      return payment;
    },
  };
}
