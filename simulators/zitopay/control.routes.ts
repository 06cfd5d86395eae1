import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import type { Agenda } from '../platform/agenda.ts';
import type { SimulatedClock } from '../platform/clock.ts';
import { clockRoute, delaySchema, refOf, sendControlError } from '../platform/control.ts';
import { parse } from '../platform/errors.ts';
import type { KnobBoard } from '../platform/knob-board.ts';
import type { Ledger } from '../platform/ledger.ts';
import { checkoutParametersSchema, referenceSchema } from './checkout-parameters.ts';
import type { Decision, Decisions } from './decisions.ts';
import { type Knobs, knobPatchSchema } from './knobs.ts';
import type { LedgerEntry } from './ledger.ts';
import { presentTransaction, type Transactions } from './transactions.ts';

export interface ControlOptions {
  transactions: Transactions;
  decisions: Decisions;
  knobs: KnobBoard<Knobs>;
  ledger: Ledger<LedgerEntry>;
  clock: SimulatedClock;
  agenda: Agenda;
}

const knobQuerySchema = z.object({ ref: referenceSchema.optional() });

/** Routes that only the simulator has. Tests, the demo and developers control it with them. */
export function controlRoutes(app: FastifyInstance, options: ControlOptions, done: () => void): void {
  const { transactions, decisions, knobs, ledger, clock, agenda } = options;
  app.setErrorHandler(sendControlError);

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

  clockRoute(app, clock, agenda);
  app.get('/ledger', (_request, reply) => reply.send({ entries: ledger.entries }));
  app.post('/reset', (_request, reply) => {
    decisions.cancelAll();
    knobs.clear();
    transactions.clear();
    clock.reset();
    return reply.code(204).send();
  });
  done();
}
