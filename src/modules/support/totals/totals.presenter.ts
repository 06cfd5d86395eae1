import { midnight } from '../../../platform/pages/filtered-list.ts';
import { dayMs, formatDate, formatShortDay } from '../../../shared/dates.ts';
import { formatXaf } from '../../../shared/money.ts';
import { providerName } from '../payments/words.ts';
import type { PaymentTotals, Total } from './totals.repository.ts';

/** Sizes in the chart's units: width of a day, width of its bar, and the total height. */
const dayWidth = 10;
const barWidth = 8;
const height = 100;

/** Approximate number of steps on the amount axis. */
const wantedSteps = 5;
/** Days with a label below the bars. */
const namedDays = 5;

/**
 * Returns the bars, upwards for money received and downwards for refunds; days without any have no bar.
 * The amount axis has equal steps from its lowest to its highest line, so that the style sheet can place its labels without inline
 * styles.
 */
export function presentChart({ days }: PaymentTotals, { du, count }: { du: string; count: number }) {
  const max = Math.max(1, ...days.map(({ receivedAmount }) => receivedAmount));
  const maxRefunded = Math.max(0, ...days.map(({ refundedAmount }) => refundedAmount));
  const step = roundStep((max + maxRefunded) / wantedSteps);
  const [above, below] = [Math.ceil(max / step), Math.ceil(maxRefunded / step)];
  const scale = height / ((above + below) * step);
  const zero = round(above * step * scale);
  const first = midnight(du).getTime();
  const bars = days.map(({ day, receivedAmount, refundedAmount }) => {
    const x = Math.round((midnight(day).getTime() - first) / dayMs) * dayWidth + (dayWidth - barWidth) / 2;
    const up = round(receivedAmount * scale);
    const received = { x, y: round(zero - up), width: barWidth, height: up };
    const refunded = { x, y: zero, width: barWidth, height: round(refundedAmount * scale) };
    return { received: receivedAmount > 0 ? [received] : [], refunded: refundedAmount > 0 ? [refunded] : [] };
  });
  const both = { received: bars.flatMap(({ received }) => received), refunded: bars.flatMap(({ refunded }) => refunded) };
  /** From the highest to the lowest. */
  const amounts = Array.from({ length: above + below + 1 }, (_, line) => ({
    y: round(line * step * scale),
    text: formatXaf((above - line) * step).replace(' XAF', ''),
  }));
  const named = Math.min(namedDays, count);
  const dates = Array.from({ length: named }, (_, index) => {
    const day = named > 1 ? Math.round((index * (count - 1)) / (named - 1)) : 0;
    return formatShortDay(new Date(first + day * dayMs));
  });
  return { ...both, amounts, dates, zero, width: count * dayWidth, height };
}

const round = (value: number): number => Math.round(value * 100) / 100;

/** Returns the next of 1, 2, 2.5 or 5 times a power of ten; at least 1 XAF. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return Math.ceil(([1, 2, 2.5, 5].find((times) => times * power >= least) ?? 10) * power);
}

/** Returns the totals of a period, as three sums. */
export function presentHeadline({ received, receivedAmount, refunded, refundedAmount }: Total) {
  const counted = (number: number, word: string) => `${number} ${word}${number < 2 ? '' : 's'}`;
  return [
    { name: 'Encaissé', amount: formatXaf(receivedAmount), note: counted(received, 'paiement') },
    { name: 'Rendu', amount: formatXaf(refundedAmount), note: counted(refunded, 'remboursement') },
    { name: 'Net', amount: formatXaf(receivedAmount - refundedAmount), note: null },
  ];
}

function presentTotal(name: string, { received, receivedAmount, refunded, refundedAmount }: Total) {
  return {
    name,
    received: String(received),
    receivedAmount: formatXaf(receivedAmount),
    refunded: String(refunded),
    refundedAmount: formatXaf(refundedAmount),
    net: formatXaf(receivedAmount - refundedAmount),
  };
}

/** Returns the label of the row that sums up the prepas not listed. */
export const othersName = ({ count }: { count: number }): string => (count === 1 ? '1 autre préparation' : `${count} autres préparations`);

/** Returns three tables with the same columns, each with its total, in French. */
export function presentTables({ total, days, prepas, otherPrepas, providers }: PaymentTotals) {
  const all = presentTotal('Total', total);
  const others = otherPrepas ? [presentTotal(othersName(otherPrepas), otherPrepas)] : [];
  return [
    { title: 'Par jour', first: 'Jour', rows: days.map((row) => presentTotal(formatDate(midnight(row.day)), row)), total: all },
    {
      title: 'Par préparation',
      first: 'Préparation',
      rows: [...prepas.map((row) => presentTotal(row.prepaNom, row)), ...others],
      total: all,
    },
    {
      title: 'Par prestataire',
      first: 'Prestataire',
      rows: providers.map((row) => presentTotal(providerName(row.provider), row)),
      total: all,
    },
  ];
}
