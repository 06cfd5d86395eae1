import { dayMs } from '../../../shared/dates.ts';

/**
 * The span that a row of `payment_prepa_total` sums up: a day, a third of a month (from its 1st, 11th or 21st), a month, three months
 * of a year.
 */
type Span = 'day' | 'third' | 'month' | 'term';

interface Piece {
  span: Span;
  /** Its first day, `2026-11-21`. */
  start: string;
}

const written = (day: Date): string => day.toISOString().slice(0, 10);

/** Returns the fewest spans that cover a period, both days included, each day once: at most 29 for a year. */
export function spansOf({ du, au }: { du: string; au: string }): Piece[] {
  const pieces: Piece[] = [];
  let start = new Date(du);
  while (written(start) <= au) {
    const within = beginningOn(start).filter(({ last }) => written(last) <= au);
    // The span of a day always fits.
    const { span, last } = within[0] ?? { span: 'day', last: start };
    pieces.push({ span, start: written(start) });
    start = new Date(last.getTime() + dayMs);
  }
  return pieces;
}

/** Returns the spans that begin on a day, longest first, with their last day. */
function beginningOn(start: Date): { span: Span; last: Date }[] {
  const [year, month, day] = [start.getUTCFullYear(), start.getUTCMonth(), start.getUTCDate()];
  const endOfMonth = (months: number) => new Date(Date.UTC(year, month + months, 0));
  return [
    ...(day === 1 && month % 3 === 0 ? [{ span: 'term' as const, last: endOfMonth(3) }] : []),
    ...(day === 1 ? [{ span: 'month' as const, last: endOfMonth(1) }] : []),
    ...(day === 1 || day === 11 ? [{ span: 'third' as const, last: new Date(start.getTime() + 9 * dayMs) }] : []),
    ...(day === 21 ? [{ span: 'third' as const, last: endOfMonth(1) }] : []),
    { span: 'day', last: start },
  ];
}
