import { html, page } from '../platform/html.ts';
import { delayOptions, formatAmount } from '../platform/pages.ts';
import type { Status } from './ledger.ts';
import type { Payment } from './payments.ts';

const TITLES: Partial<Record<Status, string>> = {
  complete: 'Paiement approuvé',
  incomplete: 'Paiement incomplet',
  failed: 'Paiement refusé',
  canceled: 'Paiement annulé',
  expired: 'Paiement expiré',
};

/** Returns the page on which the payer decides. It works without JavaScript. */
export function checkoutPage(payment: Payment): string {
  const content = html`<dl>
<div><dt>Montant</dt><dd>${formatAmount(payment.amount, payment.currency)}</dd></div>
<div><dt>Référence</dt><dd>${payment.ref}</dd></div>
<div><dt>Chez Notch Pay</dt><dd>${payment.transactionReference}</dd></div>
${payment.description === null ? '' : html`<div><dt>Motif</dt><dd>${payment.description}</dd></div>`}
${payment.scenario === null ? '' : html`<div><dt>Scénario</dt><dd>${payment.scenario}</dd></div>`}
</dl>
<form method="post" action="/checkout/${payment.token}/choice">
<p>Choisissez la suite de ce paiement simulé :</p>
<p><button type="submit" name="choice" value="approve" class="primary">Approuver le paiement</button></p>
<p><button type="submit" name="choice" value="decline">Refuser le paiement</button></p>
<p><button type="submit" name="choice" value="incomplete">Payer une partie seulement</button></p>
<p><label for="delay">Délai avant l'approbation</label>
<select id="delay" name="delay">${delayOptions}</select></p>
<p><button type="submit" name="choice" value="later">Approuver plus tard</button></p>
<p><button type="submit" name="choice" value="cancel">Annuler le paiement</button></p>
<p class="check"><input type="checkbox" id="leave" name="leave" value="1">
<label for="leave">Ne pas revenir au site (comme un payeur qui ferme la page)</label></p>
</form>`;
  return page('Payer avec Notch Pay', content);
}

/** Returns the last page, for a payment without a callback or a payer who chose not to return. */
export function endPage({ status }: Payment): string {
  const content = html`<p role="status">État du paiement simulé : ${status}.</p>\n<p>Vous pouvez fermer cette page.</p>`;
  return page(TITLES[status] ?? 'Paiement en attente', content);
}
