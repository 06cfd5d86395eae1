import type { EntityManager } from '@mikro-orm/postgresql';
import type { Config } from '../../../platform/settings/config.ts';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { paymentSystemUnavailable } from '../ledger/payment.errors.ts';
import type { PaymentProviders } from '../providers/provider.registry.ts';
import { type Settlement, settlePayment } from '../settlement/settle.service.ts';
import { startPayment } from './start.service.ts';

/** Returns the first chosen provider whose simulator can act as the payer. */
const playable = (providers: PaymentProviders) => providers.list().find(({ playPayer }) => playPayer !== null);

/** Returns whether the trial page may offer the simulation: it needs a chosen provider with a simulator. */
export const canSimulate = (config: Pick<Config, 'paymentSimulation'>, providers: PaymentProviders): boolean =>
  config.paymentSimulation && playable(providers) !== undefined;

/**
 * Simulates a payer at the provider's simulator, for the trial page. The payment is started and verified like any other; settling
 * does not know about the simulation. Never in production (PAYMENT_SIMULATION).
 * @throws AppError 404 unless the prepa is published; 503 when no simulator responds
 */
export async function payBySimulation(
  em: EntityManager,
  context: UseCaseContext,
  providers: PaymentProviders,
  input: Omit<Parameters<typeof startPayment>[3], 'provider'>,
  choice: 'success' | 'failure',
): Promise<Settlement> {
  const provider = playable(providers);
  if (!provider?.playPayer) throw paymentSystemUnavailable();
  const { payment, checkout } = await startPayment(em, context, providers, { ...input, provider: provider.slug, anotherAttempt: true });
  if (checkout.kind !== 'widget') throw paymentSystemUnavailable();
  await provider.playPayer(checkout.options, choice).catch((error: unknown) => {
    throw paymentSystemUnavailable(error);
  });
  return settlePayment(em, context, providers, payment.id, 'learner');
}
