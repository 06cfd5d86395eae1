/** Returns a size in bytes for people: '850 Ko', '1,2 Mo' (1 Ko = 1,024 bytes). */
export function formatBytes(bytes: number): string {
  const kilobytes = Math.max(1, Math.round(bytes / 1024));
  if (kilobytes < 1000) return `${kilobytes} Ko`;
  return `${new Intl.NumberFormat('fr', { maximumFractionDigits: 1 }).format(bytes / (1024 * 1024))} Mo`;
}
