import type { FastifyInstance } from 'fastify';
import { formatDate } from '../../../shared/dates.ts';
import { superAdministratorsOnly } from '../../identity/index.ts';
import { addressOf, basePath, midnight } from '../payments/filters.ts';
import { readPeriod } from './period.ts';
import { presentChart, presentTables } from './totals.presenter.ts';
import { paymentTotals } from './totals.repository.ts';

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'support/totals': {
      /** What the form holds. */
      period: { du: string; au: string };
      /** The period in French; null of one that cannot be. */
      heading: string | null;
      errors: Record<string, string>;
      chart: ReturnType<typeof presentChart> | null;
      tables: ReturnType<typeof presentTables>;
      /** Address of the period's payments as CSV. */
      csv: string | null;
    };
  }
}

/** /admin/paiements/totaux: what came in and went back, by day, prepa and provider. */
export async function totalsPages(app: FastifyInstance): Promise<void> {
  app.get(`${basePath}/totaux`, superAdministratorsOnly(app), async (request, reply) => {
    const asked = request.query as Record<string, unknown>;
    const { period, errors = [] } = readPeriod(asked, request.context.clock.now());
    const text = (value: unknown) => (typeof value === 'string' ? value.slice(0, 20) : '');
    const totals = period ? await paymentTotals(request.em, period) : null;
    if (!period) reply.code(400);
    return reply.page('support/totals', {
      title: 'Totaux des paiements',
      area: 'admin',
      noindex: true,
      period: period ?? { du: text(asked.du), au: text(asked.au) },
      heading: period ? `Du ${formatDate(midnight(period.du))} au ${formatDate(midnight(period.au))}` : null,
      errors: Object.fromEntries(errors.map(({ field, message }) => [field, message])),
      chart: totals && period && totals.days.length > 0 ? presentChart(totals, period) : null,
      tables: totals && totals.days.length > 0 ? presentTables(totals) : [],
      csv: period ? addressOf({ du: period.du, au: period.au }, null, `${basePath}.csv`) : null,
    });
  });
}
