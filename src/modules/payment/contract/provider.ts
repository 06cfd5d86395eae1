/**
 * A provider's answer about one payment. Adapters do not throw: every error is `unknown`, and the payment is verified again later.
 * `payerPhone` is as the provider writes it; only its last digits are stored.
 */
export type Verification =
  | ({ kind: 'succeeded'; raw: unknown } & Taken)
  /** Paid, and partly refunded since. */
  | {
      kind: 'partly_refunded';
      /** Null: the amount or currency differs from ours. */
      taken: Taken | null;
      /** Total refunded so far, in whole units; null when the provider does not give it. */
      returned: number | null;
      raw: unknown;
    }
  /** `reason` is the provider's own text; learners are shown what `readRefusal` finds in it. */
  | { kind: 'failed' | 'cancelled' | 'expired' | 'refunded'; reason?: string; raw: unknown }
  | { kind: 'pending' | 'not_found' | 'mismatch'; raw: unknown }
  /** A test payment, made with the provider's test keys, where only real money is accepted. */
  | { kind: 'sandbox'; raw: unknown }
  /** Less than the amount has been paid so far; the rest may follow. */
  | { kind: 'incomplete'; raw: unknown }
  /**
   * Timeout, 5xx or not JSON. `retryAfterSeconds`: the provider is paused for this time, because it fails or requested it (429).
   * `keyRefused`: it does not accept our key.
   */
  | { kind: 'unknown'; cause: string; retryAfterSeconds?: number; keyRefused?: true };

/** A completed payment. */
export interface Taken {
  /** Paid amount, in whole units of the currency. */
  amount: number;
  currency: string;
  providerTransactionId?: string;
  method?: string;
  payerPhone?: string;
  statement?: Statement;
}

/** Figures of the provider's statement of account, as far as the provider gives them; null when it does not. */
export interface Statement {
  /** The provider's fee, in whole units of the currency. */
  fee: number | null;
  /** Total charged to the payer, in whole units. */
  amountCharged: number | null;
  completedAt: Date | null;
}

/** The data that a provider needs to open a payment. Amounts are whole units of the currency (XAF has no minor unit). */
export interface CheckoutRequest {
  reference: string;
  amount: number;
  currency: string;
  /** Description shown to the payer. */
  note: string;
  payer: { email: string };
  urls: { notification: string; success: string; cancel: string };
}

/** How the payer reaches the provider: a widget, with the address of a full page as alternative, or only a redirect. */
export type Checkout =
  | { kind: 'widget'; script: string; options: Record<string, string | number>; checkoutUrl: string }
  | { kind: 'redirect'; redirectUrl: string; providerTransactionId?: string }
  /** The provider refused the call; no payment was opened. */
  | { kind: 'refused'; reason: string }
  /** Our reference is already open at the provider, and its one-time checkout address was handed out: the attempt cannot be resumed. */
  | { kind: 'taken' }
  /** No usable response: the payment may be open at the provider. `retryAfterSeconds` as above. */
  | { kind: 'unknown'; cause: string; retryAfterSeconds?: number };

/** The fields of our payment row with which a provider's answer is compared. */
export interface Attempt {
  reference: string;
  amount: number;
  currency: string;
  providerTransactionId: string | null;
}

export interface ProviderNotification {
  /** Candidates for our reference, best first, of limited length and without control characters. Empty when the body has none. */
  references: string[];
  /** Whether the signature over the raw bytes is valid. */
  signed: boolean;
  /**
   * Identifies repeated notifications: the provider's event id if it is signed, otherwise a hash of the provider and the
   * distinguishing fields.
   */
  eventKey: string;
  /** The provider's own id of the payment, only for support's search. It is unsigned, so it is not used to find the payment. */
  providerTransactionId?: string;
}

export type NotificationHeaders = Record<string, string | string[] | undefined>;

/** The provider's recent availability, as seen by this process. */
export interface ProviderHealth {
  slug: string;
  /** 'open': the provider fails and is paused. 'half-open': one call is testing it. */
  breaker: 'closed' | 'open' | 'half-open';
  /** Consecutive failed calls. */
  failures: number;
  /** Time of the breaker's last change. */
  since: Date;
  /** Cause of the last failed call; null when none has failed. */
  lastFailure: string | null;
  /** End of the pause that the provider requested (429); null when there is none. */
  waitsUntil: Date | null;
}

/** The means that a provider may take, with the French names by which learners know them, in the order of the payment dialog. */
export const paymentMeans = [
  { slug: 'mtn', name: 'MTN MoMo' },
  { slug: 'orange', name: 'Orange Money' },
  { slug: 'card', name: 'Carte' },
] as const;
type PaymentMeans = (typeof paymentMeans)[number]['slug'];

export interface PaymentProvider {
  /** Lowercase name, used in addresses, in the database, and as name of the payment method. */
  readonly slug: string;
  /** French label of the choice for learners. */
  readonly label: string;
  /** What a learner can pay with. The payment dialog has one tile for each, with the provider's name. */
  readonly means: readonly [PaymentMeans, ...PaymentMeans[]];
  /** Prefix of all our references at this provider. */
  readonly referencePrefix: string;
  /** Whether its notifications are signed. An unsigned one is then never acted upon. */
  readonly signsNotifications: boolean;
  /** Name of the signature's header in lower case, so that it is stored with the notification; null when the provider does not sign. */
  readonly signatureHeader: string | null;
  /** Whether its verification reports refunds. Succeeded payments are then checked for refunds during 30 days. */
  readonly reportsRefunds: boolean;
  /** Address of its widget's script, loaded when the payment dialog opens; null for a provider that redirects. */
  readonly widgetScript: string | null;
  /** Whether a checkout can be opened several times; otherwise its address works once. */
  readonly reopens: boolean;
  /** Origins of its scripts, frames and checkout pages, for the content security policy. */
  readonly browserOrigins: readonly string[];
  /** The API's address first, then the addresses to which payers are sent. Checked by `prepa doctor`. */
  readonly addresses: readonly [string, ...string[]];
  /** Longest time of one operation, in ms. */
  readonly timeoutMs: number;
  /**
   * Simulates the payer at the provider's simulator, with the widget's options, for the trial page; null when there is no such
   * simulator.
   * @throws Error when no simulator responds
   */
  readonly playPayer: ((options: Record<string, string | number>, choice: 'success' | 'failure') => Promise<void>) | null;
  start(request: CheckoutRequest): Promise<Checkout>;
  verify(attempt: Attempt): Promise<Verification>;
  /** Reads a notification from its raw bytes, over which the signature is computed. Never throws. */
  readNotification(rawBody: Buffer, headers: NotificationHeaders): Promise<ProviderNotification>;
  health(): ProviderHealth;
}
