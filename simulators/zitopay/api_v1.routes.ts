import type { FastifyInstance } from 'fastify';
import { describeError } from '../platform/errors.ts';
import { HTML_FAULT, hang } from '../platform/hang.ts';
import type { KnobBoard } from '../platform/knob-board.ts';
import { parametersOf } from './checkout.routes.ts';
import type { Decisions } from './decisions.ts';
import type { Knobs } from './knobs.ts';
import type { Transaction, Transactions } from './transactions.ts';

export interface VerificationOptions {
  transactions: Transactions;
  decisions: Decisions;
  knobs: KnobBoard<Knobs>;
}

const STATUSES = {
  COMPLETED: { status: 1, info: 'Paid' },
  PENDING: { status: 0, info: 'Waiting for payer' },
  FAILED: { status: -1, info: null },
} as const;

/** Error messages. All but the first are unconfirmed (docs/payment-providers.md). */
const ERRORS = {
  reference: 'Invalid transaction reference',
  action: 'Invalid action',
  amount: 'Amount mismatch',
  currency: 'Currency mismatch',
} as const;

/** Returns the first reason to refuse a verification, or null. */
function refusalOf(given: Record<string, unknown>, transaction: Transaction | undefined): string | null {
  if (given.action !== 'get_transaction') return ERRORS.action;
  if (!transaction || given.receiver !== transaction.receiver) return ERRORS.reference;
  if (given.amount !== undefined && given.amount !== '' && Number(given.amount) !== transaction.amount) return ERRORS.amount;
  if (given.currency !== undefined && given.currency !== '' && given.currency !== transaction.currency) return ERRORS.currency;
  return null;
}

/** Returns the response in the formats of payment-providers.md §3 [S/C]. */
function presentVerification({ status: word, amount, currency }: Transaction, knobs: Knobs): Record<string, unknown> {
  const { status, info } = STATUSES[word];
  const answer = { status: knobs.statusType === 'string' ? String(status) : status, status_msg: word, info: info ?? knobs.declineInfo };
  if (word !== 'COMPLETED') return answer;
  const paid = String(knobs.tamperedAmount ?? amount);
  return {
    ...answer,
    amount: knobs.otherCurrency?.amount ?? paid,
    currency_code: knobs.otherCurrency?.currency ?? currency,
    original_amount: paid,
    original_currency_code: currency,
  };
}

/** `GET|POST /api_v1`: server-to-server verification, with the faults set by knobs. */
export function verificationRoutes(app: FastifyInstance, { transactions, decisions, knobs }: VerificationOptions, done: () => void): void {
  app.setErrorHandler((error, request, reply) => {
    const { statusCode, message } = describeError(error);
    if (statusCode >= 500) request.log.error(error);
    return reply.code(statusCode).send({ error: message });
  });

  app.route({
    method: ['GET', 'POST'],
    url: '/api_v1',
    async handler(request, reply) {
      const given = parametersOf(request);
      const ref = typeof given.ref === 'string' ? given.ref : '';
      const settings = knobs.effective(ref);
      const fault = knobs.takeFault('verifyFaults', ref);
      if (fault === 'http500') return reply.code(500).send({ message: 'Internal Server Error' });
      if (fault === 'html') return reply.type('text/html; charset=utf-8').send(HTML_FAULT);
      if (fault === 'error') return reply.send({ error: ERRORS.reference });
      if (fault === 'hang' && !(await hang(reply, settings.verifyHangMs))) return reply;
      decisions.settleDue(ref);
      const transaction = transactions.find(ref);
      const refusal = refusalOf(given, transaction);
      return reply.send(refusal === null && transaction ? presentVerification(transaction, settings) : { error: refusal });
    },
  });
  done();
}
