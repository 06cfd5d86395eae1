import type { EntityManager } from '@mikro-orm/postgresql';
import type { IslandProps } from '../../../platform/pages/islands.ts';
import { formatInstant } from '../../../shared/dates.ts';
import { formatXaf } from '../../../shared/money.ts';
import { Payment } from '../ledger/payment.entity.ts';
import type { PaymentProviders } from '../providers/provider.registry.ts';

/** A learner has no more of them at one prepa: instead of one more, the latest is shown again. */
export const maxOpenAttempts = 3;

/**
 * A learner's attempts at one prepa that have no outcome yet and can still be paid, the latest first. One whose start had no answer is none of them: its
 * checkout has reached nobody.
 */
export function findOpenAttempts(em: EntityManager, userId: string, prepaId: number, limit: number): Promise<Payment[]> {
  return em.find(
    Payment,
    { user: userId, prepa: prepaId, status: { $in: ['created', 'pending'] }, startUnanswered: false },
    { orderBy: { id: 'desc' }, limit },
  );
}

/** What is shown of an open attempt before money is taken once more. */
export type OpenAttempt = NonNullable<IslandProps<'payment'>['attempts']>[number];

/** @param attempt its row, or what another module has read of it; `open`: how many the learner has at this prepa */
export function presentOpenAttempt(
  providers: PaymentProviders,
  { reference, provider, amount, createdAt, open }: Pick<Payment, 'reference' | 'provider' | 'amount' | 'createdAt'> & { open: number },
): OpenAttempt {
  return {
    reference,
    provider,
    label: providers.get(provider)?.label ?? provider,
    montant: formatXaf(amount),
    begun: formatInstant(createdAt),
    resumable: opensAgain(providers, provider),
    mayBeginAnother: open < maxOpenAttempts,
  };
}

/** Where the provider's address serves once, nothing opens again; nor does one that is no longer chosen. */
export const opensAgain = (providers: PaymentProviders, slug: string): boolean =>
  providers.list().some((provider) => provider.slug === slug && provider.reopens);
