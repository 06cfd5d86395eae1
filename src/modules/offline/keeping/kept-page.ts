import type { FastifyInstance } from 'fastify';
import { linkStyles } from '../../../platform/pages/style-sheets.ts';

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'offline/kept': object;
  }
}

/**
 * Serves the page that a browser stores with a copy (docs/offline.md): the learner's header and an empty element, in which a script shows the
 * page of any URL of the prepa. The response is stored as it is: it links all styles, and has no flash message.
 */
export async function keptPage(app: FastifyInstance): Promise<void> {
  app.get(
    '/user/hors-ligne/page',
    // `authored`: texts shown in the page may contain videos.
    { preHandler: [app.requireLearner], config: { lightHeader: true, authored: true, load: 'deferrable' } },
    async (request, reply) => {
      const { html: personal } = await app.renderPersonal(request, reply, { leavesFlash: true });
      const data = { title: 'Copie gardée', noindex: true, learnerCss: true, formulas: true };
      const page = await app.renderPage(request, 'offline/kept', data, personal);
      return reply
        .header('cache-control', 'private, no-cache')
        .header('vary', 'cookie')
        .type('text/html; charset=utf-8')
        .send(linkStyles(app, page));
    },
  );
}
