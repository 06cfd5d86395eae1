import type { Prepa } from './checkout-contract.ts';

/** What is paid for. The loader fills it in from the opener (`data-fill`), so that the dialog never stands empty until React has come. */
export function PaymentSummary({ prepa }: { prepa: Prepa | null }) {
  return (
    <dl className="summary">
      <div>
        <dt>Préparation</dt>
        <dd data-fill="nom" suppressHydrationWarning>
          {prepa?.nom ?? ''}
        </dd>
      </div>
      <div>
        <dt>Accès</dt>
        <dd>30 jours</dd>
      </div>
      <div className="summary__total">
        <dt>Montant</dt>
        <dd className="price" data-fill="prix" suppressHydrationWarning>
          {prepa?.prix ?? ''}
        </dd>
      </div>
    </dl>
  );
}
