/**
 * What a provider says when asked about one payment. Never thrown: whatever goes wrong is `unknown`, and asked again later.
 * `payerPhone` is as the provider writes it; only its last digits are kept.
 */
export type Verification =
  | ({ kind: 'succeeded'; raw: unknown } & Taken)
  /** Paid, and a part of it given back since. */
  | {
      kind: 'partly_refunded';
      /** Null: another amount or currency than ours. */
      taken: Taken | null;
      /** What was given back in all so far, in whole units; null: the provider does not say how much. */
      returned: number | null;
      raw: unknown;
    }
  | { kind: 'failed' | 'cancelled' | 'expired' | 'refunded'; reason?: string; raw: unknown }
  | { kind: 'pending' | 'not_found' | 'mismatch'; raw: unknown }
  /** A trial payment, made with the provider's test keys, where only real money counts. */
  | { kind: 'sandbox'; raw: unknown }
  /** Less than the amount has been paid so far; the rest may come. */
  | { kind: 'incomplete'; raw: unknown }
  /** Time-out, 5xx, not JSON. `retryAfterSeconds`: the provider is left alone for as long, because it fails or has asked for it (429). `keyRefused`: it does not know us. */
  | { kind: 'unknown'; cause: string; retryAfterSeconds?: number; keyRefused?: true };

/** A payment that has been made. */
export interface Taken {
  /** In whole units of the currency. */
  amount: number;
  currency: string;
  providerTransactionId?: string;
  method?: string;
  payerPhone?: string;
  statement?: Statement;
}

/** What a provider's statement of account will say of a payment beside its amount, as it says it itself; null: it does not. */
export interface Statement {
  /** What the provider keeps, in whole units of the currency. */
  fee: number | null;
  /** What the payer was charged in all, in whole units. */
  amountCharged: number | null;
  completedAt: Date | null;
}

/** What a provider needs to open a payment. Amounts are whole units of the currency (XAF has no minor unit). */
export interface CheckoutRequest {
  reference: string;
  amount: number;
  currency: string;
  /** What the payer reads. */
  note: string;
  payer: { email: string };
  urls: { notification: string; success: string; cancel: string };
}

/** How the payer gets to the provider: its widget with a full-page address beside it, or a redirect alone. */
export type Checkout =
  | { kind: 'widget'; script: string; options: Record<string, string | number>; checkoutUrl: string }
  | { kind: 'redirect'; redirectUrl: string; providerTransactionId?: string }
  /** The provider refused the call; nothing was opened. */
  | { kind: 'refused'; reason: string }
  /** Our reference is open there already, and its checkout address has been served, which happens once: the attempt cannot be gone on with. */
  | { kind: 'taken' }
  /** No answer, or one that proves nothing: the payment may be open there. `retryAfterSeconds` as above. */
  | { kind: 'unknown'; cause: string; retryAfterSeconds?: number };

/** The attempt as our own row has it: what a provider's answer is compared with. */
export interface Attempt {
  reference: string;
  amount: number;
  currency: string;
  providerTransactionId: string | null;
}

export interface ProviderNotification {
  /** Candidates for our reference, best first; bounded, without control characters. Empty when none can be read. */
  references: string[];
  /** A valid signature over the raw bytes. */
  signed: boolean;
  /** The provider's event id where a signature vouches for it, or a hash of provider and what tells two notifications apart. */
  eventKey: string;
  /** The provider's own id of the payment, for support's search. No candidate: nothing vouches for it. */
  providerTransactionId?: string;
}

export type NotificationHeaders = Record<string, string | string[] | undefined>;

/** How a provider has answered lately, in this process. */
export interface ProviderHealth {
  slug: string;
  /** Open: it fails, and is left alone. Half-open: one call is trying it again. */
  breaker: 'closed' | 'open' | 'half-open';
  /** Calls in a row that have failed. */
  failures: number;
  /** Since when the breaker is what it is. */
  since: Date;
  /** Why the last call that failed did; null when none has. */
  lastFailure: string | null;
  /** It has asked us to wait (429) until then; null: it has not. */
  waitsUntil: Date | null;
}

export interface PaymentProvider {
  /** Lowercase name: in addresses, in the database, and as the payment method's label. */
  readonly slug: string;
  /** What the learner who chooses reads, in French. */
  readonly label: string;
  /** Starts each of our references with this provider. */
  readonly referencePrefix: string;
  /** Its notifications carry signatures, so that one without is not acted upon. */
  readonly signsNotifications: boolean;
  /** Where the signature stands, in lowercase, so that it is kept with the notification; null for a provider that does not sign. */
  readonly signatureHeader: string | null;
  /** Its verification tells of refunds, so that a payment that has succeeded is asked about again now and then. */
  readonly reportsRefunds: boolean;
  /** Address of its widget's script, fetched when the payment dialog opens; null for a provider that redirects. */
  readonly widgetScript: string | null;
  /** Whether a checkout opens as often as it is asked to; otherwise its address serves once. */
  readonly reopens: boolean;
  /** Origins of its script, frames and checkout pages, for the content security policy. */
  readonly browserOrigins: readonly string[];
  /** Where it is called, first, and where payers are sent: looked at by `prepa doctor`. */
  readonly addresses: readonly [string, ...string[]];
  /** What one use of it may take, in ms. */
  readonly timeoutMs: number;
  /**
   * Plays the payer at its simulator, for the trial page, with the widget's options; null where no simulator can be played.
   * @throws Error when none answers
   */
  readonly playPayer: ((options: Record<string, string | number>, choice: 'success' | 'failure') => Promise<void>) | null;
  start(request: CheckoutRequest): Promise<Checkout>;
  verify(attempt: Attempt): Promise<Verification>;
  /** From the raw bytes: a signature does not survive parsing. Never throws. */
  readNotification(rawBody: Buffer, headers: NotificationHeaders): Promise<ProviderNotification>;
  health(): ProviderHealth;
}
