import type { EntityManager } from '@mikro-orm/postgresql';
import type { Config } from '../../../platform/settings/config.ts';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { paymentSystemUnavailable } from '../ledger/payment.errors.ts';
import type { PaymentProviders } from '../providers/provider.registry.ts';
import { type Settlement, settlePayment } from '../settlement/settle.service.ts';
import { startPayment } from './start.service.ts';

/** Whose simulator can be played: the one with a widget, whichever is the default. */
const simulated = 'zitopay';

/** The trial page may offer it: learners may pay with that provider. */
export const canSimulate = (config: Pick<Config, 'paymentSimulation'>, providers: PaymentProviders): boolean =>
  config.paymentSimulation && providers.list().some(({ slug }) => slug === simulated);

/**
 * The trial page's demonstration: plays the payer at the provider's simulator through its control routes. The payment itself takes the
 * ordinary way, start and verification; neither the adapter nor the settling knows of it. Never in production (PAYMENT_SIMULATION).
 * @throws AppError 404 unless the prepa is published; 503 when no simulator answers
 */
export async function payBySimulation(
  em: EntityManager,
  context: UseCaseContext,
  providers: PaymentProviders,
  input: Omit<Parameters<typeof startPayment>[3], 'provider'>,
  simulator: { baseUrl: string; timeoutMs: number },
  choice: 'success' | 'failure',
): Promise<Settlement> {
  const { payment, checkout } = await startPayment(em, context, providers, { ...input, provider: simulated, anotherAttempt: true });
  if (checkout.kind !== 'widget') throw paymentSystemUnavailable();

  async function control(path: string, body: object): Promise<void> {
    try {
      const response = await fetch(`${simulator.baseUrl}/control/transactions${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(simulator.timeoutMs),
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`the simulator answered ${response.status}`);
    } catch (error) {
      throw paymentSystemUnavailable(error);
    }
  }
  await control('', checkout.options);
  await control(`/${encodeURIComponent(payment.reference)}/${choice === 'success' ? 'approve' : 'decline'}`, {});
  return settlePayment(em, context, providers, payment.id, 'learner');
}
