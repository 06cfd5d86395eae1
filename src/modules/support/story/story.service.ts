import type { EntityManager } from '@mikro-orm/postgresql';
import type { PaymentProviders } from '../../payment/index.ts';
import { presentStory } from './story.presenter.ts';
import { readStory } from './story.repository.ts';

/**
 * Returns a payment with its full history and its learner's access, for the page and the command line: two statements. Null for an
 * unknown payment.
 * @param key its id, its reference, or the provider's id
 */
export async function findWholeStory(em: EntityManager, providers: PaymentProviders, key: number | string, now: Date) {
  const found = await readStory(em, key);
  if (!found) return null;
  const { payment, access } = found;
  const signs = providers.get(payment.provider)?.signsNotifications ?? false;
  return { payment, access, story: presentStory(payment, access, { signs, now }) };
}

export type WholeStory = NonNullable<Awaited<ReturnType<typeof findWholeStory>>>;
