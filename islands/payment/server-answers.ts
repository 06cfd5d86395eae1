import type { Answer } from '../runtime/post.ts';
import { isOffline, withoutNetwork } from '../runtime/without-network.ts';
import type { Intent, Processed, Started, WidgetOffer } from './checkout-contract.ts';
import { type OpenAttempt, texts } from './payment-state.ts';

/** The result of starting a payment. */
type StartOutcome =
  | { what: 'signed out' }
  /** The open payment has turned out to be paid. */
  | { what: 'paid' }
  | { what: 'refused'; detail: string | undefined }
  | { what: 'found'; attempt: OpenAttempt }
  /** The payment opens in the provider's widget or at an address. With neither, it cannot be paid. */
  | { what: 'started'; reference: string; widget: WidgetOffer | undefined; address: string | undefined };

/**
 * Reads the response to a start.
 * @param slug the requested provider @param known reference of the open payment that the payer has been shown or has begun here
 */
export function readStart(
  answer: Answer<Started> | null,
  slug: string | undefined,
  intent: Intent,
  known: string | undefined,
): StartOutcome {
  if (answer?.status === 401) return { what: 'signed out' };
  if (answer?.status === 409) return { what: 'paid' };
  const body: Answer<Started>['body'] = answer?.body ?? {};
  if (!answer?.ok || !body.reference) return { what: 'refused', detail: startDetail(answer) };
  const { open, reference, widget, checkoutUrl, redirectUrl } = body;
  // An open payment that the payer knows and means is continued; any other is shown first.
  const meant = intent === 'resume' || (intent === 'new' && reference === known);
  if (open && !(meant && open.provider === slug && (widget ?? redirectUrl))) return { what: 'found', attempt: open };
  return { what: 'started', reference, widget, address: checkoutUrl ?? redirectUrl };
}

/** Returns the details besides the specification's sentence: the server's message, or that the network failed. */
function startDetail(answer: Answer | null): string | undefined {
  if (!answer)
    return `${isOffline() ? withoutNetwork : 'Le réseau ne répond pas.'} Rien n'a été débité : vérifiez votre connexion, puis réessayez.`;
  return answer.body.message === texts.startFailed ? undefined : answer.body.message;
}

/** Returns the payment's status; 'unknown' if the server could not verify it. */
export function statusOf(answer: Answer<Processed> | null): 'success' | 'failed' | 'pending' | 'signed out' | 'unknown' {
  if (answer?.status === 401) return 'signed out';
  const { status } = answer?.ok ? answer.body : {};
  return status === 'success' || status === 'failed' || status === 'pending' ? status : 'unknown';
}
