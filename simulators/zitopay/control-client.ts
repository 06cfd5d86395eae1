import { createControlCall } from '../platform/control-call.ts';
import type { CheckoutParameters } from './checkout-parameters.ts';
import type { KnobPatch, Knobs } from './knobs.ts';
import type { LedgerEntry } from './ledger.ts';
import type { TransactionView } from './transactions.ts';

export type { CheckoutParameters, KnobPatch, Knobs };

export interface ControlClient {
  /** Opens a transaction as the checkout page does. Repeating it with the same values is allowed. 409 for a used reference. */
  register(parameters: CheckoutParameters): Promise<TransactionView>;
  /** Resolves once the notifications of `before-redirect` were tried. 404 for an unknown reference. */
  approve(ref: string): Promise<TransactionView>;
  approveLater(ref: string, delayMs: number): Promise<TransactionView>;
  /** 409 if the payment is already completed. */
  decline(ref: string): Promise<TransactionView>;
  close(ref: string): Promise<TransactionView>;
  /** Sends the notification again, in any state, as the knobs say. */
  notify(ref: string): Promise<TransactionView>;
  transaction(ref: string): Promise<TransactionView>;
  /** Sets knobs for all references, or for one; null resets a knob. Returns the knobs in effect. */
  setKnobs(patch: KnobPatch, ref?: string): Promise<Knobs>;
  ledger(): Promise<LedgerEntry[]>;
  /** Moves the simulated time forward. Resolves once all due tasks have run. Without `ms`, runs the tasks due by a test's own clock. */
  advance(ms?: number): Promise<void>;
  /** Deletes transactions, knobs and the ledger with its file. */
  reset(): Promise<void>;
}

/** Returns a client of the control routes of the simulator at `baseUrl`. Calls time out after `timeoutMs`. */
export function createControlClient(baseUrl: string, timeoutMs = 10_000): ControlClient {
  const call = createControlCall(baseUrl, timeoutMs);
  const act = (ref: string, action: string, body?: object) =>
    call<TransactionView>('POST', `/transactions/${encodeURIComponent(ref)}/${action}`, body);

  return {
    register: (parameters) => call('POST', '/transactions', parameters),
    approve: (ref) => act(ref, 'approve'),
    approveLater: (ref, delayMs) => act(ref, 'approve-later', { delayMs }),
    decline: (ref) => act(ref, 'decline'),
    close: (ref) => act(ref, 'close'),
    notify: (ref) => act(ref, 'notify'),
    transaction: (ref) => call('GET', `/transactions/${encodeURIComponent(ref)}`),
    setKnobs: (patch, ref) => call('POST', '/knobs', { ...patch, ref }),
    ledger: async () => (await call<{ entries: LedgerEntry[] }>('GET', '/ledger')).entries,
    advance: (ms = 0) => call('POST', '/clock', { advanceMs: ms }),
    reset: () => call('POST', '/reset'),
  };
}
