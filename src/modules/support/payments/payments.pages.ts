import { once } from 'node:events';
import type { FastifyInstance } from 'fastify';
import { maxWaiting } from '../../../platform/pages/administration-menu.ts';
import { isNarrowed, pageOf } from '../../../platform/pages/filtered-list.ts';
import { confirmedSuperAdministratorsOnly, superAdministratorsOnly } from '../../identity/index.ts';
import { type PaymentKernel, type PaymentProviders, paymentsThatWait } from '../../payment/index.ts';
import { csvName, paymentsDownload, recordExport } from './export.ts';
import { addressOf, asCondition, basePath, maxSearchLength, readFilters, type SupportFilters } from './filters.ts';
import { presentAttention, presentRow } from './payments.presenter.ts';
import { listPayments, type PaymentSummary } from './payments.repository.ts';
import { findSurroundings, maxPrepas } from './surroundings.repository.ts';
import { providerName, statusNames } from './words.ts';

const pageSize = 25;

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'support/list': ReturnType<typeof presentList> & {
      /** Alerts about payments that need an administrator. */
      attention: ReturnType<typeof presentAttention>;
      prepas: { id: number; nom: string }[];
      /** Whether there are more prepas than listed: the form then asks for a number. */
      manyPrepas: boolean;
    };
  }
}

/** Serves /admin/paiements: the list with its search and filters, the alerts above it, and the same payments as CSV. */
export async function paymentsPages(app: FastifyInstance, { kernel: { providers } }: { kernel: PaymentKernel }): Promise<void> {
  const guarded = superAdministratorsOnly(app);
  app.contributeToMenu({
    href: basePath,
    name: 'Paiements',
    order: 20,
    superAdministratorsOnly: true,
    waiting: paymentsThatWait(maxWaiting),
  });

  app.get(basePath, guarded, async (request, reply) => {
    const now = request.context.clock.now();
    const filters = readFilters(request.query);
    const [{ prepas, ...health }, found] = await Promise.all([
      findSurroundings(request.em, now),
      listPayments(request.em, { ...asCondition(filters, now), limit: pageSize + 1 }),
    ]);
    return reply.page('support/list', {
      title: 'Paiements',
      area: 'admin',
      attention: presentAttention(health),
      prepas: prepas.slice(0, maxPrepas),
      manyPrepas: prepas.length > maxPrepas,
      ...presentList(found, filters, providers),
    });
  });

  const confirmed = confirmedSuperAdministratorsOnly(app);
  app.get(`${basePath}.csv`, { ...confirmed, config: { ...confirmed.config, download: true } }, async (request, reply) => {
    const now = request.context.clock.now();
    const { avant: _from, ...filters } = readFilters(request.query);
    const { recherche, ...narrowing } = filters;
    // The searched text may identify a learner, so it is not recorded.
    await recordExport(request.em, request.context, request.actor, 'CSV', {
      ...narrowing,
      ...(recherche === undefined ? {} : { recherche: true }),
    });
    const rows = paymentsDownload(request.em, asCondition(filters, now));
    // If the first read fails, an error page is sent. A later failure closes the connection, so that a partial file does not look
    // complete.
    await once(rows, 'readable');
    return reply
      .type('text/csv; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('content-disposition', `attachment; filename="${csvName(filters, now)}"`)
      .send(rows);
  });
}

function presentList(found: readonly PaymentSummary[], query: SupportFilters, providers: PaymentProviders) {
  const { rows, ...page } = pageOf(basePath, found, pageSize, query);
  const { recherche: _search, ...others } = page.filters;
  const slugs = new Set([...providers.list().map(({ slug }) => slug), ...(others.prestataire ? [others.prestataire] : [])]);
  return {
    ...page,
    payments: rows.map(presentRow),
    /** Whether the form has filters in addition to the search. */
    narrowed: isNarrowed(others),
    /** French names by stored word. */
    statuses: statusNames,
    providers: [...slugs].map((slug) => ({ slug, name: providerName(slug) })),
    maxSearchLength,
    /** Address of the same payments as CSV. */
    csv: addressOf(page.filters, `${basePath}.csv`),
  };
}
