import type { FastifyReply } from 'fastify';
import type { Config } from '../../../platform/settings/config.ts';
import { formatDate } from '../../../shared/dates.ts';
import { escapeHtml } from '../../../shared/escapes.ts';
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
  pending: "Votre paiement est en cours de vérification. Il ajoutera 30 jours d'accès dès sa confirmation.",
  failed: 'Paiement échoué ou annulé',
} as const;

/** Money that came after the deletion is given back by hand: the payment waits in review. */
export const prepaGone = "Cette préparation n'existe plus. Si vous avez payé, contactez le support : vous serez remboursé.";

export function presentSettlement({ status, payment }: Settlement) {
  const prepaId = payment.prepa ?? null;
  const message = prepaId === null && status === 'pending' ? prepaGone : messages[status];
  return { status, reference: payment.reference, prepaId, message };
}

interface PaymentDialog {
  /** What is paid for when the page opens with the dialog; null: whatever its opener says. */
  prepa: {
    id: number;
    nom: string;
    prix: string;
    montant: number;
    acces?: string | undefined;
    fin?: string | undefined;
    contents?: { contenu: string | null; mise_a_jour: string | null } | undefined;
  } | null;
  /** Until when a payment made now would open what the learner is not enrolled in. */
  until: Date;
  /** The trial page offers the simulation choices, where the settings allow them. */
  trial: boolean;
  /** The learner's open attempts, by prepa, as far as the page knows of them; the server says of others when a payment is started. */
  attempts?: Record<number, OpenAttempt>;
}

/** Props of the payment dialog on a learner's page. */
export function presentPaymentDialog(
  { config, providers }: { config: Config; providers: PaymentProviders },
  { prepa, until, trial, attempts = {} }: PaymentDialog,
) {
  const choices = providers.list().map(({ slug, label, widgetScript }) => ({ slug, label, script: widgetScript }));
  return {
    simulation: trial && canSimulate(config, providers),
    signedIn: true,
    prepa,
    fin: formatDate(until),
    providers: choices,
    attempts,
  };
}

/** The HTML of the payment dialog on a learner's page. */
export const paymentDialog = (
  reply: FastifyReply,
  kernel: { config: Config; providers: PaymentProviders },
  dialog: PaymentDialog,
): string => reply.island('payment', presentPaymentDialog(kernel, dialog), { conditions: conditions(kernel.config.site) });

/** What whoever pays should know, the same for everybody: it stands in the page as HTML, so that no script carries it. */
function conditions({ supportPhone, supportEmail }: Config['site']): string {
  const phone = supportPhone.replace(/[^+\d]/g, '');
  const asked = phone
    ? `Appelez le <a href="tel:${phone}">${escapeHtml(supportPhone.replaceAll(' ', '\u00a0'))}</a>.`
    : `Écrivez à <a href="mailto:${escapeHtml(supportEmail)}">${escapeHtml(supportEmail)}</a>.`;
  return `<ul><li>Un seul paiement, sans renouvellement automatique.</li><li>Vous le confirmez avec votre propre code, sur votre téléphone.</li><li>Une question ? ${asked}</li></ul>`;
}
