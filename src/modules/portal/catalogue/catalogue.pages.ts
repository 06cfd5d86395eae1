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

/** Where the address is in the catalogue; what is not understood counts as absent. */
export const catalogueQuery = z.object({
  q: prepaSearch,
  page: z.coerce.number().int().min(1).max(1000).catch(1),
  /** Half of the page that a narrow screen shows. */
  moitie: z.literal('2').optional().catch(undefined),
});

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'portal/preparations': {
      /** Null for a visitor, and when it could not be read. */
      catalogue: CatalogueView | null;
      /** In place of the catalogue that could not be read. */
      error: string | null;
      /** HTML of the payment's dialog, for a learner. */
      paymentIsland: string;
    };
  }
}

/** Cards of a page where the catalogue does not stand in one. */
const pageSize = 30;

/** The catalogue as a page of its own (specification §2): every published prepa on one page, of many 30. A visitor is told to sign in, and not sent away. */
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
    // What is searched for and payments that are under way are the learner's own; until which day one has access, many have in common.
    if (q !== '' || rows.openPayments.length > 0) return reply.framedPage('portal/preparations', present());
    const versions = [rows.revision ?? rows.catalogue, number, moitie, [...renewals], formatDate(until)];
    return reply.versionedPage('portal/preparations', versions, async () => present());
  });
}

export const catalogueFailed = 'Erreur lors du chargement des préparations';
