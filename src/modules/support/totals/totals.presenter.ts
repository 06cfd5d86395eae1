import { midnight } from '../../../platform/pages/filtered-list.ts';
import { dayMs, formatDate } from '../../../shared/dates.ts';
import { formatXaf } from '../../../shared/money.ts';
import { providerName } from '../payments/words.ts';
import type { PaymentTotals, Total } from './totals.repository.ts';

/** Sizes in the chart's own units: what a day takes, its bar in it, and the whole height. */
const dayWidth = 10;
const barWidth = 8;
const height = 100;

/** Bars upwards for what was received and downwards for what was given back; days without any leave their room empty. */
export function presentChart({ days }: PaymentTotals, { du, au, count }: { du: string; au: string; count: number }) {
  const max = Math.max(1, ...days.map(({ receivedAmount }) => receivedAmount));
  const maxRefunded = Math.max(0, ...days.map(({ refundedAmount }) => refundedAmount));
  const scale = height / (max + maxRefunded);
  const zero = round(max * scale);
  const first = midnight(du).getTime();
  const bars = days.map(({ day, receivedAmount, refundedAmount }) => {
    const x = Math.round((midnight(day).getTime() - first) / dayMs) * dayWidth + (dayWidth - barWidth) / 2;
    const up = round(receivedAmount * scale);
    const received = { x, y: round(zero - up), width: barWidth, height: up };
    const refunded = { x, y: zero, width: barWidth, height: round(refundedAmount * scale) };
    return { received: receivedAmount > 0 ? [received] : [], refunded: refundedAmount > 0 ? [refunded] : [] };
  });
  const both = { received: bars.flatMap(({ received }) => received), refunded: bars.flatMap(({ refunded }) => refunded) };
  const ends = { first: formatDate(midnight(du)), last: formatDate(midnight(au)) };
  return { ...both, ...ends, zero, width: count * dayWidth, height, max: formatXaf(max) };
}

const round = (value: number): number => Math.round(value * 100) / 100;

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

/** Three tables of the same columns, each with its total, in French. */
export function presentTables({ total, days, prepas, providers }: PaymentTotals) {
  const all = presentTotal('Total', total);
  return [
    { title: 'Par jour', first: 'Jour', rows: days.map((row) => presentTotal(formatDate(midnight(row.day)), row)), total: all },
    { title: 'Par préparation', first: 'Préparation', rows: prepas.map((row) => presentTotal(row.prepaNom, row)), total: all },
    {
      title: 'Par prestataire',
      first: 'Prestataire',
      rows: providers.map((row) => presentTotal(providerName(row.provider), row)),
      total: all,
    },
  ];
}
