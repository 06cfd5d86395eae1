import { randomUUID } from 'node:crypto';
import type { DeliveryOutcome } from '../platform/delivery.ts';
import { SimulatorError } from '../platform/errors.ts';
import type { Ledger } from '../platform/ledger.ts';
import type { LedgerEntry, Status } from './ledger.ts';
import type { StartRequest } from './start-request.ts';

/** One webhook call, and what came back. */
export interface Delivery extends DeliveryOutcome {
  event: string;
  eventId: string;
}

export interface Payment {
  /** Ours, as the merchant gave it. */
  readonly ref: string;
  /** Theirs: `trx.sim_…`. */
  readonly transactionReference: string;
  readonly amount: number;
  readonly currency: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly description: string | null;
  readonly callback: string | null;
  /** In the address of the checkout page. */
  readonly token: string;
  /** The checkout page was served: its address serves once. */
  served: boolean;
  status: Status;
  /** What the payer has paid and not got back. */
  paid: number;
  /** Epoch ms. */
  readonly createdAt: number;
  decidedAt: number | null;
  /** Epoch ms of an approval to come, null without one. */
  approvalDueAt: number | null;
  closedByPayer: boolean;
  /** What the scenario chosen by hand is, null without one. */
  scenario: string | null;
  /** The last 50 webhook calls. */
  readonly deliveries: Delivery[];
}

type Times = 'createdAt' | 'decidedAt' | 'approvalDueAt';
/** A payment as the control routes show it; times are ISO 8601. */
export type PaymentView = Omit<Payment, Times> & { createdAt: string; decidedAt: string | null; approvalDueAt: string | null };

const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString());

export function presentPayment(payment: Payment): PaymentView {
  const { createdAt, decidedAt, approvalDueAt } = payment;
  return { ...payment, createdAt: new Date(createdAt).toISOString(), decidedAt: iso(decidedAt), approvalDueAt: iso(approvalDueAt) };
}

/** Nothing is decided yet. */
export function isOpen({ status }: Payment): boolean {
  return status === 'pending' || status === 'processing';
}

export interface Payments {
  /** Opens a payment; null when its reference was given before. Throws 503 when full. */
  open(request: StartRequest, at: number): Payment | null;
  /** By our reference or theirs. */
  find(ref: string): Payment | undefined;
  /** The same; throws 404 for an unknown one. */
  get(ref: string): Payment;
  /** A payment of somebody else's account: kept nowhere. */
  foreign(ref: string, at: number): Payment;
  findByToken(token: string): Payment | undefined;
  /** Writes the decision in the ledger, then in the payment. `paid` without a change: what it was. */
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

/** At most `limit` payments; those that the ledger knows are there from the start, as they were last decided. */
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
