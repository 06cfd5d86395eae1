import { BusyButton } from '../ui/BusyButton.tsx';
import type { PaymentState } from './payment-state.ts';

/** The dialog's two buttons. */
export function PaymentActions({ step, fullPage, prix }: Pick<PaymentState, 'step' | 'fullPage'> & { prix: string }) {
  const busy = step === 'loading' || step === 'processing';
  return (
    <>
      {/* Out of reach while the payment starts: the second of two taps must not land on it. The cross stays. */}
      <a className="button button--quiet" href="/user/dashboard" data-closes inert={step === 'processing'}>
        {step === 'pending' || step === 'success' ? 'Fermer' : 'Annuler'}
      </a>
      {step !== 'success' && (
        <BusyButton
          label={
            step === 'pending' ? (
              'Vérifier le paiement'
            ) : fullPage ? (
              'Ouvrir la page de paiement'
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
