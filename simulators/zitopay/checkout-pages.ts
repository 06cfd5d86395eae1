import { type Html, html, page } from '../platform/html.ts';
import { delayOptions, formatAmount } from '../platform/pages.ts';
import type { Knobs } from './knobs.ts';
import type { Transaction } from './transactions.ts';

/** The payer's action, shown on the next page. */
export type Outcome = 'approved' | 'declined' | 'closed' | 'planned';

const TITLES: Record<Outcome, string> = {
  approved: 'Paiement approuvé',
  declined: 'Paiement refusé',
  closed: 'Paiement non terminé',
  planned: 'Paiement en attente',
};

const EXPLANATIONS: Record<Outcome, string> = {
  approved: 'Le paiement simulé est approuvé.',
  declined: 'Le paiement simulé est refusé.',
  closed: "La page de paiement est fermée. Rien n'est décidé.",
  planned: "Le paiement simulé sera approuvé après le délai choisi, même si cette page n'est plus ouverte.",
};

/** Status in the widget's callback: 1 paid, -1 refused, 0 undecided. The specification treats 1 as success. */
const STATUS_HINTS: Record<Outcome, number> = { approved: 1, declined: -1, closed: 0, planned: 0 };

/** Returns the page on which the payer decides. It works without JavaScript. */
export function checkoutPage(transaction: Transaction, popup: boolean): string {
  const content = html`<dl>
<div><dt>Montant</dt><dd>${formatAmount(transaction.amount, transaction.currency)}</dd></div>
<div><dt>Bénéficiaire</dt><dd>${transaction.receiver}</dd></div>
<div><dt>Référence</dt><dd>${transaction.ref}</dd></div>
${transaction.memo === undefined ? '' : html`<div><dt>Motif</dt><dd>${transaction.memo}</dd></div>`}
</dl>
<form method="post" action="/sci/choice">
<input type="hidden" name="ref" value="${transaction.ref}">
${popup ? html`<input type="hidden" name="popup" value="1">` : ''}
<p>Choisissez la suite de ce paiement simulé :</p>
<p><button type="submit" name="choice" value="approve" class="primary">Approuver le paiement</button></p>
<p><button type="submit" name="choice" value="decline">Refuser le paiement</button></p>
<p><label for="delay">Délai avant l'approbation</label>
<select id="delay" name="delay">${delayOptions}</select></p>
<p><button type="submit" name="choice" value="approve-later">Approuver plus tard</button></p>
<p><button type="submit" name="choice" value="close">Fermer sans payer</button></p>
<p class="check"><input type="checkbox" id="leave" name="leave" value="1">
<label for="leave">Ne pas revenir au site (comme un payeur qui ferme la page)</label></p>
</form>`;
  return page('Payer', content, popup);
}

/** Returns the last page, for a payment without a return address or a payer who chose not to return. */
export function endPage(outcome: Outcome): string {
  return page(TITLES[outcome], html`<p role="status">${EXPLANATIONS[outcome]}</p>\n<p>Vous pouvez fermer cette page.</p>`);
}

/** Returns the page shown in the iframe: its script posts the message of payment-providers.md §3 to the opening page. */
export function popupReturnPage(transaction: Transaction, outcome: Outcome, knobs: Knobs, leave: boolean): string {
  const done = outcome !== 'closed' && !leave;
  const hints = knobs.doneMessage === 'full' ? { status: STATUS_HINTS[outcome], payment_method: 'simulateur' } : {};
  const message = done ? JSON.stringify({ ref: transaction.ref, ...hints }) : 'Closed by user';
  const times = knobs.successTwice && outcome === 'approved' ? 2 : 1;
  const content = html`<p role="status">${EXPLANATIONS[outcome]}</p>
<p id="message" data-func="${done ? 'zitopayDoneBuffer' : 'zitopayCloseBuffer'}" data-message="${message}" data-times="${times}">
Vous pouvez fermer cette fenêtre.</p>`;
  return page(TITLES[outcome], content, true);
}

/** Returns the documented fields sent when the browser returns. The simulator sends no more fields than in the notification. */
export function returnFields(transaction: Transaction): Record<string, string> {
  return { ref: transaction.ref, zitopay_transaction_reference: transaction.transactionReference };
}

/** Returns the full page that leads back by POST (a form, submitted by the script or the payer) or by GET (a link). */
export function returnPage(transaction: Transaction, outcome: Outcome, address: string, knobs: Knobs): string {
  const times = knobs.successTwice && outcome === 'approved' ? 2 : 1;
  const fields: Html[] = Object.entries(returnFields(transaction)).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`,
  );
  const way =
    knobs.browserReturn === 'post'
      ? html`<form id="return" method="post" action="${address}" data-times="${times}">
${fields}<p><button type="submit" class="primary">Revenir au site</button></p>
</form>`
      : html`<p><a id="return" href="${address}" data-times="${times}">Revenir au site</a></p>`;
  return page(TITLES[outcome], html`<p role="status">${EXPLANATIONS[outcome]}</p>\n${way}`, true);
}
