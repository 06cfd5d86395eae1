import type { ProviderChoice } from './checkout.ts';
import type { PaymentState } from './payment-state.ts';

interface ProviderChoicesProps {
  step: PaymentState['step'];
  providers: readonly ProviderChoice[];
  onChoose: (slug: string) => void;
}

/** Which provider the learner pays with; the first is chosen until they say otherwise. A payment in hand leaves nothing to choose. */
export function ProviderChoices({ step, providers, onChoose }: ProviderChoicesProps) {
  return (
    <fieldset className="choices" disabled={step === 'processing'} hidden={step === 'pending' || step === 'success'}>
      <legend>Moyen de paiement</legend>
      {providers.map(({ slug, label }, index) => (
        <label className="choice" key={slug}>
          <input
            type="radio"
            name="provider"
            value={slug}
            form="payment-form"
            defaultChecked={index === 0}
            onChange={() => onChoose(slug)}
          />{' '}
          {label}
        </label>
      ))}
    </fieldset>
  );
}
