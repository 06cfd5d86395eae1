import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { PageData } from '../../../platform/pages/views.ts';
import { formatDate } from '../../../shared/dates.ts';
import { prepaSearch } from '../../catalogue/index.ts';
import { endAfterExtension } from '../../enrolment/index.ts';
import { type PaymentKernel, paymentDialog } from '../../payment/index.ts';
import { type CatalogueView, presentAttempts, presentCatalogue, presentRenewals } from './catalogue.presenter.ts';
import { findCatalogueOf } from './catalogue.repository.ts';
import type { FindPublishedPage } from './published-pages.ts';

/** The query of the catalogue. Invalid values are ignored. */
export const catalogueQuery = z.object({
  q: prepaSearch,
  page: z.coerce.number().int().min(1).max(1000).catch(1),
  /** The half of the page that a narrow screen shows. */
  moitie: z.literal('2').optional().catch(undefined),
});

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'portal/preparations': {
      /** Null for a visitor, and when the catalogue could not be read. */
      catalogue: CatalogueView | null;
      /** Shown in place of a catalogue that could not be read. */
      error: string | null;
      /** HTML of the payment dialog, for a learner. */
      paymentIsland: string;
    };
  }
}

/** Cards per page when the catalogue has more than fit on one page. */
const pageSize = 30;

/**
 * Serves the catalogue on its own page (specification §2): all published prepas on one page, or pages of 30. A visitor is asked to
 * sign in, but not redirected.
 */
export async function cataloguePages(
  app: FastifyInstance,
  { kernel, findPage }: { kernel: PaymentKernel; findPage: FindPublishedPage },
): Promise<void> {
  app.get('/user/preparations', { config: { earlyHeader: true, paymentProvider: true } }, async (request, reply) => {
    const { learner } = request;
    const page = { title: 'Préparations disponibles', noindex: true, learnerCss: true };
    const nothing = { ...page, catalogue: null, error: null, paymentIsland: '' };
    if (!learner) return reply.sharedPage('portal/preparations', nothing);
    const { q, page: number, moitie } = catalogueQuery.parse(request.query);
    const asked = { q, page: number, pageSize };
    const now = request.context.clock.now();
    const rows = await findCatalogueOf(request.em, findPage, learner.id, asked).catch((error: unknown) => {
      request.log.error({ err: error }, 'the catalogue failed');
      return null;
    });
    if (!rows) return reply.page('portal/preparations', { ...nothing, error: catalogueFailed });
    const renewals = presentRenewals(rows.enrolments, now);
    const until = endAfterExtension(null, now);
    const present = (): PageData<'portal/preparations'> => ({
      ...page,
      catalogue: presentCatalogue(rows.catalogue, renewals, { ...asked, half: moitie ? 2 : 1, paged: false }),
      error: null,
      paymentIsland: paymentDialog(reply, kernel, {
        prepa: null,
        until,
        trial: false,
        attempts: presentAttempts(kernel.providers, rows.openPayments),
      }),
    });
    // Searches and open payments are personal, so the page is not cached; the end of an access is shared by many learners.
    if (q !== '' || rows.openPayments.length > 0) return reply.framedPage('portal/preparations', present());
    const versions = [rows.revision ?? rows.catalogue, number, moitie, [...renewals], formatDate(until)];
    return reply.versionedPage('portal/preparations', versions, async () => present());
  });
}

export const catalogueFailed = 'Erreur lors du chargement des préparations';
