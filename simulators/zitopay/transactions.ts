import { randomUUID } from 'node:crypto';
import type { DeliveryOutcome } from '../platform/delivery.ts';
import { SimulatorError } from '../platform/errors.ts';
import type { Ledger } from '../platform/ledger.ts';
import type { CheckoutParameters } from './checkout-parameters.ts';
import type { LedgerEntry } from './ledger.ts';

/** A notification and its result. */
interface Delivery extends DeliveryOutcome {
  ref: string;
}

export interface Transaction extends CheckoutParameters {
  readonly transactionReference: string;
  status: 'PENDING' | 'COMPLETED' | 'FAILED';
  /** Epoch ms of the decision, null while pending. */
  decidedAt: number | null;
  /** Epoch ms of the planned approval, or null. */
  approvalDueAt: number | null;
  closedByPayer: boolean;
  /** The last 50 notifications. */
  readonly deliveries: Delivery[];
}

/** A transaction in the control routes' responses; times are ISO 8601. */
export type TransactionView = Omit<Transaction, 'decidedAt' | 'approvalDueAt'> & { decidedAt: string | null; approvalDueAt: string | null };

const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString());

export function presentTransaction(transaction: Transaction): TransactionView {
  return { ...transaction, decidedAt: iso(transaction.decidedAt), approvalDueAt: iso(transaction.approvalDueAt) };
}

export interface Transactions {
  /** Opens a transaction, or returns it if the same checkout is loaded again. Throws 409 for a reused reference, 503 at the limit. */
  register(parameters: CheckoutParameters): Transaction;
  find(ref: string): Transaction | undefined;
  /** Throws 404 for an unknown reference. */
  get(ref: string): Transaction;
  /** Writes the decision to the ledger, then to the transaction. */
  decide(transaction: Transaction, status: 'COMPLETED' | 'FAILED', at: number): void;
  clear(): void;
}

function restore(ledger: Ledger<LedgerEntry>): Map<string, Transaction> {
  const byReference = new Map<string, Transaction>();
  for (const { ref, receiver, amount, currency, status, decidedAt, transactionReference } of ledger.entries) {
    byReference.set(ref, {
      ref,
      receiver,
      amount,
      currency,
      status,
      transactionReference,
      decidedAt: Date.parse(decidedAt),
      approvalDueAt: null,
      closedByPayer: false,
      deliveries: [],
    });
  }
  return byReference;
}

/** Returns whether a value given before has changed. Values missing in the first request may be added later. */
function differs(known: Transaction, given: CheckoutParameters): boolean {
  return Object.entries(given).some(([name, value]) => {
    const before = known[name as keyof CheckoutParameters];
    return before !== undefined && value !== undefined && before !== value;
  });
}

/** Stores at most `limit` transactions. Those in the ledger are restored with their decision. */
export function createTransactions(ledger: Ledger<LedgerEntry>, limit: number): Transactions {
  const byReference = restore(ledger);
  const find = (ref: string) => byReference.get(ref);
  return {
    find,
    get(ref) {
      const transaction = find(ref);
      if (!transaction) throw new SimulatorError(404, 'Référence inconnue du simulateur.');
      return transaction;
    },
    register(parameters) {
      const known = find(parameters.ref);
      if (known) {
        if (known.status !== 'PENDING') throw new SimulatorError(409, 'Cette référence a déjà servi : le paiement est décidé.');
        if (differs(known, parameters)) throw new SimulatorError(409, "Cette référence a déjà servi avec d'autres valeurs.");
        return Object.assign(known, Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== undefined)));
      }
      if (byReference.size >= limit) throw new SimulatorError(503, 'Le simulateur est plein : remettez-le à zéro.');
      const transaction: Transaction = {
        ...parameters,
        transactionReference: `SIM-${randomUUID()}`,
        status: 'PENDING',
        decidedAt: null,
        approvalDueAt: null,
        closedByPayer: false,
        deliveries: [],
      };
      byReference.set(transaction.ref, transaction);
      return transaction;
    },
    decide(transaction, status, at) {
      const { ref, receiver, amount, currency, transactionReference } = transaction;
      ledger.append({ ref, receiver, amount, currency, status, decidedAt: new Date(at).toISOString(), transactionReference });
      transaction.status = status;
      transaction.decidedAt = at;
      transaction.approvalDueAt = null;
    },
    clear() {
      byReference.clear();
      ledger.clear();
    },
  };
}
