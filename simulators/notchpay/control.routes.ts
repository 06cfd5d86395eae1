import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Agenda } from '../platform/agenda.ts';
import type { SimulatedClock } from '../platform/clock.ts';
import { clockRoute, delaySchema, refOf, sendControlError } from '../platform/control.ts';
import { parse, SimulatorError } from '../platform/errors.ts';
import type { KnobBoard } from '../platform/knob-board.ts';
import type { Ledger } from '../platform/ledger.ts';
import { type Knobs, knobPatchSchema } from './knobs.ts';
import { type LedgerEntry, statusSchema } from './ledger.ts';
import type { Decision, Lifecycle } from './lifecycle.ts';
import { type Payment, type Payments, presentPayment } from './payments.ts';
import { referenceSchema, startRequestSchema } from './start-request.ts';
import type { Webhooks } from './webhooks.ts';

export interface ControlOptions {
  payments: Payments;
  lifecycle: Lifecycle;
  webhooks: Webhooks;
  knobs: KnobBoard<Knobs>;
  ledger: Ledger<LedgerEntry>;
  clock: SimulatedClock;
  agenda: Agenda;
  /** The webhook's address after POST /reset. */
  webhookUrl: string | null;
}

const amount = z.int().min(0).max(100_000_000);
const decisionSchema = z.strictObject({
  status: statusSchema.exclude(['pending', 'complete', 'refunded', 'partialy-refunded']),
  paid: amount.optional(),
});
const refundSchema = z.strictObject({ amount: amount.min(1).optional() });
const notifySchema = z.strictObject({ status: statusSchema.optional() });
const webhookSchema = z.strictObject({ url: z.url({ protocol: /^https?$/, error: 'adresse http ou https attendue' }).nullable() });
const knobQuerySchema = z.object({ ref: referenceSchema.optional() });

/** Routes that only the simulator has. Tests, the demo and developers control it with them. */
export function controlRoutes(app: FastifyInstance, options: ControlOptions, done: () => void): void {
  const { payments, lifecycle, webhooks, knobs, ledger, clock, agenda, webhookUrl } = options;
  app.setErrorHandler(sendControlError);

  const paymentOf = (request: FastifyRequest) => payments.get(refOf(request));
  const send = (reply: FastifyReply, payment: Payment) => reply.send(presentPayment(payment));
  function sendDecision(reply: FastifyReply, { payment, afterResponse }: Decision): FastifyReply {
    reply.raw.once('close', afterResponse);
    return send(reply, payment);
  }

  app.get('/knobs', (request, reply) => reply.send(knobs.effective(parse(knobQuerySchema, request.query).ref)));
  app.post('/knobs', (request, reply) => {
    const { ref, ...patch } = parse(knobPatchSchema, request.body);
    // Knobs are stored by the merchant's reference; the request may have the provider's.
    const ours = ref === undefined ? undefined : (payments.find(ref)?.ref ?? ref);
    knobs.set(patch, ours);
    return reply.send(knobs.effective(ours));
  });

  app.post('/transactions', async (request, reply) => {
    const payment = payments.open(parse(startRequestSchema, request.body), clock.now());
    if (!payment) throw new SimulatorError(409, 'Cette référence a déjà servi.');
    await lifecycle.begin(payment);
    return send(reply, payment);
  });
  app.get('/transactions/:ref', (request, reply) => {
    const payment = paymentOf(request);
    lifecycle.settleDue(payment);
    return send(reply, payment);
  });
  app.post('/transactions/:ref/approve', async (request, reply) => sendDecision(reply, await lifecycle.approve(paymentOf(request))));
  app.post('/transactions/:ref/approve-later', async (request, reply) =>
    sendDecision(reply, await lifecycle.approve(paymentOf(request), parse(delaySchema, request.body).delayMs)),
  );
  app.post('/transactions/:ref/decide', async (request, reply) => {
    const { status, paid } = parse(decisionSchema, request.body);
    return sendDecision(reply, await lifecycle.decide(paymentOf(request), status, paid));
  });
  app.post('/transactions/:ref/close', (request, reply) => send(reply, Object.assign(paymentOf(request), { closedByPayer: true })));
  app.post('/transactions/:ref/refund', (request, reply) =>
    send(reply, lifecycle.refund(paymentOf(request), parse(refundSchema, request.body).amount)),
  );
  app.post('/transactions/:ref/notify', async (request, reply) => {
    const payment = paymentOf(request);
    await webhooks.send(payment, parse(notifySchema, request.body).status ?? payment.status);
    return send(reply, payment);
  });

  app.get('/webhook', (_request, reply) => reply.send(webhooks.endpoint()));
  app.post('/webhook', (request, reply) => {
    webhooks.setUrl(parse(webhookSchema, request.body).url);
    return reply.send(webhooks.endpoint());
  });
  app.post('/foreign-event', async (_request, reply) => {
    // The payment belongs to another merchant, but the signature is valid.
    const foreign = payments.foreign(`AUTRE-${randomUUID()}`, clock.now());
    await webhooks.send(foreign, 'complete');
    return send(reply, foreign);
  });

  clockRoute(app, clock, agenda);
  app.get('/ledger', (_request, reply) => reply.send({ entries: ledger.entries }));
  app.post('/reset', (_request, reply) => {
    agenda.clear();
    webhooks.cancel();
    webhooks.setUrl(webhookUrl);
    knobs.clear();
    payments.clear();
    clock.reset();
    return reply.code(204).send();
  });
  done();
}
