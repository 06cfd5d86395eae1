import { dayMs, formatDate } from '../../../shared/dates.ts';
import { formatXaf } from '../../../shared/money.ts';
import { midnight } from '../payments/filters.ts';
import { providerName } from '../payments/words.ts';
import type { PaymentTotals, Total } from './totals.repository.ts';

/** Sizes of the chart, in its own units: a day's place, its bar, and the height. */
const place = 10;
const width = 8;
const height = 100;

interface Bar {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Bars upwards for what was received and downwards for what was given back, one place a day, empty days included. */
export function presentChart({ days }: PaymentTotals, { du, au, count }: { du: string; au: string; count: number }) {
  const most = Math.max(1, ...days.map(({ receivedAmount }) => receivedAmount));
  const mostBack = Math.max(0, ...days.map(({ refundedAmount }) => refundedAmount));
  const scale = height / (most + mostBack);
  const zero = round(most * scale);
  const first = midnight(du).getTime();
  const bars = { received: [] as Bar[], refunded: [] as Bar[] };
  for (const { day, receivedAmount, refundedAmount } of days) {
    const x = Math.round((midnight(day).getTime() - first) / dayMs) * place + (place - width) / 2;
    const up = round(receivedAmount * scale);
    if (receivedAmount > 0) bars.received.push({ x, y: round(zero - up), width, height: up });
    if (refundedAmount > 0) bars.refunded.push({ x, y: zero, width, height: round(refundedAmount * scale) });
  }
  const ends = { first: formatDate(midnight(du)), last: formatDate(midnight(au)) };
  return { ...bars, ...ends, zero, width: count * place, height, most: formatXaf(most) };
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
