import type { Answer } from '../runtime/post.ts';
import type { CheckoutBrowser, CheckoutSettings, Processed } from './checkout-contract.ts';
import type { PaymentInHand } from './payment-in-hand.ts';
import { addressAfterPayment, texts } from './payment-state.ts';
import { statusOf } from './server-answers.ts';

/** Delay in ms before a paid page reloads, or the sign-in page opens. */
const reloadDelayMs = 2000;

/** Verifies the current payment with the server, once or repeatedly, and shows the result. */
export function createSettlement({ simulation }: CheckoutSettings, browser: CheckoutBrowser, payment: PaymentInHand) {
  const { dispatch } = payment;

  /** Verifies the payment, when the payer asks or the widget has finished. */
  async function verify(): Promise<void> {
    const mine = payment.nextRound();
    dispatch({ type: 'checking' });
    const answer = await ask();
    if (mine === payment.round) conclude(answer);
  }

  function ask(): Promise<Answer<Processed> | null> {
    return browser.post<Processed>('/api/payment/process', { transactionReference: payment.reference, prepaId: payment.prepa?.id });
  }

  function conclude(answer: Answer<Processed> | null): void {
    const broken = simulation ? texts.simulationBroken : texts.activationFailed;
    const status = statusOf(answer);
    if (status === 'success') succeeded();
    else if (status === 'failed') failed(answer);
    else if (status === 'signed out') signInAgain('/user/dashboard');
    else if (payment.reference === null) dispatch({ type: 'refused', message: broken });
    else if (payment.found) {
      payment.show(payment.found, status === 'pending' ? texts.notYet : broken);
      watch();
    } else {
      dispatch(status === 'pending' ? { type: 'pending', adds: payment.adds() } : { type: 'unchecked', message: broken });
      watch();
    }
  }

  /** Checks repeatedly, so that a later approval is shown as a success. */
  function watch(): void {
    const mine = payment.round;
    payment.checks.start(async () => {
      const answer = await ask();
      const status = statusOf(answer);
      if (mine !== payment.round) return false;
      if (status === 'success') succeeded();
      if (status === 'failed') failed(answer);
      return status === 'pending' || status === 'unknown';
    });
  }

  function failed(answer: Answer<Processed> | null): void {
    payment.nextRound();
    payment.found = null;
    if (payment.prepa) payment.attempts[payment.prepa.id] = undefined;
    dispatch({
      type: 'refused',
      message: simulation ? texts.simulationFailed : texts.failed,
      detail: answer?.body.help ?? undefined,
      again: true,
    });
  }

  function succeeded(): void {
    payment.nextRound();
    dispatch({ type: 'succeeded' });
    browser.toast('success', `${texts.success} Votre inscription est confirmée.`);
    browser.later(reloadDelayMs, () => {
      const { pathname, search } = browser.address();
      browser.go(addressAfterPayment(pathname, search));
    });
  }

  function signInAgain(suite: string): void {
    dispatch({ type: 'refused', message: texts.expired });
    browser.later(reloadDelayMs, () => browser.go(`/login?suite=${encodeURIComponent(suite)}`));
  }

  return { verify, conclude, watch, succeeded, signInAgain };
}
