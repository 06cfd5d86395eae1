import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { describeError, parse } from '../platform/errors.ts';
import type { KnobBoard } from '../platform/knob-board.ts';
import { addressWith, DELAYS, refusalPage, sendPage } from '../platform/pages.ts';
import { checkoutPage, endPage, type Outcome, popupReturnPage, returnFields, returnPage } from './checkout-pages.ts';
import { checkoutParametersSchema, referenceSchema } from './checkout-parameters.ts';
import type { Decision, Decisions } from './decisions.ts';
import type { Knobs } from './knobs.ts';
import type { Transaction, Transactions } from './transactions.ts';

export interface CheckoutOptions {
  transactions: Transactions;
  decisions: Decisions;
  knobs: KnobBoard<Knobs>;
}

const choiceSchema = z.object({
  ref: referenceSchema,
  popup: z.literal('1').optional(),
  choice: z.enum(['approve', 'decline', 'close', 'approve-later'], { error: 'choix inconnu' }),
  delay: z.enum(Object.keys(DELAYS) as (keyof typeof DELAYS)[], { error: 'délai inconnu' }).default('10'),
  leave: z.literal('1').optional(),
});

type Choice = z.output<typeof choiceSchema>;

/** Returns query and body merged: the provider accepts parameters in either. */
export function parametersOf(request: FastifyRequest): Record<string, unknown> {
  return { ...(request.query as object), ...(request.body as object | null | undefined) };
}

function outcomeOf(transaction: Transaction): Outcome {
  if (transaction.status === 'COMPLETED') return 'approved';
  return transaction.status === 'FAILED' ? 'declined' : 'planned';
}

/** `GET|POST /sci`, which the provider documents, and the route for the choice posted by its page. */
export function checkoutRoutes(app: FastifyInstance, { transactions, decisions, knobs }: CheckoutOptions, done: () => void): void {
  app.setErrorHandler((error, request, reply) => {
    const { statusCode, message } = describeError(error);
    if (statusCode >= 500) request.log.error(error);
    return sendPage(reply, statusCode, refusalPage(message));
  });

  app.route({
    method: ['GET', 'POST'],
    url: '/sci',
    handler(request, reply) {
      const given = parametersOf(request);
      const transaction = transactions.register(parse(checkoutParametersSchema, given));
      return sendPage(reply, 200, checkoutPage(transaction, given.popup === '1'));
    },
  });

  async function decide({ ref, choice, delay }: Choice): Promise<Decision> {
    const transaction = transactions.get(ref);
    const unchanged = { transaction, afterResponse: () => {} };
    // A second click, or the browser's Back button, changes nothing.
    if (transaction.status !== 'PENDING') return unchanged;
    if (choice === 'approve') return decisions.approve(ref);
    if (choice === 'decline') return decisions.decline(ref);
    if (choice === 'approve-later') return decisions.approve(ref, Number(delay) * 1000);
    decisions.close(ref);
    return unchanged;
  }

  app.post('/sci/choice', async (request, reply) => {
    const choice = parse(choiceSchema, request.body);
    const { transaction, afterResponse } = await decide(choice);
    reply.raw.once('close', afterResponse);
    const settings = knobs.effective(choice.ref);
    const outcome = choice.choice === 'close' && transaction.status === 'PENDING' ? 'closed' : outcomeOf(transaction);
    if (choice.popup) return sendPage(reply, 200, popupReturnPage(transaction, outcome, settings, choice.leave === '1'));

    const address = outcome === 'approved' || outcome === 'planned' ? transaction.success_url : transaction.cancel_url;
    if (address === undefined || choice.leave) return sendPage(reply, 200, endPage(outcome));
    if (settings.browserReturn === 'post') return sendPage(reply, 200, returnPage(transaction, outcome, address, settings));
    const target = addressWith(address, returnFields(transaction));
    if (settings.successTwice && outcome === 'approved') return sendPage(reply, 200, returnPage(transaction, outcome, target, settings));
    return reply.redirect(target, 303);
  });
  done();
}
