import { BusyButton } from '../ui/BusyButton.tsx';
import type { PaymentState } from './payment-state.ts';

interface PaymentActionsProps extends Omit<PaymentState, 'notice'> {
  prix: string;
  /** Address of the prepa that is open already, if going there is the first choice. */
  back: string | null;
}

/** The dialog's buttons. Each has a name and value, so that the form works without script too. */
export function PaymentActions({ step, fullPage, attempt, again, prix, back }: PaymentActionsProps) {
  const busy = step === 'loading' || step === 'processing';
  return (
    <>
      {/* inert while the payment starts, so that the second click of a double click does not cancel it. The close button still works. */}
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
                {again && 'Réessayer'}
                <span className={again ? 'visually-hidden' : undefined}>
                  {again ? ' de payer ' : 'Payer '}
                  <span data-fill="prix" suppressHydrationWarning>
                    {prix}
                  </span>
                </span>
              </>
            )
          }
          busyLabel={step === 'loading' ? 'Chargement...' : 'Traitement...'}
          busy={busy}
          disabled={busy}
          className={back ? 'button button--secondary' : 'button'}
        />
      )}
      {back && (
        <a className="button" href={back}>
          Continuer la préparation
        </a>
      )}
    </>
  );
}
