import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import type { RowOf } from '../../../platform/database/rows.ts';
import type { Refusal } from '../contract/refusal.ts';
import { Payment } from './payment.entity.ts';

/** Returns a payment by its id or its reference. It is never kept in the caller's identity map, since other processes change the row. */
export function findPayment(em: EntityManager, key: number | string): Promise<Payment | null> {
  const where = typeof key === 'number' ? { id: key } : { reference: key };
  return em.fork().findOne(Payment, where, { orderBy: { id: 'asc' } });
}

/** The columns that the pages after a payment show. */
export interface LatestPayment extends RowOf<Payment, 'id' | 'reference' | 'provider' | 'status' | 'prepaNom' | 'amount'> {
  refusal: Refusal | null;
}

const latest = namedStatement<LatestPayment>({
  name: 'payment.latest',
  text: `select id, reference, provider, status, prepa_nom, amount, refusal
         from payment where user_id = $1 and prepa_id = $2 order by created_at desc, id desc limit 1`,
});

/** Returns the learner's last attempt to pay for this prepa; null when there is none. */
export const latestPayment = async (em: EntityManager, userId: string, prepaId: number): Promise<LatestPayment | null> =>
  (await latest(em, [userId, prepaId]))[0] ?? null;

const covered = namedStatement<{ covered: boolean }>({
  name: 'payment.covered',
  text: `select exists (select from payment where user_id = $1 and prepa_id = $2 and status = 'succeeded' and settled_at >= $3) as covered`,
});

/** Returns whether a payment of this learner for this prepa was verified at or after `since`. */
export const isCoveredByVerifiedPayment = async (em: EntityManager, userId: string, prepaId: number, since: Date): Promise<boolean> =>
  (await covered(em, [userId, prepaId, since]))[0]?.covered ?? false;

const ofLearner = namedStatement<{ id: number }>({
  name: 'payment.of-learner',
  text: `select id from payment where reference = $1 and user_id = $2 order by id limit 1`,
});

/** Returns the id of the learner's own payment with this reference; null for an unknown reference, and for a payment of another learner. */
export const findOwnPayment = async (em: EntityManager, userId: string, reference: string): Promise<number | null> =>
  (await ofLearner(em, [reference, userId]))[0]?.id ?? null;

const returned = namedStatement<{ id: number; prepaId: number | null }>({
  name: 'payment.returned',
  text: `select id, prepa_id from payment 
         where reference = any($1) or provider_transaction_id = any($1) order by (reference = any($1)) desc, id limit 1`,
});

/** Returns the payment of a returning browser, found by our references or the provider's; a match of ours has priority. */
export const findReturned = async (em: EntityManager, references: string[]) => (await returned(em, [references]))[0] ?? null;

/** Returns the number of a prepa's open payments, and a digest of their ids. */
export async function findOpenOf(em: EntityManager, prepaId: number): Promise<{ count: number; ids: string }> {
  const [row] = await em.execute<{ count: number; ids: string }[]>(
    `select count(*)::int as count, md5(coalesce(string_agg(id::text, ',' order by id), '')) as ids
     from payment where prepa_id = ? and status in ('created', 'pending')`,
    [prepaId],
  );
  return row ?? { count: 0, ids: '' };
}
