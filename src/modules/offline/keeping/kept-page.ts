import type { FastifyInstance } from 'fastify';
import { linkStyles } from '../../../platform/pages/style-sheets.ts';

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'offline/kept': object;
  }
}

/**
 * The page that a browser keeps with a prepa: the learner's header around an empty place, in which its script shows at any address of that prepa what the server
 * would have shown (docs/offline.md). Kept as it is answered, it has links to all styles, and no message that was meant for the person's next page.
 */
export async function keptPage(app: FastifyInstance): Promise<void> {
  app.get(
    '/user/hors-ligne/page',
    // Texts that are read in it may play videos.
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
