import type { FastifyRequest } from 'fastify';
import { type PaymentKernel, type Settlement, settlePayment, withinTimeout } from '../../payment/index.ts';

/**
 * Asks the provider about a learner's payment.
 * @param key the payment's id or its reference
 * @returns null when the provider has not answered within the page's timeout, or no request could be sent
 */
export function settleWithTimeout(
  kernel: PaymentKernel,
  { context, log }: FastifyRequest,
  key: number | string,
): Promise<Settlement | null> {
  const asked = settlePayment(kernel.fork(), context, kernel.providers, key, 'learner').catch((error: unknown) => {
    log.error({ err: error }, 'payment could not be settled');
    return null;
  });
  return withinTimeout(asked);
}
