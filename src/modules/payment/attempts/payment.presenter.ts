import type { Config } from '../../../platform/settings/config.ts';
import type { PaymentProviders } from '../providers/provider.registry.ts';
import type { Settlement } from '../settlement/settle.service.ts';
import { type OpenAttempt, presentOpenAttempt } from './open-attempts.ts';
import { canSimulate } from './simulation.ts';
import type { StartedPayment } from './start.service.ts';

/** What the page needs to open the provider's widget, or where it sends the browser; `open`: what was begun before, to be shown first. */
export function presentStarted({ payment, checkout, open: count }: StartedPayment, providers: PaymentProviders) {
  const { reference, amount, currency, provider } = payment;
  const open = presentOpenAttempt(providers, { ...payment, open: count });
  const started = { reference, amount, currency, provider, ...(count > 0 ? { open } : {}) };
  if (checkout.kind === 'held') return { ...started, open };
  if (checkout.kind === 'redirect') return { ...started, redirectUrl: checkout.redirectUrl };
  const { script, options, checkoutUrl } = checkout;
  return { ...started, widget: { script, options }, checkoutUrl };
}

const messages = {
  success: 'Paiement réussi !',
  pending: "Votre paiement est en cours de vérification. L'accès s'ouvrira dès sa confirmation.",
  failed: 'Paiement échoué ou annulé',
} as const;

/** Money that came after the deletion is given back by hand: the payment waits in review. */
const prepaGone = "Cette préparation n'existe plus. Si vous avez payé, contactez le support : vous serez remboursé.";

export function presentSettlement({ status, payment }: Settlement) {
  const prepaId = payment.prepa ?? null;
  const message = prepaId === null && status === 'pending' ? prepaGone : messages[status];
  return { status, reference: payment.reference, prepaId, message };
}

interface PaymentDialog {
  /** What is paid for when the page opens with the dialog; null: whatever its opener says. */
  prepa: { id: number; nom: string; prix: string; montant: number } | null;
  /** The trial page offers the simulation choices, where the settings allow them. */
  trial: boolean;
  /** The learner's open attempts, by prepa, as far as the page knows of them; the server says of others when a payment is started. */
  attempts?: Record<number, OpenAttempt>;
}

/** Props of the payment dialog on a learner's page. */
export function presentPaymentDialog(
  { config, providers }: { config: Config; providers: PaymentProviders },
  { prepa, trial, attempts = {} }: PaymentDialog,
) {
  const choices = providers.list().map(({ slug, label, widgetScript }) => ({ slug, label, script: widgetScript }));
  return { simulation: trial && canSimulate(config, providers), signedIn: true, prepa, providers: choices, attempts };
}
