import type { EntityManager } from '@mikro-orm/postgresql';
import type { PaymentProviders } from '../../payment/index.ts';
import { type AccessStory, findAccessStory } from './access.repository.ts';
import { type PresentedStory, presentStory } from './story.presenter.ts';
import { type PaymentStory, showPayment } from './story.repository.ts';

export interface WholeStory {
  payment: PaymentStory;
  /** The learner's access to its prepa; null before there was any. */
  access: AccessStory | null;
  /** The same in French. */
  story: PresentedStory;
}

/**
 * A payment with all that happened to it and to its learner's access, for the page and the terminal: three statements. Null for an unknown one.
 * @param key its id, its reference, or the provider's id
 */
export async function findWholeStory(
  em: EntityManager,
  providers: PaymentProviders,
  key: number | string,
  now: Date,
): Promise<WholeStory | null> {
  const payment = await showPayment(em, key);
  if (!payment) return null;
  const access = await findAccessStory(em, payment);
  const signs = providers.get(payment.provider)?.signsNotifications ?? false;
  return { payment, access, story: presentStory(payment, access, { signs, now }) };
}
