import type { EntityManager } from '@mikro-orm/postgresql';
import type { PaymentProviders } from '../../payment/index.ts';
import { findAccessStory } from './access.repository.ts';
import { presentStory } from './story.presenter.ts';
import { showPayment } from './story.repository.ts';

/**
 * A payment with all that happened to it and to its learner's access, for the page and the terminal: three statements. Null for an unknown one.
 * @param key its id, its reference, or the provider's id
 */
export async function findWholeStory(em: EntityManager, providers: PaymentProviders, key: number | string, now: Date) {
  const payment = await showPayment(em, key);
  if (!payment) return null;
  const access = await findAccessStory(em, payment);
  const signs = providers.get(payment.provider)?.signsNotifications ?? false;
  return { payment, access, story: presentStory(payment, access, { signs, now }) };
}

export type WholeStory = NonNullable<Awaited<ReturnType<typeof findWholeStory>>>;
