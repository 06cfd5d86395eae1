import type { Prepa } from './checkout-contract.ts';

interface PaymentSummaryProps {
  prepa: Prepa | null;
  /** The end of a new access, for openers that do not give one. */
  fin: string;
  /** '15 000 XAF': the amount of the payment, which may differ from the prepa's current price. */
  montant: string | undefined;
}

/** Shows the prepa that is paid for. Until React has hydrated it, the loader fills it from the opener (`data-fill`). */
export function PaymentSummary({ prepa, fin, montant }: PaymentSummaryProps) {
  const place = (name: 'nom' | 'fin' | 'prix', text: string | undefined) => (
    <span data-fill={name} suppressHydrationWarning>
      {text ?? ''}
    </span>
  );
  return (
    <dl className="summary">
      <div>
        <dt>Préparation</dt>
        <dd>{place('nom', prepa?.nom)}</dd>
      </div>
      <div>
        <dt>Accès</dt>
        <dd>30 jours, jusqu'au {place('fin', prepa?.fin ?? fin)}</dd>
      </div>
      <div className="summary__total">
        <dt>Montant</dt>
        <dd className="price">{place('prix', montant)}</dd>
      </div>
    </dl>
  );
}
