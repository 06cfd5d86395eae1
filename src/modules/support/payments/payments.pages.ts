import { once } from 'node:events';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { Prepa } from '../../catalogue/index.ts';
import { superAdministratorsOnly } from '../../identity/index.ts';
import { type PaymentKernel, paymentHealth } from '../../payment/index.ts';
import { csvName, paymentsCsv } from './export.ts';
import { addressOf, asCondition, basePath, maxSearchLength, readFilters, type SupportFilters } from './filters.ts';
import { presentAttention, presentRow } from './payments.presenter.ts';
import { listPayments } from './payments.repository.ts';
import { providerName, statusNames } from './words.ts';

/** Payments a page. */
const pageSize = 25;
/** Prepas to choose between, at most: as many as administrators see. */
const maxPrepas = 2000;

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'support/list': {
      /** What needs a person. */
      attention: ReturnType<typeof presentAttention>;
      payments: ReturnType<typeof presentRow>[];
      /** What the form holds, whether it holds anything, and anything beside the search. */
      filters: Omit<SupportFilters, 'avant'>;
      filtered: boolean;
      narrowed: boolean;
      /** Their French by word. */
      statuses: Record<string, string>;
      providers: { slug: string; name: string }[];
      prepas: { id: number; nom: string }[];
      maxSearchLength: number;
      /** Address of the same as CSV. */
      csv: string;
      /** Address of the first page, on a later one. */
      newest: string | null;
      /** Address of the next page. */
      older: string | null;
    };
  }
}

/** /admin/paiements: the list with its search and filters, what needs a person above it; the same as CSV. */
export async function paymentsPages(app: FastifyInstance, { kernel: { providers } }: { kernel: PaymentKernel }): Promise<void> {
  const guarded = superAdministratorsOnly(app);
  app.contributeToMenu({ href: basePath, name: 'Paiements', order: 20, superAdministratorsOnly: true });

  app.get(basePath, guarded, async (request, reply) => {
    const now = request.context.clock.now();
    const filters = readFilters(request.query);
    const [health, prepas, found] = await Promise.all([
      paymentHealth(request.em, now),
      request.em.fork().find(Prepa, {}, { fields: ['id', 'nom'], orderBy: { nom: 'asc' }, limit: maxPrepas }),
      // One more than is shown tells whether there is a next page.
      listPayments(request.em, { ...asCondition(filters, now), limit: pageSize + 1 }),
    ]);
    const shown = found.slice(0, pageSize);
    const last = shown.at(-1);
    const { avant, ...chosen } = filters;
    const { recherche, ...narrowed } = chosen;
    const slugs = new Set([...providers.list().map(({ slug }) => slug), ...(chosen.prestataire ? [chosen.prestataire] : [])]);
    return reply.page('support/list', {
      title: 'Paiements',
      area: 'admin',
      noindex: true,
      attention: presentAttention(health),
      payments: shown.map(presentRow),
      filters: chosen,
      filtered: Object.values(chosen).some((value) => value !== undefined),
      narrowed: Object.values(narrowed).some((value) => value !== undefined),
      statuses: statusNames,
      providers: [...slugs].map((slug) => ({ slug, name: providerName(slug) })),
      prepas: prepas.map(({ id, nom }) => ({ id, nom })),
      maxSearchLength,
      csv: addressOf(chosen, null, `${basePath}.csv`),
      newest: avant === undefined ? null : addressOf(chosen),
      older: found.length > pageSize && last ? addressOf(chosen, last.id) : null,
    });
  });

  app.get(`${basePath}.csv`, guarded, async (request, reply) => {
    const now = request.context.clock.now();
    const { avant: _from, ...filters } = readFilters(request.query);
    // Read as fast as the client takes it; a client that goes away ends it.
    const rows = Readable.from(paymentsCsv(request.em, asCondition(filters, now)), { highWaterMark: 1 });
    // A first read that fails is an error page; what fails later ends the connection, so that no file looks whole.
    await once(rows, 'readable');
    return reply
      .type('text/csv; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('content-disposition', `attachment; filename="${csvName(filters, now)}"`)
      .send(rows);
  });
}
