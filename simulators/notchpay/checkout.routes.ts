import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { describeError, parse, SimulatorError } from '../platform/errors.ts';
import type { KnobBoard } from '../platform/knob-board.ts';
import { addressWith, DELAYS, refusalPage, sendPage } from '../platform/pages.ts';
import { checkoutPage, endPage } from './checkout-pages.ts';
import type { Knobs } from './knobs.ts';
import type { Decision, Lifecycle } from './lifecycle.ts';
import { isOpen, type Payment, type Payments } from './payments.ts';

export interface CheckoutOptions {
  payments: Payments;
  lifecycle: Lifecycle;
  knobs: KnobBoard<Knobs>;
}

const choiceSchema = z.object({
  choice: z.enum(['approve', 'decline', 'cancel', 'later', 'incomplete'], { error: 'choix inconnu' }),
  delay: z.enum(Object.keys(DELAYS) as (keyof typeof DELAYS)[], { error: 'délai inconnu' }).default('10'),
  leave: z.literal('1').optional(),
});

type Choice = z.output<typeof choiceSchema>;

/** Serves the checkout page at `authorization_url`, once per payment, and accepts the payer's choice. */
export function checkoutRoutes(app: FastifyInstance, { payments, lifecycle, knobs }: CheckoutOptions, done: () => void): void {
  app.setErrorHandler((error, request, reply) => {
    const { statusCode, message } = describeError(error);
    if (statusCode >= 500) request.log.error(error);
    return sendPage(reply, statusCode, refusalPage(message));
  });

  function paymentOf(request: FastifyRequest): Payment {
    const payment = payments.findByToken((request.params as { token: string }).token);
    if (!payment) throw new SimulatorError(404, 'Cette page de paiement est inconnue du simulateur.');
    lifecycle.settleDue(payment);
    return payment;
  }

  app.get('/checkout/:token', (request, reply) => {
    const payment = paymentOf(request);
    if (payment.served) throw new SimulatorError(410, 'Cette adresse de paiement a déjà servi : recommencez depuis le site.');
    if (!isOpen(payment)) return sendPage(reply, 200, endPage(payment));
    payment.served = true;
    return sendPage(reply, 200, checkoutPage(payment));
  });

  async function decide(payment: Payment, { choice, delay }: Choice): Promise<Decision> {
    // A second click, or the browser's Back button, changes nothing.
    if (!isOpen(payment)) return { payment, afterResponse: () => {} };
    if (choice === 'approve') return lifecycle.approve(payment);
    if (choice === 'later') return lifecycle.approve(payment, Number(delay) * 1000);
    if (choice === 'incomplete') return lifecycle.decide(payment, 'incomplete');
    return lifecycle.decide(payment, choice === 'decline' ? 'failed' : 'canceled');
  }

  /** Returns the address to which the browser returns, with the parameters that integrators report. */
  function returnAddress(callback: string, { ref, transactionReference, status }: Payment): string {
    const reference = knobs.effective(ref).returnReference === 'ours' ? ref : transactionReference;
    return addressWith(callback, { reference, trxref: ref, notchpay_trxref: transactionReference, status });
  }

  app.post('/checkout/:token/choice', async (request, reply) => {
    const choice = parse(choiceSchema, request.body);
    const { payment, afterResponse } = await decide(paymentOf(request), choice);
    reply.raw.once('close', afterResponse);
    if (choice.leave) payment.closedByPayer = true;
    if (payment.callback === null || choice.leave) return sendPage(reply, 200, endPage(payment));
    return reply.redirect(returnAddress(payment.callback, payment), 303);
  });
  done();
}
