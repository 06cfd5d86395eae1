import type { Contents } from './checkout-contract.ts';

interface PaymentContentsProps {
  /** Undefined while they are loading; null if they could not be loaded. */
  contents: Contents | null | undefined;
}

/** What the prepa contains, and when it last changed. */
export function PaymentContents({ contents }: PaymentContentsProps) {
  if (contents === null) return null;
  return (
    <dl className="summary">
      <div className="payment__contents">
        <dt>Contenu</dt>
        <dd>
          {contents ? (contents.contenu ?? 'en cours de rédaction') : 'Chargement...'}
          {contents?.mise_a_jour && <span className="payment__changed">, mis à jour le {contents.mise_a_jour}</span>}
        </dd>
      </div>
    </dl>
  );
}
