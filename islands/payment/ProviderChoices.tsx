import type { ProviderChoice } from './checkout-contract.ts';
import type { PaymentState } from './payment-state.ts';

interface ProviderChoicesProps {
  step: PaymentState['step'];
  providers: readonly ProviderChoice[];
  /** Slug of the initial choice. */
  chosen: string | undefined;
  onChoose: (slug: string) => void;
}

/** The choice of a provider; the first is the default. Hidden once a payment is open. */
export function ProviderChoices({ step, providers, chosen, onChoose }: ProviderChoicesProps) {
  return (
    <fieldset className="choices" disabled={step === 'processing'} hidden={step === 'pending' || step === 'success'}>
      <legend>Moyen de paiement</legend>
      {providers.map(({ slug, label }) => (
        <label className="choice" key={slug}>
          <input
            type="radio"
            name="provider"
            value={slug}
            form="payment-form"
            defaultChecked={slug === chosen}
            onChange={() => onChoose(slug)}
          />{' '}
          {label}
        </label>
      ))}
    </fieldset>
  );
}
