import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Agenda } from './agenda.ts';
import type { SimulatedClock } from './clock.ts';
import { describeError, parse } from './errors.ts';

export const delaySchema = z.strictObject({ delayMs: z.int().min(1).max(86_400_000) });

/** 31 days at most. */
const advanceSchema = z.strictObject({
  advanceMs: z
    .int()
    .min(0)
    .max(31 * 86_400_000),
});

export const refOf = (request: FastifyRequest) => (request.params as { ref: string }).ref;

/** Sends an error of the control routes: `{ message }`, in French. */
export function sendControlError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { statusCode, message } = describeError(error);
  if (statusCode >= 500) request.log.error(error);
  return reply.code(statusCode).send({ message });
}

/** POST /clock: moves the time forward (by 0 to only read it) and responds once every task that is due has run. */
export function clockRoute(app: FastifyInstance, clock: SimulatedClock, agenda: Agenda): void {
  app.post('/clock', async (request, reply) => {
    clock.advance(parse(advanceSchema, request.body).advanceMs);
    await agenda.runDue();
    return reply.send({ now: new Date(clock.now()).toISOString() });
  });
}
