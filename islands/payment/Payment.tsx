import { type FormEvent, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { type OpenRequest, Slot, useOpenRequest } from '../runtime/context.tsx';
import { Alert } from '../ui/Alert.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { AnotherPayment } from './AnotherPayment.tsx';
import { createCheckout } from './checkout.ts';
import { checkoutBrowser } from './checkout-browser.ts';
import type { CheckoutSettings, PaymentTile, Prepa } from './checkout-contract.ts';
import { MeansChoices } from './MeansChoices.tsx';
import { OpenAlready } from './OpenAlready.tsx';
import { PaymentActions } from './PaymentActions.tsx';
import { PaymentContents } from './PaymentContents.tsx';
import { PaymentSummary } from './PaymentSummary.tsx';
import { SimulationChoices } from './SimulationChoices.tsx';
import { useContents } from './use-contents.ts';

export interface PaymentProps extends CheckoutSettings {
  /** The prepa whose payment dialog is open in the page's HTML, or null: the opener names the prepa. */
  prepa: Prepa | null;
  /** The end of a new access, for openers that do not give one. */
  fin: string;
  means: readonly PaymentTile[];
}

/** The payment dialog, from the confirmation to the result. Without script, a form leads to the provider's page. */
export default function Payment({ prepa: given, fin, means, ...settings }: PaymentProps) {
  const { simulation } = settings;
  const request = useOpenRequest();
  const prepa = (request && requestedPrepa(request)) ?? given;
  const contents = useContents(prepa);
  const dialog = useRef<HTMLDialogElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const [checkout] = useState(() =>
    createCheckout(
      settings,
      checkoutBrowser(() => dialog.current),
      given ? 'idle' : 'loading',
      given,
    ),
  );
  const { step, notice, fullPage, attempt, again } = useSyncExternalStore(checkout.subscribe, checkout.state, checkout.state);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each request opens the dialog again, even for the same prepa
  useEffect(() => {
    // The learner may have chosen a provider before this script was loaded.
    if (form.current) checkout.choose(String(new FormData(form.current).get('provider') ?? ''));
    if (prepa) checkout.open(prepa);
  }, [checkout, request]);

  function submit(event: FormEvent<HTMLFormElement>): void {
    if (fullPage) return;
    event.preventDefault();
    const { submitter } = event.nativeEvent as SubmitEvent;
    const pressed = submitter?.getAttribute('name');
    if (step === 'pending' || pressed === 'verify') checkout.verify();
    else if (attempt) checkout.pay(undefined, pressed === 'anotherAttempt' ? 'another' : 'resume');
    else checkout.pay(String(new FormData(event.currentTarget).get('simulationStatus') ?? ''));
  }

  const back = prepa?.continuer && (step === 'idle' || step === 'loading') && !again ? `/user/prepa/${prepa.id}` : null;
  const choices = !simulation && <MeansChoices step={step} tiles={means} chosen={checkout.chosen()} onChoose={checkout.choose} />;
  return (
    <Dialog
      ref={dialog}
      className="payment"
      id="payment-title"
      title="Confirmer l'inscription"
      open={given !== null}
      closeHref="/user/dashboard"
      onClose={() => {
        checkout.abandon();
        forgetAddress();
      }}
    >
      <div className="dialog__body">
        <OpenAlready prepa={prepa} linked={back === null} />
        <PaymentSummary prepa={prepa} fin={fin} montant={attempt?.montant ?? prepa?.prix} />
        <div className="payment__state" aria-live="polite">
          {notice && <Alert notice={notice} />}
        </div>
        {simulation && <SimulationChoices form="payment-form" />}
        {attempt ? (
          <AnotherPayment attempt={attempt} prix={prepa?.prix}>
            {choices}
          </AnotherPayment>
        ) : (
          choices
        )}
        <details className="accordion__item payment__more">
          <summary>Contenu et conditions</summary>
          <PaymentContents contents={contents} />
          <div className="payment__conditions" hidden={!['loading', 'idle', 'processing'].includes(step)}>
            <Slot name="conditions" />
          </div>
        </details>
      </div>
      <form ref={form} className="dialog__actions" id="payment-form" method="post" action="/api/payment/start" onSubmit={submit}>
        <input type="hidden" name="prepaId" value={prepa?.id ?? ''} suppressHydrationWarning />
        <PaymentActions step={step} fullPage={fullPage} attempt={attempt} again={again} prix={prepa?.prix ?? ''} back={back} />
      </form>
    </Dialog>
  );
}

function requestedPrepa({ prepaId, nom, prix, montant, acces, fin }: OpenRequest): Prepa | null {
  return prepaId && nom && prix ? { id: Number(prepaId), nom, prix, montant: Number(montant), acces, fin } : null;
}

/** Removes the query parameter, so that a reload does not open the dialog again. */
function forgetAddress(): void {
  const url = new URL(location.href);
  if (!url.searchParams.has('paiement')) return;
  url.searchParams.delete('paiement');
  history.replaceState(history.state, '', url);
}
