import { createControlCall } from '../platform/control-call.ts';
import type { CheckoutParameters } from './checkout-parameters.ts';
import type { KnobPatch, Knobs } from './knobs.ts';
import type { LedgerEntry } from './ledger.ts';
import type { TransactionView } from './transactions.ts';

export type { CheckoutParameters, KnobPatch, Knobs };

export interface ControlClient {
  /** Opens a transaction as the checkout page would; the same values again are fine. 409 on a reused reference. */
  register(parameters: CheckoutParameters): Promise<TransactionView>;
  /** Resolves once the notifications of "before the redirect" were tried. 404 for an unknown reference. */
  approve(ref: string): Promise<TransactionView>;
  approveLater(ref: string, delayMs: number): Promise<TransactionView>;
  /** 409 when the payment is already completed. */
  decline(ref: string): Promise<TransactionView>;
  close(ref: string): Promise<TransactionView>;
  /** Sends the notification again, whatever the state, as the knobs say. */
  notify(ref: string): Promise<TransactionView>;
  transaction(ref: string): Promise<TransactionView>;
  /** For every reference, or for one; null puts a knob back to what it inherits. Answers what now holds. */
  setKnobs(patch: KnobPatch, ref?: string): Promise<Knobs>;
  ledger(): Promise<LedgerEntry[]>;
  /** Pushes the simulator's time forward; resolves once what is due has happened. Without ms: what a test's own clock has made due. */
  advance(ms?: number): Promise<void>;
  /** Forgets transactions, knobs and ledger (its file too). */
  reset(): Promise<void>;
}

/** A client of the control routes of the simulator at `baseUrl`; a call is given up after `timeoutMs`. */
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
