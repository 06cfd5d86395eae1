import type { CheckoutBrowser, CheckoutSettings, Prepa } from './checkout-contract.ts';
import type { OpenAttempt, PaymentEvent } from './payment-state.ts';
import { createStatusChecks } from './status-checks.ts';

/** The current payment of a page. */
export interface PaymentInHand {
  readonly checks: ReturnType<typeof createStatusChecks>;
  readonly dispatch: (event: PaymentEvent) => void;
  /** Known open payments, by prepa. */
  readonly attempts: Record<number, OpenAttempt | undefined>;
  prepa: Prepa | null;
  reference: string | null;
  /** The open payment shown to the payer, or null. */
  found: OpenAttempt | null;
  /** Incremented by each payment, verification and change of prepa: responses of earlier rounds are ignored. */
  round: number;
  /** True between the click and the opening of the widget. */
  starting: boolean;
  /** Returns whether the payer already has access, so that the payment adds days. */
  adds(): boolean;
  nextRound(): number;
  /** Shows an open payment, of any provider, instead of a new one. */
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
