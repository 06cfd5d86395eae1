import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SimulatedClock } from '../platform/clock.ts';
import { refOf } from '../platform/control.ts';
import { describeError } from '../platform/errors.ts';
import { cutOff, HTML_FAULT, hang } from '../platform/hang.ts';
import type { KnobBoard } from '../platform/knob-board.ts';
import type { Knobs } from './knobs.ts';
import type { Lifecycle } from './lifecycle.ts';
import { enveloped, presentCode, presentTransaction } from './payment-answer.ts';
import { isOpen, type Payment, type Payments } from './payments.ts';
import { scenarioOf } from './scenarios.ts';
import { readStartRequest } from './start-request.ts';

export interface PaymentOptions {
  payments: Payments;
  lifecycle: Lifecycle;
  knobs: KnobBoard<Knobs>;
  clock: SimulatedClock;
  publicKey: string;
  /** Whether amounts and references choose scenarios. */
  scenarios: boolean;
}

/** Texts of responses. Texts that docs/payment-providers.md §4 does not give are unconfirmed. */
const TEXTS: Record<number, [status: string, message: string]> = {
  400: ['Bad Request', 'Bad request'],
  401: ['Unauthorized', 'Invalid public key'],
  403: ['Forbidden', 'Business not allowed'],
  404: ['Not Found', 'Payment not found'],
  409: ['Conflict', 'Duplicate reference'],
  422: ['Unprocessable Entity', 'The given data was invalid'],
  429: ['Too Many Requests', 'Too many requests'],
  500: ['Internal Server Error', 'Server error'],
};

/** Sends an error in the form of the provider's API. */
export function refuse(reply: FastifyReply, code: number, more: object = {}): FastifyReply {
  const [status, message] = TEXTS[code] ?? ['Error', 'Error'];
  return reply.code(code).send({ status, code, message, ...more });
}

/** The provider's API: start, verify, cancel (payment-providers.md §4), with the faults set by knobs. */
export function paymentRoutes(app: FastifyInstance, options: PaymentOptions, done: () => void): void {
  const { payments, lifecycle, knobs, clock, publicKey, scenarios } = options;

  app.setErrorHandler((error, request, reply) => {
    const { statusCode, message } = describeError(error);
    if (statusCode >= 500) request.log.error(error);
    return refuse(reply, statusCode, { message });
  });
  app.addHook('onRequest', async (request, reply) => {
    // The header holds the bare key, without "Bearer".
    if (request.headers.authorization !== publicKey) return refuse(reply, 401);
  });

  function refuseForNow(reply: FastifyReply, { retryAfterSeconds, retryAfterFormat }: Knobs): FastifyReply {
    const date = () => new Date(Math.ceil(clock.now() / 1000 + retryAfterSeconds) * 1000).toUTCString();
    return refuse(reply.header('retry-after', retryAfterFormat === 'date' ? date() : retryAfterSeconds), 429);
  }

  const sendHtml = (reply: FastifyReply) => reply.type('text/html; charset=utf-8').send(HTML_FAULT);

  function applyScenario(ref: string, amount: number): string | null {
    const scenario = scenarios && ref !== '' ? scenarioOf(ref, amount) : null;
    // Knobs set explicitly override the scenario.
    if (scenario) knobs.suggest(scenario.knobs, ref);
    return scenario?.label ?? null;
  }

  function presentStart(payment: Payment, request: FastifyRequest): Record<string, unknown> {
    const settings = knobs.effective(payment.ref);
    const transaction = {
      ...presentTransaction(payment, settings),
      amount: payment.amount,
      currency: payment.currency,
      status: payment.status,
    };
    return {
      status: 'Accepted',
      code: presentCode(settings.startHttpStatus, settings),
      message: 'Payment initialized',
      ...enveloped(settings.transactionShape === 'string' ? payment.transactionReference : transaction, settings),
      authorization_url: settings.authorizationUrl ?? `${request.protocol}://${request.host}/checkout/${payment.token}`,
    };
  }

  app.post('/payments', async (request, reply) => {
    const given = (request.body as { reference?: unknown } | null)?.reference;
    const named = typeof given === 'string' ? given : '';
    const read = readStartRequest(request.body, knobs.effective(named).strictPhone);
    if ('faults' in read) return refuse(reply, 422, { errors: read.faults });

    const scenario = applyScenario(named, read.request.amount);
    const fault = knobs.takeFault('startFaults', named);
    if (fault === 'html') return sendHtml(reply);
    if (fault === 'http429') return refuseForNow(reply, knobs.effective(named));
    if (fault?.startsWith('http')) return refuse(reply, Number(fault.slice(4)));

    const payment = payments.open(read.request, clock.now());
    if (!payment) return refuse(reply, 409);
    payment.scenario = scenario;
    await lifecycle.begin(payment);
    if (fault === 'lost') return cutOff(reply);
    if (fault === 'hang' && !(await hang(reply, knobs.effective(named).hangMs))) return reply;
    return reply.code(knobs.effective(payment.ref).startHttpStatus).send(presentStart(payment, request));
  });

  app.get('/payments/:ref', async (request, reply) => {
    const payment = payments.find(refOf(request));
    // Faults set for the merchant's reference also apply to the provider's.
    const ref = payment?.ref ?? refOf(request);
    const settings = knobs.effective(ref);
    const fault = knobs.takeFault('verifyFaults', ref);
    if (fault === 'html') return sendHtml(reply);
    if (fault === 'http429') return refuseForNow(reply, settings);
    if (fault?.startsWith('http')) return refuse(reply, Number(fault.slice(4)));
    if (fault === 'hang' && !(await hang(reply, settings.hangMs))) return reply;

    if (!payment) return refuse(reply, 404);
    lifecycle.settleDue(payment);
    const { verifyHttpStatus: status } = settings;
    const transaction = fault === 'bare-reference' ? payment.transactionReference : presentTransaction(payment, settings);
    return reply.code(status).send({
      status: status === 202 ? 'Accepted' : 'OK',
      code: presentCode(status, settings),
      message: 'Payment retrieved',
      ...enveloped(transaction, settings),
    });
  });

  app.delete('/payments/:ref', async (request, reply) => {
    const payment = payments.find(refOf(request));
    if (!payment) return refuse(reply, 404);
    lifecycle.settleDue(payment);
    if (!isOpen(payment)) return refuse(reply, 409, { message: 'Payment cannot be canceled' });
    const { afterResponse } = await lifecycle.decide(payment, 'canceled');
    reply.raw.once('close', afterResponse);
    return reply.code(202).send({ status: 'Accepted', code: 202, message: 'Payment canceled' });
  });
  done();
}
