import type { CheckoutBrowser, CheckoutSettings, Prepa } from './checkout-contract.ts';
import type { OpenAttempt, PaymentEvent } from './payment-state.ts';
import { createStatusChecks } from './status-checks.ts';

/** The payment that a page is about. */
export interface PaymentInHand {
  readonly checks: ReturnType<typeof createStatusChecks>;
  readonly dispatch: (event: PaymentEvent) => void;
  /** What is known to be open already, by prepa. */
  readonly attempts: Record<number, OpenAttempt | undefined>;
  prepa: Prepa | null;
  reference: string | null;
  /** The payment that was begun before, as the payer is shown it. */
  found: OpenAttempt | null;
  /** Grows with each payment, verification and change of prepa: answers to what came before are ignored. */
  round: number;
  /** Between the click and the provider's window. */
  starting: boolean;
  /** Whether the prepa is open to the payer already. */
  adds(): boolean;
  nextRound(): number;
  /** A payment that is still open comes before any other, whatever its provider. */
  show(attempt: OpenAttempt, message?: string): void;
}

export const createPaymentInHand = (
  browser: CheckoutBrowser,
  dispatch: PaymentInHand['dispatch'],
  known: CheckoutSettings['attempts'],
): PaymentInHand => ({
  checks: createStatusChecks(browser),
  dispatch,
  attempts: { ...known },
  prepa: null,
  reference: null,
  found: null,
  round: 0,
  starting: false,
  adds() {
    return this.prepa?.acces !== undefined;
  },
  nextRound() {
    this.checks.stop();
    this.starting = false;
    this.round += 1;
    return this.round;
  },
  show(attempt, message) {
    this.found = attempt;
    this.reference = attempt.reference;
    dispatch({ type: 'found', attempt, message });
  },
});
