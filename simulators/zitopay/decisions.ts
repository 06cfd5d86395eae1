import type { FastifyBaseLogger } from 'fastify';
import type { Agenda } from '../platform/agenda.ts';
import type { SimulatedClock } from '../platform/clock.ts';
import { SimulatorError } from '../platform/errors.ts';
import type { KnobBoard } from '../platform/knob-board.ts';
import type { Knobs } from './knobs.ts';
import type { Notifier } from './notifications.ts';
import type { Transaction, Transactions } from './transactions.ts';

/** Call `afterResponse` after the browser's response: it sends the notifications that the knobs delay until then. */
export interface Decision {
  transaction: Transaction;
  afterResponse: () => void;
}

export interface Decisions {
  /** Approves after `delayMs` (default: the knob). With a delay, resolves as soon as the approval is planned. */
  approve(ref: string, delayMs?: number): Promise<Decision>;
  /** Throws 409 when the payment is already completed. */
  decline(ref: string): Promise<Decision>;
  /** Records that the payer left without a decision. */
  close(ref: string): Transaction;
  /** Sends the notification again, as the knobs say. */
  notify(ref: string): Promise<Transaction>;
  /** Applies an approval that is due. Needed because a test can move the clock without a timer firing. */
  settleDue(ref: string): void;
  /** Cancels planned approvals and aborts notifications in progress. */
  cancelAll(): void;
}

export interface DecisionContext {
  transactions: Transactions;
  knobs: KnobBoard<Knobs>;
  notifier: Notifier;
  clock: SimulatedClock;
  agenda: Agenda;
  log: FastifyBaseLogger;
}

const nothing = () => {};

/** Applies decisions of the payer, or of the control routes. */
export function createDecisions({ transactions, knobs, notifier, clock, agenda, log }: DecisionContext): Decisions {
  function unplan(transaction: Transaction): void {
    agenda.cancel(transaction.ref);
    transaction.approvalDueAt = null;
  }

  function send(transaction: Transaction): void {
    notifier.send(transaction, knobs.effective(transaction.ref)).catch((error) => log.error(error, 'notification'));
  }

  function settleDue(ref: string): void {
    const transaction = transactions.find(ref);
    if (!transaction || transaction.approvalDueAt === null || clock.now() < transaction.approvalDueAt) return;
    transactions.decide(transaction, 'COMPLETED', clock.now());
    unplan(transaction);
    send(transaction);
  }

  function plan(transaction: Transaction, dueAt: number): void {
    unplan(transaction);
    transaction.approvalDueAt = dueAt;
    agenda.plan(transaction.ref, dueAt, () => settleDue(transaction.ref));
  }

  async function announce(transaction: Transaction): Promise<Decision> {
    const { notificationMoment, notifyFailures } = knobs.effective(transaction.ref);
    if (transaction.status === 'FAILED' && !notifyFailures) return { transaction, afterResponse: nothing };
    if (notificationMoment === 'after-redirect') return { transaction, afterResponse: () => send(transaction) };
    await notifier.send(transaction, knobs.effective(transaction.ref));
    return { transaction, afterResponse: nothing };
  }

  return {
    settleDue,
    async approve(ref, delayMs = knobs.effective(ref).approvalDelayMs) {
      const transaction = transactions.get(ref);
      if (transaction.status === 'COMPLETED') return { transaction, afterResponse: nothing };
      if (delayMs > 0) {
        plan(transaction, clock.now() + delayMs);
        return { transaction, afterResponse: nothing };
      }
      transactions.decide(transaction, 'COMPLETED', clock.now());
      unplan(transaction);
      return announce(transaction);
    },
    async decline(ref) {
      const transaction = transactions.get(ref);
      if (transaction.status === 'COMPLETED') throw new SimulatorError(409, 'Ce paiement est déjà approuvé.');
      if (transaction.status === 'FAILED' && transaction.approvalDueAt === null) return { transaction, afterResponse: nothing };
      if (transaction.status === 'PENDING') transactions.decide(transaction, 'FAILED', clock.now());
      unplan(transaction);
      return announce(transaction);
    },
    close(ref) {
      const transaction = transactions.get(ref);
      transaction.closedByPayer = true;
      return transaction;
    },
    async notify(ref) {
      const transaction = transactions.get(ref);
      await notifier.send(transaction, knobs.effective(ref));
      return transaction;
    },
    cancelAll() {
      agenda.clear();
      notifier.cancel();
    },
  };
}
