import type { PaymentTile } from './checkout-contract.ts';
import type { PaymentState } from './payment-state.ts';

interface MeansChoicesProps {
  step: PaymentState['step'];
  tiles: readonly PaymentTile[];
  /** Slug of the initial provider; its first tile is chosen. */
  chosen: string | undefined;
  onChoose: (slug: string) => void;
}

/** The choice of a means of payment, as tiles with the provider's name. The form sends the provider. Hidden once a payment is open. */
export function MeansChoices({ step, tiles, chosen, onChoose }: MeansChoicesProps) {
  const first = tiles.findIndex(({ provider }) => provider === chosen);
  return (
    <fieldset className="means" disabled={step === 'processing'} hidden={step === 'pending' || step === 'success'}>
      <legend>Moyen de paiement</legend>
      <div className="means__tiles">
        {tiles.map(({ name, provider, providerName }, index) => (
          <label className="means__tile" key={`${name} ${provider}`}>
            <input
              type="radio"
              name="provider"
              value={provider}
              form="payment-form"
              defaultChecked={index === first}
              onChange={() => onChoose(provider)}
            />
            <span className="means__name">{name}</span> <span className="means__provider">{providerName}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
