import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { idSchema } from '../../../platform/http/validators.ts';
import { listAddress } from '../../../platform/pages/filtered-list.ts';
import { administratorsOnly } from '../../identity/index.ts';
import { presentVersionedDiscipline, presentVersionedPrepa } from '../prepas/catalogue.presenter.ts';
import { listAllPrepas, listDisciplinesToEdit } from '../prepas/catalogue.repository.ts';
import { prepaSearch } from '../prepas/catalogue.schemas.ts';

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'catalogue/admin': {
      /** HTML of the island. */
      island: string;
      /** The searched text. `searchable`: whether there are more prepas than fit on one page. */
      q: string;
      searchable: boolean;
      /** Address of the first page (null on that page), and of the next page. */
      first: string | null;
      next: string | null;
    };
  }
}

/** Prepas per page. */
const pageSize = 50;

/** The search, and the id after which the page begins. Invalid values are ignored. */
const listQuery = z.object({
  q: prepaSearch,
  apres: z.coerce.number().int().min(0).max(2_147_483_647).catch(0),
});

const addressOf = ({ q, ...others }: { q: string; apres?: number | undefined; limite?: number }, path = '/admin/dashboard') =>
  listAddress(path, { ...(q === '' ? {} : { q }), ...others });

/**
 * Serves /admin/dashboard: prepas and disciplines. `?prepa=ID` selects a prepa; by default the first one is selected (specification
 * §2).
 */
export const catalogueAdministrationPages: FastifyPluginAsync = async (app) => {
  app.contributeToMenu({ href: '/admin/dashboard', name: 'Préparations', order: 10, within: ['/admin/discipline', '/admin/concours'] });
  app.get('/admin', { config: { audience: 'administrator' } }, async (_request, reply) => reply.redirect('/admin/dashboard', 303));

  app.get('/admin/dashboard', administratorsOnly(app), async (request, reply) => {
    const wanted = idSchema.safeParse((request.query as { prepa?: unknown }).prepa).data;
    // A failed read shows an error in place of its list; the rest of the page is still rendered.
    const attempt = async <Row>(read: () => Promise<Row[]>) => {
      try {
        return { rows: await read(), failed: false };
      } catch (error) {
        request.log.error({ err: error }, 'administration screen: list failed');
        return { rows: [], failed: true };
      }
    };
    const { q, apres } = listQuery.parse(request.query);
    const { rows, failed } = await attempt(() => listAllPrepas(request.em, { after: apres, limit: pageSize + 1 }, q, wanted ?? null));
    const listed = rows.filter((row) => row.listed);
    const page = listed.slice(0, pageSize);
    const more = listed.length > pageSize;
    // The selected prepa may be on another page.
    const prepas = [...rows.filter((row) => row.id === wanted && !page.includes(row)), ...page];
    const selected = prepas.find(({ id }) => id === wanted)?.id ?? prepas[0]?.id ?? null;
    const disciplines = await attempt(async () => (selected === null ? [] : listDisciplinesToEdit(request.em, selected)));
    return reply.page('catalogue/admin', {
      title: 'Préparations et disciplines',
      area: 'admin',
      q,
      searchable: q !== '' || apres > 0 || more,
      first: apres > 0 ? addressOf({ q }) : null,
      next: more ? addressOf({ q, apres: page.at(-1)?.id }) : null,
      island: reply.island('admin-catalogue', {
        administratorId: request.actor.administratorId,
        prepas: prepas.map(presentVersionedPrepa),
        disciplines: disciplines.rows.map(presentVersionedDiscipline),
        selected,
        listed: addressOf({ q, apres: apres || undefined, limite: pageSize }, '/api/prepas'),
        failed,
        disciplinesFailed: disciplines.failed,
      }),
    });
  });
};
