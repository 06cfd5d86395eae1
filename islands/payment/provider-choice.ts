import type { CheckoutBrowser, CheckoutSettings } from './checkout-contract.ts';
import type { PaymentEvent } from './payment-state.ts';

/** Holds the provider of the next payment and loads its widget's script. The first provider is the default. */
export function createProviderChoice(
  { providers, simulation }: CheckoutSettings,
  browser: CheckoutBrowser,
  dispatch: (event: PaymentEvent) => void,
) {
  let provider = providers[0];

  const scriptFailed = () => dispatch({ type: 'script-failed' });

  return {
    slug: () => provider?.slug,
    /** Returns whether the choice has changed. */
    choose(slug: string): boolean {
      const chosen = providers.find((choice) => choice.slug === slug);
      if (!chosen || chosen === provider) return false;
      provider = chosen;
      return true;
    },
    /** Opens the dialog and loads the chosen provider's script. */
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
