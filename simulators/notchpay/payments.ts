import { randomUUID } from 'node:crypto';
import type { DeliveryOutcome } from '../platform/delivery.ts';
import { SimulatorError } from '../platform/errors.ts';
import type { Ledger } from '../platform/ledger.ts';
import type { LedgerEntry, Status } from './ledger.ts';
import type { StartRequest } from './start-request.ts';

/** A webhook call and its result. */
export interface Delivery extends DeliveryOutcome {
  event: string;
  eventId: string;
}

export interface Payment {
  /** The merchant's reference. */
  readonly ref: string;
  /** The provider's reference: `trx.sim_…`. */
  readonly transactionReference: string;
  readonly amount: number;
  readonly currency: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly description: string | null;
  readonly callback: string | null;
  /** Part of the checkout page's address. */
  readonly token: string;
  /** Whether the checkout page was served: it is served only once. */
  served: boolean;
  status: Status;
  /** The amount paid and not refunded. */
  paid: number;
  /** Epoch ms. */
  readonly createdAt: number;
  decidedAt: number | null;
  /** Epoch ms of the planned approval, or null. */
  approvalDueAt: number | null;
  closedByPayer: boolean;
  /** Label of the scenario, or null. */
  scenario: string | null;
  /** The last 50 webhook calls. */
  readonly deliveries: Delivery[];
}

type Times = 'createdAt' | 'decidedAt' | 'approvalDueAt';
/** A payment in the control routes' responses; times are ISO 8601. */
export type PaymentView = Omit<Payment, Times> & { createdAt: string; decidedAt: string | null; approvalDueAt: string | null };

const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString());

export function presentPayment(payment: Payment): PaymentView {
  const { createdAt, decidedAt, approvalDueAt } = payment;
  return { ...payment, createdAt: new Date(createdAt).toISOString(), decidedAt: iso(decidedAt), approvalDueAt: iso(approvalDueAt) };
}

/** Returns whether the payment is undecided. */
export function isOpen({ status }: Payment): boolean {
  return status === 'pending' || status === 'processing';
}

export interface Payments {
  /** Opens a payment. Returns null if its reference is already used. Throws 503 when the limit is reached. */
  open(request: StartRequest, at: number): Payment | null;
  /** Finds a payment by the merchant's or the provider's reference. */
  find(ref: string): Payment | undefined;
  /** Like `find`, but throws 404 for an unknown reference. */
  get(ref: string): Payment;
  /** Returns a payment of another merchant's account. It is not stored. */
  foreign(ref: string, at: number): Payment;
  findByToken(token: string): Payment | undefined;
  /** Writes the decision to the ledger, then to the payment. By default `paid` does not change. */
  decide(payment: Payment, status: Status, at: number, paid?: number): void;
  clear(): void;
}

function create(request: StartRequest, at: number): Payment {
  const transactionReference = `trx.sim_${randomUUID()}`;
  return {
    ref: request.reference ?? transactionReference,
    transactionReference,
    amount: request.amount,
    currency: request.currency,
    email: request.email ?? null,
    phone: request.phone ?? null,
    description: request.description ?? null,
    callback: request.callback ?? null,
    token: randomUUID(),
    served: false,
    status: 'pending',
    paid: 0,
    createdAt: at,
    decidedAt: null,
    approvalDueAt: null,
    closedByPayer: false,
    scenario: null,
    deliveries: [],
  };
}

function restore({ ref, transactionReference, amount, currency, status, paid, decidedAt }: LedgerEntry): Payment {
  const at = Date.parse(decidedAt);
  return { ...create({ reference: ref, amount, currency }, at), transactionReference, status, paid, served: true, decidedAt: at };
}

/** Stores at most `limit` payments. Payments in the ledger are restored with their last decision. */
export function createPayments(ledger: Ledger<LedgerEntry>, limit: number): Payments {
  const byReference = new Map<string, Payment>();
  const byToken = new Map<string, Payment>();
  let count = 0;

  function add(payment: Payment): Payment {
    if (!byReference.has(payment.ref)) count += 1;
    for (const reference of [payment.ref, payment.transactionReference]) byReference.set(reference, payment);
    byToken.set(payment.token, payment);
    return payment;
  }
  for (const entry of ledger.entries) add(restore(entry));

  const find = (ref: string) => byReference.get(ref);
  return {
    find,
    findByToken: (token) => byToken.get(token),
    foreign: (ref, at) => create({ reference: ref, amount: 5000, currency: 'XAF' }, at),
    get(ref) {
      const payment = find(ref);
      if (!payment) throw new SimulatorError(404, 'Référence inconnue du simulateur.');
      return payment;
    },
    open(request, at) {
      if (request.reference !== undefined && find(request.reference)) return null;
      if (count >= limit) throw new SimulatorError(503, 'Le simulateur est plein : remettez-le à zéro.');
      return add(create(request, at));
    },
    decide(payment, status, at, paid = payment.paid) {
      const { ref, transactionReference, amount, currency } = payment;
      ledger.append({ ref, transactionReference, amount, currency, status, paid, decidedAt: new Date(at).toISOString() });
      Object.assign(payment, { status, paid, decidedAt: at, approvalDueAt: null });
    },
    clear() {
      byReference.clear();
      byToken.clear();
      count = 0;
      ledger.clear();
    },
  };
}
