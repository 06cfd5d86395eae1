import fp from 'fastify-plugin';
import { requestLimit } from '../../platform/limits/request-limit.ts';
import type { ModuleKernel } from '../../platform/use-cases/kernel-access.ts';
import { type PaymentProviders, pointsPerMinute } from '../payment/index.ts';
import { cataloguePages } from './catalogue.pages.ts';
import { contributions } from './contributions.ts';
import { dashboardPages } from './dashboard.pages.ts';
import { enrolmentRoutes } from './enrolment.routes.ts';
import { prepaPages } from './prepa.pages.ts';
import { prepaviewPages } from './prepaview.pages.ts';
import { receiptPages } from './receipts/receipt.pages.ts';
import { returnPages } from './return.pages.ts';

/** Who may study what, until when: the dashboard, the disciplines of a prepa, the pages a payment returns to. */
export const enrolment = fp<{ kernel: ModuleKernel & { providers: PaymentProviders } }>(
  async (app, { kernel }) => {
    // One for whatever makes a learner's request ask a provider.
    const limit = requestLimit(pointsPerMinute.learner);
    for (const prefix of ['/api', '']) await app.register(enrolmentRoutes, { prefix, providers: kernel.providers, limit });
    await app.register(contributions);
    await app.register(dashboardPages, { kernel });
    await app.register(returnPages, { kernel, limit });
    await app.register(prepaPages, { kernel });
    await app.register(prepaviewPages);
    await app.register(cataloguePages, { kernel });
    await app.register(receiptPages, { kernel, limit });
  },
  { name: 'enrolment', dependencies: ['identity', 'catalogue', 'payment'] },
);
