import fp from 'fastify-plugin';
import { registerCalls } from '../../platform/http/calls.ts';
import type { PaymentKernel } from '../payment/index.ts';
import { addLearnerBar } from './bar/bar.ts';
import { cataloguePages } from './catalogue/catalogue.pages.ts';
import { publishedPageFinder } from './catalogue/published-pages.ts';
import { contentsRoutes } from './contents/contents.routes.ts';
import { dashboardPages } from './dashboard/dashboard.pages.ts';
import { landingExams } from './landing/exams.ts';
import { landingFigures } from './landing/figures.ts';
import { receiptPages } from './payments/receipt.pages.ts';
import { returnPages } from './payments/return.pages.ts';
import { prepaPages } from './prepa/prepa.pages.ts';
import { prepaviewPages } from './prepa/prepaview.pages.ts';

/** Registers the learner's pages that combine several modules: dashboard, catalogue, disciplines of a prepa, own payments. */
const plugin = fp<{ kernel: PaymentKernel }>(
  async (app, { kernel }) => {
    const findPage = publishedPageFinder();
    app.landingParts.figures = landingFigures();
    app.landingParts.exams = landingExams();
    await registerCalls(app, contentsRoutes, {});
    addLearnerBar(app);
    app.contributeToLearnerMenu({
      href: '/user/preparations',
      label: 'Voir les préparations',
      icon: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
    });
    app.contributeToLearnerMenu({ href: '/user/paiements', label: 'Mes paiements', icon: 'M3 6h18v12H3zM3 10h18' });
    await app.register(dashboardPages, { kernel, findPage });
    await app.register(returnPages, { kernel });
    await app.register(prepaPages, { kernel });
    await app.register(prepaviewPages);
    await app.register(cataloguePages, { kernel, findPage });
    await app.register(receiptPages, { kernel });
  },
  { name: 'portal', dependencies: ['identity', 'catalogue', 'payment', 'enrolment', 'training', 'notification'] },
);

export const portal = { plugin };
