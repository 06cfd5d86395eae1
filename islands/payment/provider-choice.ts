import type { CheckoutBrowser, CheckoutSettings } from './checkout-contract.ts';
import type { PaymentEvent } from './payment-state.ts';

/** Which provider the next payment would begin with, and the script that its widget needs. The default comes first. */
export function createProviderChoice(
  { providers, simulation }: CheckoutSettings,
  browser: CheckoutBrowser,
  dispatch: (event: PaymentEvent) => void,
) {
  let provider = providers[0];

  const scriptFailed = () => dispatch({ type: 'script-failed' });

  return {
    slug: () => provider?.slug,
    /** Answers whether this is another one than before. */
    choose(slug: string): boolean {
      const chosen = providers.find((choice) => choice.slug === slug);
      if (!chosen || chosen === provider) return false;
      provider = chosen;
      return true;
    },
    /** Opens the dialog and fetches what the chosen provider needs. */
    prepare(): void {
      const chosen = provider;
      const script = simulation || browser.widget() ? null : (chosen?.script ?? null);
      dispatch({ type: 'opened', loading: script !== null });
      if (script === null) return;
      browser.loadScript(script).then(
        () => dispatch({ type: 'script-loaded' }),
        () => chosen === provider && scriptFailed(),
      );
    },
    scriptFailed,
  };
}
