const xaf = new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 0 });

/** Returns `15 000 XAF`, with ordinary spaces (design §4). `amount` is in whole XAF. */
export function formatXaf(amount: number): string {
  return `${xaf.format(amount).replaceAll(/\s/g, ' ')} XAF`;
}
