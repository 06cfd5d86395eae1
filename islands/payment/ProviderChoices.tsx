import type { ProviderChoice } from './checkout-contract.ts';
import type { PaymentState } from './payment-state.ts';

interface ProviderChoicesProps {
  step: PaymentState['step'];
  providers: readonly ProviderChoice[];
  /** Slug of the one that is chosen when they come. */
  chosen: string | undefined;
  onChoose: (slug: string) => void;
}

/** Which provider the learner pays with; the first is chosen until they say otherwise. A payment in hand leaves nothing to choose. */
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
