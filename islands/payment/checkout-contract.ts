import type { Answer } from '../runtime/post.ts';
import type { ToastKind } from '../ui/toast.ts';
import type { OpenAttempt } from './payment-state.ts';

/** What one page's payments are given, and what the server answers them. */

export interface Prepa {
  id: number;
  nom: string;
  /** '15 000 XAF' */
  prix: string;
  /** In XAF. */
  montant: number;
  /** '22 novembre 2026': until when the prepa is open to the payer already. */
  acces?: string | undefined;
  /** '22 décembre 2026', beside `acces`: until when one more payment opens it. */
  fin?: string | undefined;
  /** Where the page knows it. */
  contents?: Contents | undefined;
}

/** What a prepa holds, as the server says it: '18 leçons, 24 exercices', '22 novembre 2026'; nulls of one without contents. */
export interface Contents {
  contenu: string | null;
  mise_a_jour: string | null;
}

/** The provider's widget, as its script leaves it in the page. */
export interface Widget {
  pay(options: Record<string, unknown>): unknown;
  closePopup?(): void;
}

/** What the server answers for a widget: its script, and what it is opened with. */
export interface WidgetOffer {
  script: string;
  options: Record<string, unknown>;
}

/** What a payment needs from the browser; another one in tests. */
export interface CheckoutBrowser {
  post<Body>(path: string, body: object): Promise<Answer<Body> | null>;
  loadScript(address: string): Promise<void>;
  widget(): Widget | undefined;
  showDialog(): void;
  hideDialog(): void;
  toast(kind: ToastKind, message: string): void;
  /** Runs something later and returns how to call it off. */
  later(ms: number, run: () => void): () => void;
  /** Runs something whenever the payer is back on the page, from the telephone's own approval for instance. */
  onReturn(run: () => void): void;
  address(): { pathname: string; search: string };
  go(address: string): void;
}

/** A provider that the learner may pay with. */
export interface ProviderChoice {
  slug: string;
  label: string;
  /** Its widget's script, fetched once it is chosen; null for one that redirects. */
  script: string | null;
}

export interface CheckoutSettings {
  /** The choices of the trial page's demonstration decide, and no widget opens. */
  simulation: boolean;
  signedIn: boolean;
  /** The default first; it is chosen until another one is. */
  providers: readonly ProviderChoice[];
  /** Payments that the page knows to be open already, by prepa; the server says of others when one is started. */
  attempts?: Readonly<Record<number, OpenAttempt>>;
}

/** What the payer wants: to pay, to go on with the payment that they are shown, or to have another one beside it. */
export type Intent = 'new' | 'resume' | 'another';

/** What the server answers to a start. */
export interface Started {
  /** It was begun before. */
  open?: OpenAttempt;
  reference: string;
  widget: WidgetOffer;
  checkoutUrl: string;
  redirectUrl: string;
}

/** What it answers to a verification. */
export interface Processed {
  status: string;
  reference: string;
}
