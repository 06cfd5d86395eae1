import type { CheckoutBrowser, CheckoutSettings, Prepa } from './checkout-contract.ts';
import type { OpenAttempt, PaymentEvent } from './payment-state.ts';
import { createStatusChecks } from './status-checks.ts';

/** The payment that a page is about. */
export class PaymentInHand {
  readonly checks;
  readonly dispatch;
  /** What is known to be open already, by prepa. */
  readonly attempts: Record<number, OpenAttempt | undefined>;
  prepa: Prepa | null = null;
  reference: string | null = null;
  /** The payment that was begun before, as the payer is shown it. */
  found: OpenAttempt | null = null;
  /** Grows with each payment, verification and change of prepa: answers to what came before are ignored. */
  round = 0;
  /** Between the click and the provider's window. */
  starting = false;

  constructor(browser: CheckoutBrowser, dispatch: (event: PaymentEvent) => void, attempts: CheckoutSettings['attempts']) {
    this.checks = createStatusChecks(browser);
    this.dispatch = dispatch;
    this.attempts = { ...attempts };
  }

  nextRound(): number {
    this.checks.stop();
    this.starting = false;
    this.round += 1;
    return this.round;
  }

  /** A payment that is still open comes before any other, whatever its provider. */
  show(attempt: OpenAttempt, message?: string): void {
    this.found = attempt;
    this.reference = attempt.reference;
    this.dispatch({ type: 'found', attempt, message });
  }
}
