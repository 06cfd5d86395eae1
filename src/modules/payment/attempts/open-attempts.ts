import type { EntityManager } from '@mikro-orm/postgresql';
import type { IslandProps } from '../../../platform/pages/islands.ts';
import { formatInstant } from '../../../shared/dates.ts';
import { formatXaf } from '../../../shared/money.ts';
import { Payment } from '../ledger/payment.entity.ts';
import type { PaymentProviders } from '../providers/provider.registry.ts';

/** Maximum number of open attempts of a learner for one prepa. At this number, the latest is shown and no new one is created. */
export const maxOpenAttempts = 3;

/**
 * Returns a learner's attempts for one prepa that have no outcome yet and can still be paid, latest first.
 * Attempts whose start got no response are left out: no payer has seen their checkout.
 */
export function findOpenAttempts(em: EntityManager, userId: string, prepaId: number, limit: number): Promise<Payment[]> {
  return em.find(
    Payment,
    { user: userId, prepa: prepaId, status: { $in: ['created', 'pending'] }, startUnanswered: false },
    { orderBy: { id: 'desc' }, limit },
  );
}

/** The data shown of an open attempt before a new payment starts. */
export type OpenAttempt = NonNullable<IslandProps<'payment'>['attempts']>[number];

/**
 * @param attempt the payment's row, or the columns that another module has read; `open`: number of the learner's open attempts for
 * this prepa
 */
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

/**
 * Returns the note about the learner's other open attempts; null when there are none. Only the latest is shown, but the learner may
 * have paid by another one.
 */
const presentOthers = (others: number): string | null => {
  if (others <= 0) return null;
  const [what, check] =
    others === 1 ? ['Un autre paiement est ouvert', 'il se vérifie'] : [`${others} autres paiements sont ouverts`, 'ils se vérifient'];
  return `${what} pour cette préparation : ${check} dans Mes paiements.`;
};

/** An open attempt as read by `openAttemptSql`. The date is a text, since JSON has no dates. */
export type OpenAttemptColumn = (Omit<Parameters<typeof presentOpenAttempt>[1], 'createdAt'> & { createdAt: string }) | null;

/**
 * Returns SQL of a learner's latest open attempt for a prepa (`OpenAttemptColumn`), for statements of other modules. Both parameters
 * are SQL placeholders or columns.
 */
export const openAttemptSql = (user: string, prepa: string): string =>
  `(select json_build_object('reference', reference, 'provider', provider, 'amount', amount, 'createdAt', created_at, 'open', count(*) over ())
    from payment where user_id = ${user} and prepa_id = ${prepa} and status in ('created', 'pending') and not start_unanswered
    order by id desc limit 1)`;

/** Returns the attempt by its prepa's id, as the payment dialog needs it. */
export const presentAttemptAt = (providers: PaymentProviders, prepaId: number, row: OpenAttemptColumn): Record<number, OpenAttempt> =>
  row ? { [prepaId]: presentOpenAttempt(providers, { ...row, createdAt: new Date(row.createdAt) }) } : {};

/**
 * Returns whether the attempt's checkout can be opened again. It cannot when the provider's address works only once, or the provider
 * is no longer chosen.
 */
export const opensAgain = (providers: PaymentProviders, slug: string): boolean =>
  providers.list().some((provider) => provider.slug === slug && provider.reopens);
