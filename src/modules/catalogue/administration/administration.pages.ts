import type { FastifyPluginAsync } from 'fastify';
import { idSchema } from '../../../platform/http/validators.ts';
import { administratorsOnly } from '../../identity/index.ts';
import { presentVersionedDiscipline, presentVersionedPrepa } from '../prepas/catalogue.presenter.ts';
import { listAllDisciplines, listAllPrepas } from '../prepas/catalogue.repository.ts';

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'catalogue/admin': {
      /** HTML of the island. */
      island: string;
    };
  }
}

/** /admin/dashboard: prepas and disciplines. `?prepa=ID` selects one; otherwise the first is (specification §2). */
export const catalogueAdministrationPages: FastifyPluginAsync = async (app) => {
  app.contributeToMenu({ href: '/admin/dashboard', name: 'Préparations', order: 10, within: ['/admin/discipline'] });
  app.get('/admin', async (_request, reply) => reply.redirect('/admin/dashboard', 303));

  app.get('/admin/dashboard', administratorsOnly(app), async (request, reply) => {
    const wanted = idSchema.safeParse((request.query as { prepa?: unknown }).prepa).data;
    // A list that cannot be read says so in its place; the rest of the page stays.
    const attempt = async <Row>(read: () => Promise<Row[]>) => {
      try {
        return { rows: await read(), failed: false };
      } catch (error) {
        request.log.error({ err: error }, 'administration screen: list failed');
        return { rows: [], failed: true };
      }
    };
    const prepas = await attempt(() => listAllPrepas(request.em));
    const selected = prepas.rows.find(({ id }) => id === wanted)?.id ?? prepas.rows[0]?.id ?? null;
    const disciplines = await attempt(async () => (selected === null ? [] : listAllDisciplines(request.em, selected)));
    return reply.page('catalogue/admin', {
      title: 'Préparations et disciplines',
      area: 'admin',
      island: reply.island('admin-catalogue', {
        administratorId: request.actor.administratorId,
        prepas: prepas.rows.map(presentVersionedPrepa),
        disciplines: disciplines.rows.map(presentVersionedDiscipline),
        selected,
        failed: prepas.failed,
        disciplinesFailed: disciplines.failed,
      }),
    });
  });
};
