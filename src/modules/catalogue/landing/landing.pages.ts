import type { FastifyPluginAsync } from 'fastify';
import type { ModuleKernel } from '../../../platform/use-cases/kernel-access.ts';
import { escapeHtml } from '../../../shared/escapes.ts';
import { authProps } from '../../identity/index.ts';
import { coverPreview } from '../covers/cover-images.ts';
import { presentPrepaCard } from '../prepas/catalogue.presenter.ts';
import { listPublished, listPublishedIds } from '../prepas/catalogue.repository.ts';
import { landingContent } from './landing.content.ts';
import type { LandingExam, LandingFigure } from './landing.parts.ts';

/** Number of popular prepas. The style sheet hides the third one below 768 px (specification §2). */
const popularCount = 3;

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'catalogue/landing': {
      /** Whether a learner is signed in. The page never depends on which one, since it is cached for all. */
      signedIn: boolean;
      /** The popular prepas. */
      prepas: ReturnType<typeof presentPrepaCard>[];
      content: Omit<ReturnType<typeof landingContent>, 'statistics'>;
      /** Empty when the figures cannot be counted. */
      statistics: LandingFigure[];
      /** The next free mock exams. */
      exams: LandingExam[];
      /** HTML of the sign-in form, for visitors. */
      authIsland: string;
    };
  }
}

export const landingPages: FastifyPluginAsync<{ kernel: ModuleKernel }> = async (app, { kernel }) => {
  const { statistics, ...content } = landingContent(kernel.config.site, kernel.config.offline);
  const counted = kernel.config.landingFigures === 'database';

  app.get('/', { config: { earlyHeader: true } }, async (request, reply) => {
    const query = request.query as Record<string, unknown>;
    const view = query.connexion !== undefined ? 'connexion' : query.inscription !== undefined ? 'inscription' : null;
    const prepas = await listPublished(request.em, popularCount);
    const origin = app.siteOrigin(request);
    const cover = prepas.find((prepa) => prepa.image)?.image;
    // A page with the destination after the sign-in is personal, so it is not cached.
    const answer = query.suite === undefined ? 'sharedPage' : 'framedPage';
    return reply[answer]('catalogue/landing', {
      learnerCss: true,
      manifest: false,
      title: 'Préparez vos concours au Cameroun',
      description:
        'Cours, exercices corrigés et anciens sujets pour préparer les concours administratifs et les grandes écoles au Cameroun.',
      canonical: `${origin}/`,
      ...(cover ? { og: coverPreview(cover, origin) } : {}),
      signedIn: request.learner !== null,
      prepas: prepas.map(presentPrepaCard),
      content,
      statistics: counted ? ((await app.landingParts.figures?.(request)) ?? []) : statistics,
      exams: (await app.landingParts.exams?.(request)) ?? [],
      authIsland: request.learner ? '' : reply.island('auth', await authProps(request, view, 'dialog')),
    });
  });

  app.get('/robots.txt', { config: { anonymous: true } }, async (request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .send(`User-agent: *\nDisallow: /api/\nDisallow: /user/dashboard\nSitemap: ${app.siteOrigin(request)}/sitemap.xml\n`),
  );

  app.get('/sitemap.xml', { config: { anonymous: true } }, async (request, reply) => {
    const origin = escapeHtml(app.siteOrigin(request));
    const paths = ['/', ...(await listPublishedIds(request.em)).map(({ id }) => `/user/prepa/consultation/${id}`)];
    const entries = paths.map((path) => `<url><loc>${origin}${path}</loc></url>`).join('');
    return reply
      .type('application/xml; charset=utf-8')
      .send(`<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries}</urlset>\n`);
  });
};
