import type { Answer } from '../runtime/post.ts';
import { isOffline, withoutNetwork } from '../runtime/without-network.ts';
import type { Intent, Processed, Started, WidgetOffer } from './checkout-contract.ts';
import { type OpenAttempt, texts } from './payment-state.ts';

/** What becomes of a start. */
type StartOutcome =
  | { what: 'signed out' }
  /** The attempt in hand has turned out to be paid. */
  | { what: 'paid' }
  | { what: 'refused'; detail: string | undefined }
  | { what: 'found'; attempt: OpenAttempt }
  /** It opens in the provider's widget or at an address; with neither, it cannot be paid. */
  | { what: 'started'; reference: string; widget: WidgetOffer | undefined; address: string | undefined };

/** @param slug the provider that was asked for */
export function readStart(answer: Answer<Started> | null, slug: string | undefined, intent: Intent): StartOutcome {
  if (answer?.status === 401) return { what: 'signed out' };
  if (answer?.status === 409) return { what: 'paid' };
  const body: Answer<Started>['body'] = answer?.body ?? {};
  if (!answer?.ok || !body.reference) return { what: 'refused', detail: startDetail(answer) };
  const { open, reference, widget, checkoutUrl, redirectUrl } = body;
  // What was asked for goes on; anything else is shown first.
  if (open && (intent === 'another' || open.provider !== slug || !(widget ?? redirectUrl))) return { what: 'found', attempt: open };
  return { what: 'started', reference, widget, address: checkoutUrl ?? redirectUrl };
}

/** What is known beyond the specification's sentence: the server's own words, or that the network failed. */
function startDetail(answer: Answer | null): string | undefined {
  if (!answer)
    return `${isOffline() ? withoutNetwork : 'Le réseau ne répond pas.'} Rien n'a été débité : vérifiez votre connexion, puis réessayez.`;
  return answer.body.message === texts.startFailed ? undefined : answer.body.message;
}

/** What the server says of the payment; `unknown` when it could not say. */
export function statusOf(answer: Answer<Processed> | null): 'success' | 'failed' | 'pending' | 'signed out' | 'unknown' {
  if (answer?.status === 401) return 'signed out';
  const { status } = answer?.ok ? answer.body : {};
  return status === 'success' || status === 'failed' || status === 'pending' ? status : 'unknown';
}
