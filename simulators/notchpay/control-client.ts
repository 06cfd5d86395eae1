import { createControlCall } from '../platform/control-call.ts';
import type { KnobPatch, Knobs } from './knobs.ts';
import type { LedgerEntry, Status } from './ledger.ts';
import type { PaymentView } from './payments.ts';
import type { StartRequest } from './start-request.ts';

export type { KnobPatch, StartRequest };

/** Controls one simulator. `ref` is the merchant's or the provider's reference; an unknown one throws a 404. */
export interface ControlClient {
  /** Opens a payment without the key, faults and scenarios of a start. 409 for a used reference. */
  register(request: StartRequest): Promise<PaymentView>;
  /** Approves, also after a failure. Does nothing if already complete. Resolves once the webhooks of `before-redirect` were tried. */
  approve(ref: string): Promise<PaymentView>;
  approveLater(ref: string, delayMs: number): Promise<PaymentView>;
  /** 409 if the payment is already complete. */
  decline(ref: string): Promise<PaymentView>;
  /** Cancels for the payer or the merchant. 409 as above. */
  cancel(ref: string): Promise<PaymentView>;
  /** Sets any status but complete. `paid` is for `incomplete`; default: half of the amount. 409 as above. */
  decide(
    ref: string,
    status: Exclude<Status, 'pending' | 'complete' | 'refunded' | 'partialy-refunded'>,
    paid?: number,
  ): Promise<PaymentView>;
  /** The payer leaves without a decision. */
  close(ref: string): Promise<PaymentView>;
  /** Refunds an amount, by default everything. 409 if less was paid. */
  refund(ref: string, amount?: number): Promise<PaymentView>;
  /** Sends the event of the payment's status, or of `status`, as the knobs say. */
  notify(ref: string, status?: Status): Promise<PaymentView>;
  transaction(ref: string): Promise<PaymentView>;
  /** Sets knobs for all references, or for one; null resets a knob. Returns the knobs in effect. */
  setKnobs(patch: KnobPatch, ref?: string): Promise<Knobs>;
  /** Sets the address of webhooks, as the dashboard does in the real service. Enables a disabled webhook. */
  setWebhook(url: string | null): Promise<void>;
  webhook(): Promise<{ url: string | null; enabled: boolean }>;
  /** Sends a validly signed event of a payment that the platform never started. Its deliveries hold the response. */
  sendForeignEvent(): Promise<PaymentView>;
  ledger(): Promise<LedgerEntry[]>;
  /** Moves the simulated time forward. Resolves once all due tasks have run. Without `ms`, runs the tasks due by a test's own clock. */
  advance(ms?: number): Promise<void>;
  /** Deletes payments, knobs and the ledger with its file. */
  reset(): Promise<void>;
}

/** Returns a client of the control routes of the simulator at `baseUrl`. Calls time out after `timeoutMs`. */
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
