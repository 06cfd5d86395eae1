import { writtenAddress } from '../../../src/shared/rich-text/written-address.ts';

/** Completes a typed address: "exemple.cm" becomes a site, "nom@exemple.cm" a mailbox, "+237 699 00 11 22" a phone number. */
export function completeAddress(typed: string): string {
  return writtenAddress(withScheme(writtenAddress(typed)));
}

function withScheme(text: string): string {
  if (text === '' || /^[a-z][a-z0-9+.-]*:/i.test(text)) return text;
  if (/^[^\s@/]+@[^\s@/]+\.[^\s@/]+$/.test(text)) return `mailto:${text}`;
  if (/^\/\//.test(text)) return `https:${text}`;
  return /^[^\s/.]+(?:\.[^\s/.]+)+(?:[/?#]|$)/.test(text) ? `https://${text}` : text;
}
