const twipsPer: Readonly<Record<string, number>> = { pt: 20, in: 1440, cm: 567, mm: 56.7, pc: 240, px: 15 };

/** Returns a length such as `1.25cm` in twentieths of a point; null for percentages and invalid lengths. */
export function twips(length: string | null): number | null {
  const [, number, unit = ''] = /^(-?\d{1,6}(?:\.\d{1,9})?)(pt|in|cm|mm|pc|px)$/.exec(length?.trim() ?? '') ?? [];
  const factor = twipsPer[unit];
  return number === undefined || factor === undefined ? null : Math.round(Number(number) * factor);
}

/** Returns a whole number from 0 to 9,999,999; null for anything else. */
export const wholeNumber = (text: string | null): number | null => (text !== null && /^\d{1,7}$/.test(text) ? Number(text) : null);
