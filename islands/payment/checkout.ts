import type { CheckoutBrowser, CheckoutSettings, Intent, Prepa, Processed, Started, WidgetOffer } from './checkout-contract.ts';
import { createPaymentInHand } from './payment-in-hand.ts';
import { initialPayment, texts } from './payment-state.ts';
import { createPaymentStore } from './payment-store.ts';
import { createProviderChoice } from './provider-choice.ts';
import { readStart } from './server-answers.ts';
import { createSettlement } from './settlement.ts';
import { openWidget } from './widget.ts';

const closedWarningDelayMs = 2000;

/**
 * Manages the payments of one payer on one page. The page and the widget never decide that a payment succeeded: the server verifies it
 * (design §4). `reducePayment` decides the next state.
 */
export function createCheckout(
  settings: CheckoutSettings,
  browser: CheckoutBrowser,
  firstStep: 'loading' | 'idle',
  given: { id: number } | null = null,
) {
  const { state, dispatch, subscribe } = createPaymentStore(initialPayment(firstStep, given && settings.attempts?.[given.id]));
  const provider = createProviderChoice(settings, browser, dispatch);
  const payment = createPaymentInHand(browser, dispatch, settings.attempts);
  const { verify, conclude, watch, succeeded, signInAgain } = createSettlement(settings, browser, payment);

  function open(chosen: Prepa): void {
    const first = payment.prepa === null;
    const same = payment.prepa?.id === chosen.id;
    payment.prepa = chosen;
    // An open payment is shown in its current state.
    if (same && state().step !== 'idle' && state().step !== 'loading') return;
    if (first) browser.onReturn(payment.checks.now);
    if (!same) {
      payment.nextRound();
      payment.reference = null;
    }
    payment.found = payment.attempts[chosen.id] ?? null;
    if (payment.found) payment.show(payment.found);
    else provider.prepare();
  }

  /** Chooses another provider. An open payment keeps its own. */
  function choose(slug: string): void {
    if (!['idle', 'loading', 'found'].includes(state().step) || !provider.choose(slug)) return;
    if (payment.prepa && state().step !== 'found') provider.prepare();
  }

  async function pay(simulationStatus?: string, intent: Intent = 'new'): Promise<void> {
    if ((state().step !== 'idle' && state().step !== 'found') || !payment.prepa) return;
    if (!settings.signedIn) return dispatch({ type: 'refused', message: texts.signInFirst });
    const mine = payment.nextRound();
    dispatch({ type: 'paying' });
    if (settings.simulation) return simulate(mine, simulationStatus);
    payment.starting = true;

    const slug = intent === 'resume' ? payment.found?.provider : provider.slug();
    const { id } = payment.prepa;
    const known = payment.attempts[id]?.reference;
    const answer = await browser.post<Started>('/api/payment/start', {
      prepaId: id,
      ...(settings.providers.length > 1 ? { provider: slug } : {}),
      ...(intent === 'another' ? { anotherAttempt: true } : {}),
    });
    // From now on the dialog shows this attempt when it opens, also after it was closed early.
    if (answer?.ok) payment.attempts[id] = answer.body.attempt;
    if (mine !== payment.round) return;
    const outcome = readStart(answer, slug, intent, known);
    if (outcome.what === 'signed out') return signInAgain(`/user/dashboard?paiement=${id}`);
    if (outcome.what === 'paid') return succeeded();
    if (outcome.what === 'refused') return dispatch({ type: 'refused', message: texts.startFailed, detail: outcome.detail });
    if (outcome.what === 'found') return payment.show(outcome.attempt);
    payment.reference = outcome.reference;
    payment.found = null;
    if (outcome.widget) return openProvider(mine, outcome.widget);
    if (!outcome.address) return dispatch({ type: 'refused', message: texts.unavailable });
    // If the payer returns with Back, the page shows the payment being checked.
    dispatch({ type: 'pending', adds: payment.adds() });
    watch();
    browser.go(outcome.address);
  }

  function openProvider(mine: number, offer: WidgetOffer): Promise<void> {
    return openWidget(browser, offer, {
      isCurrent: () => mine === payment.round,
      scriptFailed: provider.scriptFailed,
      refused: (message) => dispatch({ type: 'refused', message }),
      broken: (message) => dispatch({ type: 'refused', message, fullPage: true }),
      opening() {
        payment.starting = false;
      },
      done: verify,
      left() {
        dispatch({ type: 'left' });
        browser.later(closedWarningDelayMs, () => {
          if (mine === payment.round) dispatch({ type: 'left-for-good' });
        });
        watch();
      },
    });
  }

  /** Call when the dialog is closed: until the widget has opened, this cancels the payment. */
  function abandon(): void {
    if (!payment.starting) return;
    payment.nextRound();
    dispatch({ type: 'left' });
  }

  async function simulate(mine: number, simulationStatus = 'success'): Promise<void> {
    const answer = await browser.post<Processed>('/api/payment/process', { prepaId: payment.prepa?.id, simulationStatus });
    if (mine !== payment.round) return;
    payment.reference = answer?.body.reference ?? null;
    conclude(answer);
  }

  return {
    open,
    choose,
    pay,
    verify,
    abandon,
    state,
    subscribe,
    /** The provider of the next payment. */
    chosen: provider.slug,
  };
}
