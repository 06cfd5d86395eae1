import type { Answer } from '../runtime/post.ts';
import type { CheckoutBrowser, CheckoutSettings, Intent, Prepa, Processed, Started, WidgetOffer } from './checkout-contract.ts';
import { addressAfterPayment, initialPayment, type OpenAttempt, texts } from './payment-state.ts';
import { createPaymentStore } from './payment-store.ts';
import { createProviderChoice } from './provider-choice.ts';
import { readStart, statusOf } from './server-answers.ts';
import { createStatusChecks } from './status-checks.ts';
import { openWidget } from './widget.ts';

/** Until a paid page is loaded anew, and a signed-out one left. */
const reloadDelayMs = 2000;
const closedWarningDelayMs = 2000;

/**
 * One payer's payments on one page. Nothing that the page or the widget says counts as paid: each leads to the server's verification
 * (design §4). What happens next is decided by `reducePayment` alone.
 */
export function createCheckout(
  settings: CheckoutSettings,
  browser: CheckoutBrowser,
  firstStep: 'loading' | 'idle',
  given: { id: number } | null = null,
) {
  const attempts: Record<number, OpenAttempt | undefined> = { ...settings.attempts };
  const { state, dispatch, subscribe } = createPaymentStore(initialPayment(firstStep, given && attempts[given.id]));
  const provider = createProviderChoice(settings, browser, dispatch);
  const checks = createStatusChecks(browser);
  let prepa: Prepa | null = null;
  let reference: string | null = null;
  /** The payment that was begun before, as the payer is shown it. */
  let found: OpenAttempt | null = null;
  /** Grows with each payment, verification and change of prepa: answers to what came before are ignored. */
  let round = 0;
  /** Between the click and the provider's window. */
  let starting = false;

  function nextRound(): number {
    checks.stop();
    starting = false;
    round += 1;
    return round;
  }

  function open(chosen: Prepa): void {
    const first = prepa === null;
    const same = prepa?.id === chosen.id;
    prepa = chosen;
    // A payment in hand is shown as it stands.
    if (same && state().step !== 'idle' && state().step !== 'loading') return;
    if (first) browser.onReturn(checks.now);
    if (!same) {
      nextRound();
      reference = null;
      found = attempts[chosen.id] ?? null;
    }
    if (found) show(found);
    else provider.prepare();
  }

  /** A payment that is still open comes before any other, whatever its provider. */
  function show(attempt: OpenAttempt, message?: string): void {
    found = attempt;
    reference = attempt.reference;
    dispatch({ type: 'found', attempt, message });
  }

  /** Pays with another provider; a payment in hand goes on with the one that it was begun with. */
  function choose(slug: string): void {
    if (!['idle', 'loading', 'found'].includes(state().step) || !provider.choose(slug)) return;
    if (prepa && state().step !== 'found') provider.prepare();
  }

  async function pay(simulationStatus?: string, intent: Intent = 'new'): Promise<void> {
    if ((state().step !== 'idle' && state().step !== 'found') || !prepa) return;
    if (!settings.signedIn) return dispatch({ type: 'refused', message: texts.signInFirst });
    const mine = nextRound();
    dispatch({ type: 'paying' });
    if (settings.simulation) return simulate(mine, simulationStatus);
    starting = true;

    const slug = intent === 'resume' ? found?.provider : provider.slug();
    const answer = await browser.post<Started>('/api/payment/start', {
      prepaId: prepa.id,
      ...(settings.providers.length > 1 ? { provider: slug } : {}),
      ...(intent === 'another' ? { anotherAttempt: true } : {}),
    });
    if (mine !== round) return;
    const outcome = readStart(answer, slug, intent);
    if (outcome.what === 'signed out') return signInAgain(`/user/dashboard?paiement=${prepa.id}`);
    if (outcome.what === 'paid') return succeeded();
    if (outcome.what === 'refused') return dispatch({ type: 'refused', message: texts.startFailed, detail: outcome.detail });
    if (outcome.what === 'found') return show(outcome.attempt);
    reference = outcome.reference;
    found = null;
    if (outcome.widget) return openProvider(mine, outcome.widget);
    if (!outcome.address) return dispatch({ type: 'refused', message: texts.unavailable });
    // Whoever comes back by the browser's own button finds it being checked.
    dispatch({ type: 'pending' });
    watch();
    browser.go(outcome.address);
  }

  function openProvider(mine: number, offer: WidgetOffer): Promise<void> {
    return openWidget(browser, offer, {
      isCurrent: () => mine === round,
      scriptFailed: provider.scriptFailed,
      refused: (message) => dispatch({ type: 'refused', message }),
      broken: (message) => dispatch({ type: 'refused', message, fullPage: true }),
      opening() {
        starting = false;
      },
      done: verify,
      left() {
        dispatch({ type: 'left' });
        browser.later(closedWarningDelayMs, () => {
          if (mine === round) dispatch({ type: 'left-for-good' });
        });
        watch();
      },
    });
  }

  /** The dialog is closed: whoever leaves before the provider's window has opened does not want it any more. */
  function abandon(): void {
    if (!starting) return;
    nextRound();
    dispatch({ type: 'left' });
  }

  async function simulate(mine: number, simulationStatus = 'success'): Promise<void> {
    const answer = await browser.post<Processed>('/api/payment/process', { prepaId: prepa?.id, simulationStatus });
    if (mine !== round) return;
    reference = answer?.body.reference ?? null;
    conclude(answer);
  }

  /** Asks the server what became of the payment, at the payer's request or because the widget says that it is over. */
  async function verify(): Promise<void> {
    const mine = nextRound();
    dispatch({ type: 'checking' });
    const answer = await ask();
    if (mine === round) conclude(answer);
  }

  function ask(): Promise<Answer<Processed> | null> {
    return browser.post<Processed>('/api/payment/process', { transactionReference: reference, prepaId: prepa?.id });
  }

  function conclude(answer: Answer<Processed> | null): void {
    const broken = settings.simulation ? texts.simulationBroken : texts.activationFailed;
    const status = statusOf(answer);
    if (status === 'success') succeeded();
    else if (status === 'failed') failed();
    else if (status === 'signed out') signInAgain('/user/dashboard');
    else if (reference === null) dispatch({ type: 'refused', message: broken });
    else if (found) {
      show(found, status === 'pending' ? texts.notYet : broken);
      watch();
    } else {
      dispatch(status === 'pending' ? { type: 'pending' } : { type: 'unchecked', message: broken });
      watch();
    }
  }

  /** A payment that is approved later becomes a success even so. */
  function watch(): void {
    const mine = round;
    checks.start(async () => {
      const status = statusOf(await ask());
      if (mine !== round) return false;
      if (status === 'success') succeeded();
      if (status === 'failed') failed();
      return status === 'pending' || status === 'unknown';
    });
  }

  function failed(): void {
    nextRound();
    found = null;
    if (prepa) attempts[prepa.id] = undefined;
    dispatch({ type: 'refused', message: settings.simulation ? texts.simulationFailed : texts.failed });
  }

  function succeeded(): void {
    nextRound();
    dispatch({ type: 'succeeded' });
    browser.toast('success', `${texts.success} Votre inscription est confirmée.`);
    browser.later(reloadDelayMs, () => {
      const { pathname, search } = browser.address();
      browser.go(addressAfterPayment(pathname, search));
    });
  }

  function signInAgain(suite: string): void {
    dispatch({ type: 'refused', message: texts.expired });
    browser.toast('error', texts.expired);
    browser.later(reloadDelayMs, () => browser.go(`/login?suite=${encodeURIComponent(suite)}`));
  }

  return {
    open,
    choose,
    pay,
    verify,
    abandon,
    state,
    subscribe,
    /** The provider that another payment would begin with. */
    chosen: provider.slug,
  };
}
