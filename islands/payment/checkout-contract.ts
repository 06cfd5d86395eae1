import type { Answer } from '../runtime/post.ts';
import type { ToastKind } from '../ui/toast.ts';
import type { OpenAttempt } from './payment-state.ts';

/** Types of the payment's settings, of the browser's functions and of the server's responses. */

export interface Prepa {
  id: number;
  nom: string;
  /** '15 000 XAF' */
  prix: string;
  /** Price in XAF. */
  montant: number;
  /** '22 novembre 2026': the end of the payer's existing access. */
  acces?: string | undefined;
  /** '22 décembre 2026', with `acces`: the end after one more payment. */
  fin?: string | undefined;
  /** Whether the access lasts so long that 'Continuer' comes before 'Payer': the payer may follow an old notification. */
  continuer?: boolean | undefined;
  /** Undefined if the page does not know them. */
  contents?: Contents | undefined;
}

/** A prepa's contents as texts: '18 leçons, 24 exercices', '22 novembre 2026'; null for an empty prepa. */
export interface Contents {
  contenu: string | null;
  mise_a_jour: string | null;
}

/** The provider's widget, as defined by its script. */
export interface Widget {
  pay(options: Record<string, unknown>): unknown;
  closePopup?(): void;
}

/** The server's data to open a widget: the address of its script, and its options. */
export interface WidgetOffer {
  script: string;
  options: Record<string, unknown>;
}

/** Functions of the browser that a payment needs. Tests replace them. */
export interface CheckoutBrowser {
  post<Body>(path: string, body: object): Promise<Answer<Body> | null>;
  loadScript(address: string): Promise<void>;
  widget(): Widget | undefined;
  showDialog(): void;
  hideDialog(): void;
  toast(kind: ToastKind, message: string): void;
  /** Runs `run` after a delay in ms. Returns a function that cancels it. */
  later(ms: number, run: () => void): () => void;
  /** Runs `run` whenever the payer returns to the page, for example after approving on the phone. */
  onReturn(run: () => void): void;
  address(): { pathname: string; search: string };
  go(address: string): void;
}

/** A provider available to the learner. */
interface ProviderChoice {
  slug: string;
  label: string;
  /** Address of the widget's script, loaded once the provider is chosen; null for a provider that redirects. */
  script: string | null;
}

/** A means of payment at one provider, as a tile of the dialog: 'MTN MoMo', 'notchpay', 'Notch Pay'. */
export interface PaymentTile {
  name: string;
  provider: string;
  providerName: string;
}

export interface CheckoutSettings {
  /** Simulated payments: the form has the outcome, and no widget opens. */
  simulation: boolean;
  signedIn: boolean;
  /** The available providers; the first is the default. */
  providers: readonly ProviderChoice[];
  /** Open payments known to the page, by prepa. The server reports others when a payment starts. */
  attempts?: Readonly<Record<number, OpenAttempt>>;
}

/** The payer's intent: a new payment, continuing the open one, or another one besides it. */
export type Intent = 'new' | 'resume' | 'another';

/** The server's response to a start. */
export interface Started {
  /** The attempt, as it is shown if the payer comes back without having paid. */
  attempt: OpenAttempt;
  /** Present if the payment was already open. */
  open?: OpenAttempt;
  reference: string;
  widget: WidgetOffer;
  checkoutUrl: string;
  redirectUrl: string;
}

/** The server's response to a verification. */
export interface Processed {
  status: string;
  reference: string;
  /** After a refusal: the reason, if known, and what the payer can do. */
  help: string | null;
}
