import type { Answer } from '../runtime/post.ts';
import type { CheckoutBrowser, CheckoutSettings, Prepa, Processed, Started, Wish } from './checkout-contract.ts';
import {
  addressAfterPayment,
  initialPayment,
  type OpenAttempt,
  type PaymentEvent,
  type PaymentState,
  pauseBeforeCheck,
  reducePayment,
  texts,
} from './payment-state.ts';
import { openWidget, type WidgetOffer } from './widget.ts';

/** ms */
const reloadAfter = 2000;
const warningAfter = 2000;

export type Checkout = ReturnType<typeof createCheckout>;

/**
 * One payer's payments on one page. Nothing that the page or the widget says counts as paid: each leads to the server's verification
 * (design §4). The state is told to subscribers; what happens next is decided by `reducePayment` alone.
 */
export function createCheckout(
  settings: CheckoutSettings,
  browser: CheckoutBrowser,
  firstStep: 'loading' | 'idle',
  given: { id: number } | null = null,
) {
  const attempts: Record<number, OpenAttempt | undefined> = { ...settings.attempts };
  let state: PaymentState = initialPayment(firstStep, given && attempts[given.id]);
  const listeners = new Set<() => void>();
  let prepa: Prepa | null = null;
  let provider = settings.providers[0];
  let reference: string | null = null;
  /** What the payer is shown of it when it was begun before. */
  let found: OpenAttempt | null = null;
  /** Grows with each payment, verification and change of prepa: answers to what came before are not heard. */
  let round = 0;
  /** Between the click and the provider's window. */
  let starting = false;
  let stopWatching: () => void = () => {};
  let checkNow: (() => void) | null = null;

  function tell(event: PaymentEvent): void {
    const next = reducePayment(state, event);
    if (next === state) return;
    state = next;
    for (const listener of listeners) listener();
  }

  function nextRound(): number {
    stopWatching();
    checkNow = null;
    starting = false;
    round += 1;
    return round;
  }

  function open(chosen: Prepa): void {
    const first = prepa === null;
    const same = prepa?.id === chosen.id;
    prepa = chosen;
    // A payment in hand is shown as it stands.
    if (same && state.step !== 'idle' && state.step !== 'loading') return;
    if (first) browser.onReturn(() => checkNow?.());
    if (!same) {
      nextRound();
      reference = null;
      found = attempts[chosen.id] ?? null;
    }
    if (found) show(found);
    else prepare();
  }

  /** A payment that is still open comes before any other, whatever its provider. */
  function show(attempt: OpenAttempt, message?: string): void {
    found = attempt;
    reference = attempt.reference;
    tell({ type: 'found', attempt, message });
  }

  /** Pays with another provider; a payment in hand goes on with the one that it was begun with. */
  function choose(slug: string): void {
    const chosen = settings.providers.find((choice) => choice.slug === slug);
    if (!chosen || chosen === provider || !['idle', 'loading', 'found'].includes(state.step)) return;
    provider = chosen;
    if (prepa && state.step !== 'found') prepare();
  }

  /** Fetches what the chosen provider needs. */
  function prepare(): void {
    const mine = provider;
    const script = settings.simulation || browser.widget() ? null : (mine?.script ?? null);
    tell({ type: 'opened', loading: script !== null });
    if (script === null) return;
    browser.loadScript(script).then(
      () => tell({ type: 'script-loaded' }),
      () => mine === provider && scriptFailed(),
    );
  }

  function scriptFailed(): void {
    tell({ type: 'script-failed' });
    browser.toast('error', texts.scriptFailed);
  }

  async function pay(simulationStatus?: string, wish: Wish = 'new'): Promise<void> {
    if ((state.step !== 'idle' && state.step !== 'found') || !prepa) return;
    if (!settings.signedIn) return tell({ type: 'refused', message: texts.signInFirst });
    const mine = nextRound();
    tell({ type: 'paying' });
    if (settings.simulation) return simulate(mine, simulationStatus);
    starting = true;

    const slug = wish === 'resume' ? found?.provider : provider?.slug;
    const answer = await browser.post<Started>('/api/payment/start', {
      prepaId: prepa.id,
      ...(settings.providers.length > 1 ? { provider: slug } : {}),
      ...(wish === 'another' ? { anotherAttempt: true } : {}),
    });
    if (mine !== round) return;
    if (answer?.status === 401) return expired(`/user/dashboard?paiement=${prepa.id}`);
    // The attempt in hand has turned out to be paid.
    if (answer?.status === 409) return succeeded();
    const body: Answer<Started>['body'] = answer?.body ?? {};
    if (!answer?.ok || !body.reference) return tell({ type: 'refused', message: texts.startFailed, detail: startDetail(answer) });
    const earlier = body.open;
    const opens = body.widget ?? body.redirectUrl;
    // What was asked for goes on; anything else is shown first.
    if (earlier && (wish === 'another' || earlier.provider !== slug || !opens)) return show(earlier);
    reference = body.reference;
    found = null;
    const address = body.checkoutUrl ?? body.redirectUrl;
    if (body.widget) return openProvider(mine, body.widget);
    if (address) {
      // Whoever comes back by the browser's own button finds it being checked.
      tell({ type: 'pending' });
      watch();
      return browser.go(address);
    }
    tell({ type: 'refused', message: texts.unavailable });
  }

  function openProvider(mine: number, offer: WidgetOffer): Promise<void> {
    return openWidget(browser, offer, {
      current: () => mine === round,
      scriptFailed,
      refused: (message) => tell({ type: 'refused', message }),
      broken: (message) => tell({ type: 'refused', message, fullPage: true }),
      opening() {
        starting = false;
      },
      done: verify,
      left() {
        tell({ type: 'left' });
        browser.later(warningAfter, () => {
          if (mine === round) tell({ type: 'left-for-good' });
        });
        watch();
      },
    });
  }

  /** The dialog is closed: whoever leaves before the provider's window has opened does not want it any more. */
  function abandon(): void {
    if (!starting) return;
    nextRound();
    tell({ type: 'left' });
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
    tell({ type: 'checking' });
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
    else if (status === 'expired') expired('/user/dashboard');
    else if (reference === null) tell({ type: 'refused', message: broken });
    else if (found) {
      show(found, status === 'pending' ? texts.notYet : broken);
      watch();
    } else {
      tell(status === 'pending' ? { type: 'pending' } : { type: 'unchecked', message: broken });
      watch();
    }
  }

  /** Checks again by itself, with growing pauses; a payment that is approved late becomes a success even so. */
  function watch(count = 0): void {
    const pause = pauseBeforeCheck(count);
    const mine = round;
    if (pause === null) {
      checkNow = null;
      return;
    }
    const check = async () => {
      stopWatching();
      checkNow = null;
      const status = statusOf(await ask());
      if (mine !== round) return;
      if (status === 'success') succeeded();
      else if (status === 'failed') failed();
      else if (status !== 'expired') watch(count + 1);
    };
    stopWatching = browser.later(pause, check);
    checkNow = check;
  }

  function failed(): void {
    nextRound();
    found = null;
    if (prepa) attempts[prepa.id] = undefined;
    tell({ type: 'refused', message: settings.simulation ? texts.simulationFailed : texts.failed });
  }

  function succeeded(): void {
    nextRound();
    tell({ type: 'succeeded' });
    browser.toast('success', `${texts.success} Votre inscription est confirmée.`);
    browser.later(reloadAfter, () => {
      const { pathname, search } = browser.address();
      browser.go(addressAfterPayment(pathname, search));
    });
  }

  function expired(suite: string): void {
    tell({ type: 'refused', message: texts.expired });
    browser.toast('error', texts.expired);
    browser.later(reloadAfter, () => browser.go(`/login?suite=${encodeURIComponent(suite)}`));
  }

  return {
    open,
    choose,
    pay,
    verify,
    abandon,
    state: () => state,
    /** The provider that another payment would begin with. */
    chosen: () => provider?.slug,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

/** What the server says of the payment; `unknown` when it could not say. */
function statusOf(answer: Answer<Processed> | null): 'success' | 'failed' | 'pending' | 'expired' | 'unknown' {
  if (answer?.status === 401) return 'expired';
  const { status } = answer?.ok ? answer.body : {};
  return status === 'success' || status === 'failed' || status === 'pending' ? status : 'unknown';
}

/** What is known beyond the specification's sentence: the server's own words, or that the network failed. */
function startDetail(answer: Answer | null): string | undefined {
  if (!answer) return "Le réseau ne répond pas, et rien n'a été débité. Vérifiez votre connexion, puis réessayez.";
  return answer.body.message === texts.startFailed ? undefined : answer.body.message;
}
