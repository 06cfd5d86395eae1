import type { FastifyInstance } from 'fastify';
import { listAddress, midnight, rowIdSchema } from '../../../platform/pages/filtered-list.ts';
import { formatDate } from '../../../shared/dates.ts';
import { superAdministratorsOnly } from '../../identity/index.ts';
import { addressOf, basePath } from '../payments/filters.ts';
import { readPeriod } from './period.ts';
import { presentChart, presentHeadline, presentTables } from './totals.presenter.ts';
import { type PaymentTotals, paymentTotals } from './totals.repository.ts';

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'support/totals': ReturnType<typeof presentTotals>;
  }
}

/** Serves /admin/paiements/totaux: money received and refunded, by day, prepa and provider. */
export async function totalsPages(app: FastifyInstance): Promise<void> {
  app.get(`${basePath}/totaux`, superAdministratorsOnly(app), async (request, reply) => {
    const asked = request.query as Record<string, unknown>;
    const read = readPeriod(asked, request.context.clock.now());
    const after = rowIdSchema.catch(0).parse(asked.apres);
    const totals = read.period ? await paymentTotals(request.em, { ...read.period, after }) : null;
    if (!read.period) reply.code(400);
    return reply.page('support/totals', { title: 'Totaux des paiements', area: 'admin', ...presentTotals(asked, read, totals) });
  });
}

function presentTotals(
  asked: Record<string, unknown>,
  { period, errors = [] }: ReturnType<typeof readPeriod>,
  totals: PaymentTotals | null,
) {
  const text = (value: unknown) => (typeof value === 'string' ? value.slice(0, 20) : '');
  return {
    /** Values of the form. */
    period: period ?? { du: text(asked.du), au: text(asked.au) },
    /** The period in French; null when it is invalid. */
    heading: period ? `Du ${formatDate(midnight(period.du))} au ${formatDate(midnight(period.au))}` : null,
    errors: Object.fromEntries(errors.map(({ field, message }) => [field, message])),
    chart: totals && period && totals.days.length > 0 ? presentChart(totals, period) : null,
    headline: totals && totals.days.length > 0 ? presentHeadline(totals.total) : [],
    tables: totals && totals.days.length > 0 ? presentTables(totals) : [],
    /** Address of the next page of prepas; null on the last one. */
    further: period && totals?.next ? listAddress(`${basePath}/totaux`, { du: period.du, au: period.au, apres: totals.next }) : null,
    /** Address of the period's payments as CSV. */
    csv: period ? addressOf({ du: period.du, au: period.au }, `${basePath}.csv`) : null,
  };
}
