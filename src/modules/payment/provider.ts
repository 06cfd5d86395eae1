/** What a provider says when asked about one payment. Never thrown: whatever goes wrong is `unknown`, and asked again later. */
export type Verification =
  | { kind: 'succeeded'; amount: number; currency: string; providerTransactionId?: string; method?: string; raw: unknown }
  | { kind: 'failed' | 'cancelled' | 'expired' | 'refunded'; reason?: string; raw: unknown }
  | { kind: 'pending' | 'not_found' | 'mismatch'; raw: unknown }
  /** Time-out, 5xx, not JSON. `retryAfterSeconds`: the provider asked for patience (429). */
  | { kind: 'unknown'; cause: string; retryAfterSeconds?: number };

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
  /** No answer, or one that proves nothing ("duplicate"): the payment may be open there. */
  | { kind: 'unknown'; cause: string };

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
  /** The provider's event id, or a hash of provider, reference and content. */
  eventKey: string;
}

export type NotificationHeaders = Record<string, string | string[] | undefined>;

export interface PaymentProvider {
  /** Lowercase name: in addresses, in the database, and as the payment method's label. */
  readonly slug: string;
  /** Starts each of our references with this provider. */
  readonly referencePrefix: string;
  /** Its notifications carry signatures, so that one without is not acted upon. */
  readonly signsNotifications: boolean;
  /** Address of its widget's script, fetched when the payment dialog opens; null for a provider that redirects. */
  readonly widgetScript: string | null;
  /** Origins of its script, frames and checkout pages, for the content security policy. */
  readonly browserOrigins: readonly string[];
  start(request: CheckoutRequest): Promise<Checkout>;
  verify(attempt: Attempt): Promise<Verification>;
  /** From the raw bytes: a signature does not survive parsing. Never throws. */
  readNotification(rawBody: Buffer, headers: NotificationHeaders): Promise<ProviderNotification>;
}
