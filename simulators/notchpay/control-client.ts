import { createControlCall } from '../platform/control-call.ts';
import type { KnobPatch, Knobs } from './knobs.ts';
import type { LedgerEntry, Status } from './ledger.ts';
import type { PaymentView } from './payments.ts';
import type { StartRequest } from './start-request.ts';

export type { KnobPatch, StartRequest };

/** Drives one simulator; `ref` is our reference or theirs, an unknown one is a 404. */
export interface ControlClient {
  /** Opens a payment without the key, the faults and the scenarios of a start. 409 on a repeated reference. */
  register(request: StartRequest): Promise<PaymentView>;
  /** Resolves once the webhooks of "before the redirect" were tried. A late success is one too; a complete payment stays as it is. */
  approve(ref: string): Promise<PaymentView>;
  approveLater(ref: string, delayMs: number): Promise<PaymentView>;
  /** 409 when the payment is already complete. */
  decline(ref: string): Promise<PaymentView>;
  /** The payer, or the merchant, gives it up. 409 as above. */
  cancel(ref: string): Promise<PaymentView>;
  /** Any outcome but complete; `paid` for `incomplete`, half of the amount by default. 409 as above. */
  decide(
    ref: string,
    status: Exclude<Status, 'pending' | 'complete' | 'refunded' | 'partialy-refunded'>,
    paid?: number,
  ): Promise<PaymentView>;
  /** The payer leaves: nothing is decided. */
  close(ref: string): Promise<PaymentView>;
  /** Pays back a part, everything without an amount. 409 for what is not paid. */
  refund(ref: string, amount?: number): Promise<PaymentView>;
  /** Sends the event of the payment's state, or that of another, as the knobs say. */
  notify(ref: string, status?: Status): Promise<PaymentView>;
  transaction(ref: string): Promise<PaymentView>;
  /** For every reference, or for one; null puts a knob back to what it inherits. Answers what now holds. */
  setKnobs(patch: KnobPatch, ref?: string): Promise<Knobs>;
  /** Where events go; in the real service the dashboard says it. Turns a disabled webhook on again. */
  setWebhook(url: string | null): Promise<void>;
  webhook(): Promise<{ url: string | null; enabled: boolean }>;
  /** Sends a well-signed event of a payment that the platform never started; its deliveries tell what came back. */
  sendForeignEvent(): Promise<PaymentView>;
  ledger(): Promise<LedgerEntry[]>;
  /** Pushes the simulator's time forward; resolves once what is due has happened. Without ms: what a test's own clock has made due. */
  advance(ms?: number): Promise<void>;
  /** Forgets payments, knobs and ledger (its file too). */
  reset(): Promise<void>;
}

/** A client of the control routes of the simulator at `baseUrl`; a call is given up after `timeoutMs`. */
export function createControlClient(baseUrl: string, timeoutMs = 10_000): ControlClient {
  const call = createControlCall(baseUrl, timeoutMs);
  const act = (ref: string, action: string, body: object = {}) =>
    call<PaymentView>('POST', `/transactions/${encodeURIComponent(ref)}/${action}`, body);

  return {
    register: (request) => call('POST', '/transactions', request),
    approve: (ref) => act(ref, 'approve'),
    approveLater: (ref, delayMs) => act(ref, 'approve-later', { delayMs }),
    decline: (ref) => act(ref, 'decide', { status: 'failed' }),
    cancel: (ref) => act(ref, 'decide', { status: 'canceled' }),
    decide: (ref, status, paid) => act(ref, 'decide', { status, paid }),
    close: (ref) => act(ref, 'close'),
    refund: (ref, amount) => act(ref, 'refund', { amount }),
    notify: (ref, status) => act(ref, 'notify', { status }),
    transaction: (ref) => call('GET', `/transactions/${encodeURIComponent(ref)}`),
    setKnobs: (patch, ref) => call('POST', '/knobs', { ...patch, ref }),
    setWebhook: (url) => call('POST', '/webhook', { url }),
    webhook: () => call('GET', '/webhook'),
    sendForeignEvent: () => call('POST', '/foreign-event', {}),
    ledger: async () => (await call<{ entries: LedgerEntry[] }>('GET', '/ledger')).entries,
    advance: (ms = 0) => call('POST', '/clock', { advanceMs: ms }),
    reset: () => call('POST', '/reset'),
  };
}
