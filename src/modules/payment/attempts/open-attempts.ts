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
    autres: presentOthers(open - 1),
  };
}

/** Only the latest open attempt is shown; the learner may have paid by one of the others. */
const presentOthers = (others: number): string | null => {
  if (others <= 0) return null;
  const [what, check] =
    others === 1 ? ['Un autre paiement est ouvert', 'il se vérifie'] : [`${others} autres paiements sont ouverts`, 'ils se vérifient'];
  return `${what} pour cette préparation : ${check} dans Mes paiements.`;
};

/** An open attempt as `openAttemptSql` reads it: JSON has no dates. */
export type OpenAttemptColumn = (Omit<Parameters<typeof presentOpenAttempt>[1], 'createdAt'> & { createdAt: string }) | null;

/** SQL over two parameters or columns: a learner's latest open attempt at a prepa as an `OpenAttemptColumn`, for statements of other modules. */
export const openAttemptSql = (user: string, prepa: string): string =>
  `(select json_build_object('reference', reference, 'provider', provider, 'amount', amount, 'createdAt', created_at, 'open', count(*) over ())
    from payment where user_id = ${user} and prepa_id = ${prepa} and status in ('created', 'pending') and not start_unanswered
    order by id desc limit 1)`;

/** The attempt as the payment dialog looks it up, by its prepa. */
export const presentAttemptAt = (providers: PaymentProviders, prepaId: number, row: OpenAttemptColumn): Record<number, OpenAttempt> =>
  row ? { [prepaId]: presentOpenAttempt(providers, { ...row, createdAt: new Date(row.createdAt) }) } : {};

/** Where the provider's address serves once, nothing opens again; nor does one that is no longer chosen. */
export const opensAgain = (providers: PaymentProviders, slug: string): boolean =>
  providers.list().some((provider) => provider.slug === slug && provider.reopens);
