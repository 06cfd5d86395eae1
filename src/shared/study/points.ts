/** Smallest step of points. */
const step = 0.25;

/** Returns the typed number of points ('13,5', '13.5'; '' is 0); null for a text that is no number. */
export function parsePoints(typed: string): number | null {
  const text = typed.trim();
  if (text === '') return 0;
  return /^\d{1,4}(?:[.,]\d{0,3})?$/.test(text) ? Number(text.replace(',', '.')) : null;
}

/** Returns why these points cannot be given for a part, in French; null if they can. @param max the most points of the part */
export function faultOfPoints(typed: string, max: number): string | null {
  const points = parsePoints(typed);
  if (points === null) return 'Écrivez un nombre, par exemple 3,5';
  if (points > max) return `De 0 à ${formatPoints(max)}`;
  return points === max || Number.isInteger(points / step) ? null : 'Par quarts de point, par exemple 3,25 ou 3,5';
}

const decimals = new Intl.NumberFormat('fr', { maximumFractionDigits: 2, useGrouping: false });

/** Returns `13,5`. */
export const formatPoints = (points: number): string => decimals.format(points);

/** Returns the sum of points; unlike floating-point numbers, `0,1 + 0,2` is `0,3`. */
export const sumOf = (points: readonly number[]): number => Math.round(points.reduce((sum, one) => sum + one, 0) * 100) / 100;

/** Returns a mark on the scale to 20. */
export const onTwenty = (points: number, possible: number): number => (points * 20) / possible;

/** Returns `13,5 sur 20`; for another scale also the mark out of 20: `11 sur 14, soit 15,71 sur 20`. */
export function describeMark(points: number, possible: number): string {
  const given = `${formatPoints(points)} sur ${formatPoints(possible)}`;
  return possible === 20 ? given : `${given}, soit ${formatPoints(onTwenty(points, possible))} sur 20`;
}

/** Returns a duration: `1 h 05 min`, `42 min`, `50 s`. */
export function formatSpent(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours} h ${String(minutes).padStart(2, '0')} min` : `${minutes} min`;
}
