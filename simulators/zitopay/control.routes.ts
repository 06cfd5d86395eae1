import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { checkoutParametersSchema, referenceSchema } from './checkout-parameters.ts';
import type { Decision, Decisions } from './decisions.ts';
import { describeError, parse } from './errors.ts';
import { type KnobBoard, knobPatchSchema } from './knobs.ts';
import type { Ledger } from './ledger.ts';
import { presentTransaction, type Transactions } from './transactions.ts';

export interface ControlOptions {
  transactions: Transactions;
  decisions: Decisions;
  knobs: KnobBoard;
  ledger: Ledger;
}

const delaySchema = z.strictObject({ delayMs: z.int().min(1).max(86_400_000) });
const knobQuerySchema = z.object({ ref: referenceSchema.optional() });

const refOf = (request: FastifyRequest) => (request.params as { ref: string }).ref;

/** The simulator's own routes: what tests, the demo and a curious person drive it with. No provider has them. */
export function controlRoutes(app: FastifyInstance, { transactions, decisions, knobs, ledger }: ControlOptions, done: () => void): void {
  app.setErrorHandler((error, request, reply) => {
    const { statusCode, message } = describeError(error);
    if (statusCode >= 500) request.log.error(error);
    return reply.code(statusCode).send({ message });
  });

  function sendDecision(reply: FastifyReply, { transaction, afterResponse }: Decision): FastifyReply {
    reply.raw.once('close', afterResponse);
    return reply.send(presentTransaction(transaction));
  }

  app.get('/knobs', (request, reply) => reply.send(knobs.effective(parse(knobQuerySchema, request.query).ref)));
  app.post('/knobs', (request, reply) => {
    const { ref, ...patch } = parse(knobPatchSchema, request.body);
    knobs.set(patch, ref);
    return reply.send(knobs.effective(ref));
  });

  app.post('/transactions', (request, reply) =>
    reply.send(presentTransaction(transactions.register(parse(checkoutParametersSchema, request.body)))),
  );
  app.get('/transactions/:ref', (request, reply) => {
    decisions.settleDue(refOf(request));
    return reply.send(presentTransaction(transactions.get(refOf(request))));
  });

  app.post('/transactions/:ref/approve', async (request, reply) => sendDecision(reply, await decisions.approve(refOf(request))));
  app.post('/transactions/:ref/approve-later', async (request, reply) =>
    sendDecision(reply, await decisions.approve(refOf(request), parse(delaySchema, request.body).delayMs)),
  );
  app.post('/transactions/:ref/decline', async (request, reply) => sendDecision(reply, await decisions.decline(refOf(request))));
  app.post('/transactions/:ref/close', (request, reply) => reply.send(presentTransaction(decisions.close(refOf(request)))));
  app.post('/transactions/:ref/notify', async (request, reply) => reply.send(presentTransaction(await decisions.notify(refOf(request)))));

  app.get('/ledger', (_request, reply) => reply.send({ entries: ledger.entries }));
  app.post('/reset', (_request, reply) => {
    decisions.cancelAll();
    knobs.clear();
    transactions.clear();
    return reply.code(204).send();
  });
  done();
}
