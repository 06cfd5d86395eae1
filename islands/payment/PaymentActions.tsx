import { BusyButton } from '../ui/BusyButton.tsx';
import type { PaymentState } from './payment-state.ts';

/** The dialog's buttons. Each says its name to the form, whether a script hears it or not. */
export function PaymentActions({ step, fullPage, attempt, prix }: Omit<PaymentState, 'notice'> & { prix: string }) {
  const busy = step === 'loading' || step === 'processing';
  return (
    <>
      {/* Out of reach while the payment starts: the second of two taps must not land on it. The cross stays. */}
      <a className="button button--quiet" href="/user/dashboard" data-closes inert={step === 'processing'}>
        {step === 'pending' || step === 'success' ? 'Fermer' : 'Annuler'}
      </a>
      {attempt && (
        <button
          className={attempt.resumable ? 'button button--secondary' : 'button'}
          type="submit"
          name="verify"
          formAction={`/user/paiements/${attempt.reference}/verifier`}
        >
          Vérifier ce paiement
        </button>
      )}
      {attempt?.resumable && (
        <button className="button" type="submit" name="resume" value={attempt.reference}>
          Reprendre ce paiement
        </button>
      )}
      {step !== 'success' && step !== 'found' && (
        <BusyButton
          label={
            step === 'pending' ? (
              'Vérifier ce paiement'
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
