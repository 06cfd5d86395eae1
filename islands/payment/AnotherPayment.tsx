import type { ReactNode } from 'react';
import type { OpenAttempt } from './payment-state.ts';

interface AnotherPaymentProps {
  /** The payment that is already open. */
  attempt: OpenAttempt;
  /** '15 000 XAF': the current price of another payment. */
  prix: string | undefined;
  /** The choice of a provider. */
  children: ReactNode;
}

/** Offers another payment besides an open one, and explains the consequences. */
export function AnotherPayment({ attempt, prix, children }: AnotherPaymentProps) {
  if (!attempt.mayBeginAnother) {
    return (
      <p>
        Trois paiements sont déjà ouverts pour cette préparation. Vous pourrez en commencer un autre dès que l'un d'eux sera confirmé,
        annulé ou expiré.
      </p>
    );
  }
  return (
    <details className="accordion__item payment__other">
      <summary>Payer autrement</summary>
      <div className="payment__choice">
        {attempt.autres ? (
          <p>
            Les paiements commencés restent ouverts et peuvent encore être payés. <strong>Ne payez qu'un seul de ces paiements.</strong>{' '}
            Chacun de ceux qui sont payés ouvre 30 jours. Pour être plutôt remboursé de l'un d'eux, écrivez au support avec sa référence, à
            lire dans Mes paiements.
          </p>
        ) : (
          <p>
            Le premier paiement reste ouvert et peut encore être payé. <strong>Ne payez pas les deux.</strong> Si cela arrive, chacun ouvre
            30 jours, soit 60 jours en tout. Pour être plutôt remboursé de l'un d'eux, écrivez au support avec sa référence, à lire dans Mes
            paiements.
          </p>
        )}
        {prix && prix !== attempt.montant && <p>Son prix est maintenant de {prix}.</p>}
        {children}
        <button className="button button--secondary button--block" type="submit" form="payment-form" name="anotherAttempt" value="1">
          Commencer un autre paiement
        </button>
      </div>
    </details>
  );
}
