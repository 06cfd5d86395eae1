import fp from 'fastify-plugin';
import type { PaymentKernel } from '../payment/index.ts';
import { actionsPages } from './actions/actions.pages.ts';
import { paymentsPages } from './payments/payments.pages.ts';
import { totalsPages } from './totals/totals.pages.ts';

export { paymentsCsv, paymentsJson, recordExport } from './payments/export.ts';
export { listPayments, type PaymentFilter, type PaymentSummary } from './payments/payments.repository.ts';
export { readSearch } from './payments/search.ts';
export { decisionNames, providerName, statusName } from './payments/words.ts';
export { showPayment } from './story/story.repository.ts';
export { findWholeStory, type WholeStory } from './story/story.service.ts';
export { type Period, readPeriod } from './totals/period.ts';
export { othersName } from './totals/totals.presenter.ts';
export { type PaymentTotals, paymentTotals, type Total } from './totals/totals.repository.ts';

/** Registers /admin/paiements, where support finds payments, reads their history, takes decisions and sees totals. */
const plugin = fp<{ kernel: PaymentKernel }>(
  async (app, { kernel }) => {
    await app.register(paymentsPages, { kernel });
    await app.register(actionsPages, { kernel });
    await app.register(totalsPages);
  },
  { name: 'support', dependencies: ['identity', 'catalogue', 'payment', 'enrolment'] },
);

export const support = { plugin };
