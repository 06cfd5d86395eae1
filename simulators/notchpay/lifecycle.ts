import type { Agenda } from '../platform/agenda.ts';
import type { SimulatedClock } from '../platform/clock.ts';
import { SimulatorError } from '../platform/errors.ts';
import type { KnobBoard } from '../platform/knob-board.ts';
import type { Knobs } from './knobs.ts';
import type { Status } from './ledger.ts';
import { isOpen, type Payment, type Payments } from './payments.ts';
import type { Webhooks } from './webhooks.ts';

/** `afterResponse` is to be called once the browser has its answer: it sends what the knobs hold back until then. */
export interface Decision {
  payment: Payment;
  afterResponse: () => void;
}

export interface Lifecycle {
  /** A payment was opened: it expires, and what the knobs ask for before the answer happens. */
  begin(payment: Payment): Promise<void>;
  /** Completes after `delayMs` (by default the knob's); resolves at once with the approval planned when there is a delay. */
  approve(payment: Payment, delayMs?: number): Promise<Decision>;
  /** Any other outcome; `paid` for `incomplete`. Throws 409 once the payment is complete or paid back. */
  decide(payment: Payment, status: Status, paid?: number): Promise<Decision>;
  /** Pays back `amount`, everything without it; no event tells of it. Throws 409 for what was not paid. */
  refund(payment: Payment, amount?: number): Payment;
  /** Brings about an approval or an expiry whose time has come: a test's clock moves without any timer firing. */
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

/** What becomes of a payment: by the payer's choice, or by the control routes in the payer's place, or by time. */
export function createLifecycle({ payments, knobs, webhooks, clock, agenda }: LifecycleContext): Lifecycle {
  const expiresAt = (payment: Payment) => payment.createdAt + knobs.effective(payment.ref).expiresAfterMs;
  const approvalKey = ({ ref }: Payment) => `approval ${ref}`;

  async function sendAll(payment: Payment, statuses: Status[]): Promise<void> {
    for (const status of statuses) await webhooks.send(payment, status);
  }

  /** Decides what is due, and says which events tell of it. */
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
      // The knob was turned up meanwhile.
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
      // Money on its way is no decision: the ledger keeps those alone.
      if (status === 'processing') Object.assign(payment, { status });
      else payments.decide(payment, status, clock.now(), status === 'incomplete' ? (paid ?? Math.floor(payment.amount / 2)) : 0);
      // No event is documented for money that falls short.
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
