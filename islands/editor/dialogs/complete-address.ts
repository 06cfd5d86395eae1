/** What people type for an address, as an address: "exemple.cm" is a site, "nom@exemple.cm" a mailbox. What has a scheme stays as it is. */
export function completeAddress(typed: string): string {
  const text = typed.trim();
  if (text === '' || /^[a-z][a-z0-9+.-]*:/i.test(text)) return text;
  if (/^[^\s@/]+@[^\s@/]+\.[^\s@/]+$/.test(text)) return `mailto:${text}`;
  if (/^\/\//.test(text)) return `https:${text}`;
  return /^[^\s/.]+(?:\.[^\s/.]+)+(?:[/?#]|$)/.test(text) ? `https://${text}` : text;
}
