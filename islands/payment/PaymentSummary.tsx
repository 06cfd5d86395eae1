import type { Prepa } from './checkout-contract.ts';

/** What is paid for. The loader fills it in from the opener (`data-fill`), so that the dialog never stands empty until React has come. */
export function PaymentSummary({ prepa, fin }: { prepa: Prepa | null; fin: string }) {
  const place = (name: 'nom' | 'contenu' | 'fin' | 'prix', text = '') => (
    <span data-fill={name} suppressHydrationWarning>
      {prepa?.[name] ?? text}
    </span>
  );
  return (
    <dl className="summary">
      <div>
        <dt>Préparation</dt>
        <dd>{place('nom')}</dd>
      </div>
      <div className="payment__contents">
        <dt>Contenu</dt>
        <dd>{place('contenu')}</dd>
      </div>
      <div>
        <dt>Accès</dt>
        <dd>30 jours, jusqu'au {place('fin', fin)}</dd>
      </div>
      <div className="summary__total">
        <dt>Montant</dt>
        <dd className="price">{place('prix')}</dd>
      </div>
    </dl>
  );
}
