import { BusyButton } from '../ui/BusyButton.tsx';
import type { PaymentState } from './payment-state.ts';

/** The dialog's two buttons. */
export function PaymentActions({ step, prix }: { step: PaymentState['step']; prix: string }) {
  const busy = step === 'loading' || step === 'processing';
  return (
    <>
      <a className="button button--quiet" href="/user/dashboard" data-closes>
        {step === 'pending' || step === 'success' ? 'Fermer' : 'Annuler'}
      </a>
      {step !== 'success' && (
        <BusyButton
          label={
            step === 'pending' ? (
              'Vérifier le paiement'
            ) : (
              <>
                Payer{' '}
                <span data-fill="prix" suppressHydrationWarning>
                  {prix}
                </span>
              </>
            )
          }
          busyLabel={step === 'loading' ? 'Chargement...' : 'Traitement...'}
          busy={busy}
          disabled={busy}
        />
      )}
    </>
  );
}
