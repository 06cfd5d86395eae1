import type { FastifyReply } from 'fastify';
import type { Config } from '../../../platform/settings/config.ts';
import { formatDate } from '../../../shared/dates.ts';
import { escapeHtml } from '../../../shared/escapes.ts';
import { paymentMeans } from '../contract/provider.ts';
import { providerName } from '../providers/provider.definitions.ts';
import type { PaymentProviders } from '../providers/provider.registry.ts';
import type { Settlement } from '../settlement/settle.service.ts';
import { type OpenAttempt, presentOpenAttempt } from './open-attempts.ts';
import { refusalHelp } from './refusal.presenter.ts';
import { canSimulate } from './simulation.ts';
import type { StartedPayment } from './start.service.ts';

/**
 * Returns the data that opens the provider's widget, or the address of its page. `attempt` is what the dialog shows if the learner
 * comes back without having paid; `open` is an earlier attempt that must be shown first.
 */
export function presentStarted({ payment, checkout, open: count }: StartedPayment, providers: PaymentProviders) {
  const { reference, amount, currency, provider } = payment;
  const attempt = presentOpenAttempt(providers, { ...payment, open: Math.max(count, 1) });
  const started = { reference, amount, currency, provider, attempt, ...(count > 0 ? { open: attempt } : {}) };
  if (checkout.kind === 'held') return { ...started, open: attempt };
  if (checkout.kind === 'redirect') return { ...started, redirectUrl: checkout.redirectUrl };
  const { script, options, checkoutUrl } = checkout;
  return { ...started, widget: { script, options }, checkoutUrl };
}

const messages = {
  success: 'Paiement réussi !',
  pending: "Votre paiement est en cours de vérification. Il ajoutera 30 jours d'accès dès sa confirmation.",
  failed: 'Paiement échoué ou annulé',
} as const;

/** Shown when the prepa was deleted. Money that arrives later is refunded manually: the payment is under review. */
export const prepaGone = "Cette préparation n'existe plus. Si vous avez payé, contactez le support : vous serez remboursé.";

export function presentSettlement({ status, payment }: Settlement) {
  const prepaId = payment.prepa ?? null;
  const message = prepaId === null && status === 'pending' ? prepaGone : messages[status];
  return {
    status,
    reference: payment.reference,
    prepaId,
    message,
    help: payment.status === 'failed' ? refusalHelp(payment.refusal) : null,
  };
}

interface PaymentDialog {
  /** The prepa to pay for, when the page opens with the dialog open; null when the button that opens the dialog chooses the prepa. */
  prepa: {
    id: number;
    nom: string;
    prix: string;
    montant: number;
    acces?: string | undefined;
    fin?: string | undefined;
    continuer?: boolean | undefined;
    contents?: { contenu: string | null; mise_a_jour: string | null } | undefined;
  } | null;
  /** End of the access that a payment made now would open for a prepa without enrolment. */
  until: Date;
  /** Whether the page is the trial page, which offers the simulation if the settings allow it. */
  trial: boolean;
  /** The learner's open attempts by prepa, as far as the page knows them. The server checks again when a payment starts. */
  attempts?: Record<number, OpenAttempt>;
}

/** Returns the props of the payment dialog on a learner's page. */
export function presentPaymentDialog(
  { config, providers }: { config: Config; providers: PaymentProviders },
  { prepa, until, trial, attempts = {} }: PaymentDialog,
) {
  return {
    simulation: trial && canSimulate(config, providers),
    signedIn: true,
    prepa,
    fin: formatDate(until),
    providers: providers.list().map(({ slug, label, widgetScript }) => ({ slug, label, script: widgetScript })),
    means: presentMeans(providers),
    attempts,
  };
}

/** Returns the tiles of the dialog: each means once for every provider that takes it. */
const presentMeans = (providers: PaymentProviders) =>
  paymentMeans.flatMap(({ slug: means, name }) =>
    providers
      .list()
      .filter((provider) => provider.means.includes(means))
      .map(({ slug }) => ({ name, provider: slug, providerName: providerName(slug) })),
  );

/** Returns the HTML of the payment dialog on a learner's page. */
export const paymentDialog = (
  reply: FastifyReply,
  kernel: { config: Config; providers: PaymentProviders },
  dialog: PaymentDialog,
): string => reply.island('payment', presentPaymentDialog(kernel, dialog), { conditions: conditions(kernel.config.site) });

/** Returns the payment conditions as HTML. They are part of the page, so that no script has to carry them. */
function conditions({ supportPhone, supportEmail }: Config['site']): string {
  const phone = supportPhone.replace(/[^+\d]/g, '');
  const asked = phone
    ? `Appelez le <a href="tel:${phone}">${escapeHtml(supportPhone.replaceAll(' ', '\u00a0'))}</a>.`
    : `Écrivez à <a href="mailto:${escapeHtml(supportEmail)}">${escapeHtml(supportEmail)}</a>.`;
  return `<ul><li>Un seul paiement, sans renouvellement automatique.</li><li>Vous le confirmez avec votre propre code, sur votre téléphone.</li><li>Une question ? ${asked}</li></ul>`;
}
