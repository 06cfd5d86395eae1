import type { Contents, Prepa } from './checkout-contract.ts';

interface PaymentSummaryProps {
  prepa: Prepa | null;
  /** Until when a payment opens what says nothing else. */
  fin: string;
  /** '15 000 XAF', of the payment that is shown; the prepa's price may have changed since it was begun. */
  montant: string | undefined;
  /** Undefined while it is asked for; null: it cannot be had. */
  contents: Contents | null | undefined;
}

/** What is paid for. The loader fills it in from the opener (`data-fill`), so that the dialog never stands empty until React has come. */
export function PaymentSummary({ prepa, fin, montant, contents }: PaymentSummaryProps) {
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
      {contents !== null && (
        <div className="payment__contents">
          <dt>Contenu</dt>
          <dd>
            {contents ? (contents.contenu ?? 'en cours de rédaction') : 'Chargement...'}
            {contents?.mise_a_jour && <span className="payment__changed">, mis à jour le {contents.mise_a_jour}</span>}
          </dd>
        </div>
      )}
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
