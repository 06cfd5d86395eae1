import type { Notice } from '../ui/Alert.tsx';

/** The state of the payment dialog; `docs/components.md` shows each step. */
export interface PaymentState {
  step: 'loading' | 'idle' | 'found' | 'processing' | 'pending' | 'success';
  notice: Notice | null;
  /** The widget is unavailable: the button submits the form, which leads to the provider's own page. */
  fullPage: boolean;
  /** The open payment of step 'found', shown before another payment starts. */
  attempt: OpenAttempt | null;
  /** The payer's account has refused a payment: the button offers another try. */
  again: boolean;
}

/** An open payment, as presented by the server. */
export interface OpenAttempt {
  reference: string;
  provider: string;
  label: string;
  /** '15 000 XAF' */
  montant: string;
  /** '21 novembre 2026 à 14:32' */
  begun: string;
  /** Whether the payment page can be opened again; otherwise the payment can only be verified. */
  resumable: boolean;
  /** Whether another payment is allowed besides it. */
  mayBeginAnother: boolean;
  /** A text about other open payments for this prepa, or null. */
  autres: string | null;
}

export type PaymentEvent =
  /** The dialog opens; `loading`: the provider's script is being loaded. */
  | { type: 'opened'; loading: boolean }
  | { type: 'script-loaded' }
  | { type: 'script-failed' }
  | { type: 'paying' }
  /** An open payment was found. `message`: the result of the last check. */
  | { type: 'found'; attempt: OpenAttempt; message?: string | undefined }
  /** No payment is known to be paid: the dialog returns to its first step. `again`: the payer's account has refused it. */
  | { type: 'refused'; message: string; detail?: string | undefined; fullPage?: boolean; again?: boolean }
  /** The payer closed the widget; 'left-for-good': there was still no result two seconds later. */
  | { type: 'left' }
  | { type: 'left-for-good' }
  | { type: 'checking' }
  /** `adds`: the payer already has access. */
  | { type: 'pending'; adds: boolean }
  /** A payment may have happened, but the server could not verify it. */
  | { type: 'unchecked'; message: string }
  | { type: 'succeeded' };

export const texts = {
  success: 'Paiement réussi !',
  failed: 'Paiement échoué ou annulé',
  scriptFailed: 'Erreur de chargement du système de paiement',
  startFailed: "Erreur lors de l'initialisation du paiement",
  activationFailed: "Erreur lors de l'activation de l'inscription",
  unavailable: 'Système de paiement non disponible. Veuillez réessayer.',
  expired: 'Session expirée. Veuillez vous reconnecter.',
  signInFirst: 'Vous devez être connecté pour effectuer un paiement',
  simulationFailed: 'Échec du paiement.',
  simulationBroken: 'Erreur lors du traitement du paiement.',
  found: 'Un paiement est déjà commencé',
  notYet: "Le prestataire n'a pas encore confirmé ce paiement.",
  closed: 'Si vous avez déjà payé, votre paiement sera traité automatiquement.',
} as const;

const notice = (kind: Notice['kind'], message: string, detail?: string): Notice => ({ kind, message, detail });
const inHand = notice('info', 'Validez le paiement sur votre téléphone.');
const onItsPage = 'Vous pouvez continuer : le paiement se fera sur la page du prestataire.';
const waiting = (adds: boolean) =>
  notice(
    'info',
    `Votre paiement est en cours de vérification. Vous pouvez fermer cette fenêtre : ${adds ? "30 jours s'ajouteront à votre accès" : "l'accès s'ouvrira"} dès sa confirmation.`,
  );

/** Describes an open payment, and why its page may not open again. */
function begunBefore({ montant, label, begun, resumable, autres }: OpenAttempt, message: string): Notice {
  const said = `${montant} avec ${label}, le ${begun}.`;
  const once =
    "Sa page ne s'ouvre qu'une fois. Si une demande attend sur votre téléphone, validez-la, puis vérifiez ici. Sans paiement, il expire de lui-même.";
  return notice('warning', message, [said, ...(resumable ? [] : [once]), ...(autres ? [autres] : [])].join(' '));
}

/** @param attempt the open payment known to the page */
export const initialPayment = (step: 'loading' | 'idle', attempt: OpenAttempt | null = null): PaymentState =>
  attempt
    ? { step: 'found', notice: begunBefore(attempt, texts.found), fullPage: false, attempt, again: false }
    : { step, notice: null, fullPage: false, attempt, again: false };

/** Returns the next state. Events that do not fit the current step, such as late responses and second clicks, change nothing. */
export function reducePayment(state: PaymentState, event: PaymentEvent): PaymentState {
  const { step } = state;
  const to = (next: PaymentState['step'], said: Notice | null = null, fullPage = false): PaymentState => ({
    step: next,
    notice: said,
    fullPage,
    attempt: null,
    again: false,
  });
  switch (event.type) {
    case 'opened':
      return to(event.loading ? 'loading' : 'idle');
    case 'script-loaded':
      return step === 'loading' ? to('idle') : state;
    case 'script-failed':
      return step === 'loading' || step === 'processing' ? to('idle', notice('error', texts.scriptFailed, onItsPage), true) : state;
    case 'paying':
      return step === 'idle' || step === 'found' ? to('processing', inHand) : state;
    case 'found':
      if (step === 'success') return state;
      return { ...to('found', begunBefore(event.attempt, event.message ?? texts.found)), attempt: event.attempt };
    case 'refused':
      if (step === 'success') return state;
      return {
        ...to('idle', notice('error', event.message, event.fullPage ? onItsPage : event.detail), event.fullPage),
        again: event.again ?? false,
      };
    case 'left':
      return step === 'processing' ? to('idle') : state;
    case 'left-for-good':
      return step === 'idle' && state.notice === null ? to('idle', notice('warning', texts.closed)) : state;
    case 'checking':
      return step === 'success' ? state : to('processing', inHand);
    case 'pending':
      return step === 'success' ? state : to('pending', waiting(event.adds));
    case 'unchecked':
      return step === 'success' ? state : to('pending', notice('error', event.message, texts.closed));
    case 'succeeded':
      return to('success', notice('success', texts.success));
  }
}

/** Returns the address to load after a payment: without the payment parameter, and for a trial the same content of the full prepa. */
export function addressAfterPayment(pathname: string, search: string): string {
  const trial = '/user/prepa/consultation/';
  if (pathname.startsWith(trial)) return `/user/prepa/${pathname.slice(trial.length)}${search}`;
  return pathname;
}
