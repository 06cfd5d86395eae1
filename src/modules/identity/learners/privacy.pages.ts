import type { FastifyPluginAsync } from 'fastify';

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'identity/privacy': Record<never, never>;
  }
}

/** Serves /confidentialite: what the site stores about a learner, in short (docs/privacy.md). */
export const privacyPages: FastifyPluginAsync = async (app) => {
  app.get('/confidentialite', async (_request, reply) =>
    reply.sharedPage('identity/privacy', {
      title: 'Confidentialité',
      description: 'Ce que la plateforme garde des candidats, pourquoi, et comment le faire effacer.',
    }),
  );
};
