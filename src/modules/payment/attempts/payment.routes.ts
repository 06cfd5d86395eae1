import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { invalidRequest } from '../../../platform/errors.ts';
import { isFormPost, wantsHtml } from '../../../platform/http/negotiation.ts';
import { withZod } from '../../../platform/http/validators.ts';
import type { RequestLimit } from '../../../platform/limits/request-limit.ts';
import type { Config } from '../../../platform/settings/config.ts';
import { sessionExpired } from '../../identity/index.ts';
import { paymentNotFound, paymentSystemUnavailable, signInToPay } from '../ledger/payment.errors.ts';
import { findOwnPayment } from '../ledger/payment.repository.ts';
import type { PaymentProviders } from '../providers/provider.registry.ts';
import { settlePayment } from '../settlement/settle.service.ts';
import { presentSettlement, presentStarted } from './payment.presenter.ts';
import { processAnswer, processBody, startAnswer, startBody } from './payment.schemas.ts';
import { canSimulate, payBySimulation } from './simulation.ts';
import { type StartedPayment, startPayment } from './start.service.ts';

interface PaymentRoutesOptions {
  config: Config;
  providers: PaymentProviders;
  limit: RequestLimit;
}

/** Calls that start a payment and check its outcome. */
export const paymentRoutes: FastifyPluginAsync<PaymentRoutesOptions> = async (instance, { config, providers, limit }) => {
  const app = withZod(instance).withTypeProvider<ZodTypeProvider>();

  /** Guard for learners, run before the body is parsed. Its messages follow the specification for payments (§5, §8). */
  async function requirePayer(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (request.learner) return limit.consume(request.learner.id);
    if (wantsHtml(request)) return app.requireLearner(request, reply);
    throw request.sessionExpired ? sessionExpired() : signInToPay();
  }
  const newPayment = (request: FastifyRequest, prepaId: number) => ({
    learner: request.signedInLearner,
    prepaId,
    origin: app.siteOrigin(request),
    maxNewAttempts: config.limits.paymentStartsPerLearner,
  });
  const preValidation = [requirePayer];

  app.post('/payment/start', { preValidation, schema: { body: startBody, response: { 200: startAnswer } } }, async (request, reply) => {
    const { prepaId, provider, anotherAttempt, resume } = request.body;
    const input = { ...newPayment(request, prepaId), provider, anotherAttempt };
    const started = await startPayment(request.em, request.context, providers, input);
    if (isFormPost(request))
      return reply.redirect(addressOf(started, prepaId, { resume, provider: provider ?? providers.default.slug }), 303);
    return reply.header('cache-control', 'no-store').send(presentStarted(started, providers));
  });

  app.post(
    '/payment/process',
    { preValidation, schema: { body: processBody, response: { 200: processAnswer } } },
    async (request, reply) => {
      const { transactionReference, prepaId, simulationStatus } = request.body;
      const learner = request.signedInLearner;
      reply.header('cache-control', 'no-store');
      if (transactionReference !== undefined) {
        const id = await findOwnPayment(request.em, learner.id, transactionReference);
        if (id === null) throw paymentNotFound();
        return presentSettlement(await settlePayment(request.em, request.context, providers, id, 'learner'));
      }
      const simulated = simulationStatus === 'success' || simulationStatus === 'failure';
      if (!config.paymentSimulation || !simulated) {
        throw invalidRequest([{ field: 'transactionReference', message: 'Référence de paiement invalide' }]);
      }
      if (prepaId === undefined) throw invalidRequest([{ field: 'prepaId', message: 'Identifiant de préparation invalide' }]);
      if (!canSimulate(config, providers)) throw paymentSystemUnavailable();
      const input = newPayment(request, prepaId);
      return presentSettlement(await payBySimulation(request.em, request.context, providers, input, simulationStatus));
    },
  );
};

/**
 * Returns the address for a form: the provider's page, or the dialog with the open attempt if the learner did not choose that
 * attempt.
 */
function addressOf(
  { payment, checkout, open }: StartedPayment,
  prepaId: number,
  { resume, provider }: { resume: string | undefined; provider: string },
): string {
  const meant = open === 0 || resume === payment.reference || (resume === undefined && payment.provider === provider);
  if (checkout.kind === 'held' || !meant) return `/user/dashboard?paiement=${prepaId}`;
  return checkout.kind === 'widget' ? checkout.checkoutUrl : checkout.redirectUrl;
}
