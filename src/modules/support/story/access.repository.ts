import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import type { RowOf } from '../../../platform/database/rows.ts';
import type { Enrolment, EnrolmentExtension } from '../../enrolment/index.ts';

type Changed = 'id' | 'days' | 'source' | 'reason' | 'operator' | 'expiresBefore' | 'expiresAfter' | 'createdAt';

export interface DayChange extends RowOf<EnrolmentExtension, Changed> {
  /** The payment that added them, or whose days these take back. */
  paymentId: number | null;
}

/** Changes of days that are read, at most: the newest. */
export const maxChanges = 100;

/** A learner's access to the prepa of a payment. */
export interface AccessStory extends RowOf<Enrolment, 'statut' | 'dateInscription' | 'dateExpiration'> {
  /** Oldest first; the newest 100. */
  changes: DayChange[];
}

type Stored<Row, Dates extends keyof Row> = Omit<Row, Dates> & Record<Dates, string>;
type StoredChange = Stored<DayChange, 'createdAt' | 'expiresAfter'> & { expiresBefore: string | null };

const access = namedStatement<Omit<AccessStory, 'changes'> & { changes: StoredChange[] }>({
  name: 'enrolment.access-story',
  text: `select e.statut, e.date_inscription, e.date_expiration,
                (select coalesce(jsonb_agg(jsonb_build_object('id', x.id, 'days', x.days, 'source', x.source, 'reason', x.reason, 'operator', x.operator,
                          'paymentId', x.about, 'expiresBefore', x.expires_before, 'expiresAfter', x.expires_after, 'createdAt', x.created_at)
                          order by x.id), '[]')
                 from (select x.*, coalesce(x.payment_id, r.payment_id) as about
                       from enrolment_extension x left join enrolment_extension r on r.id = x.reverses_id
                       where x.enrolment_id = e.id order by x.id desc limit ${maxChanges}) x) as changes
         from enrolment e
         -- By the days that the payment opened, also when its prepa is gone.
         where e.id = coalesce((select enrolment_id from enrolment_extension where payment_id = $3),
                               (select id from enrolment where user_id = $1 and prepa_id = $2))`,
});

/** The access that a payment is about, with its history; null before there was any. One statement. */
export async function findAccessStory(
  em: EntityManager,
  payment: { id: number; userId: string; prepaId: number | null },
): Promise<AccessStory | null> {
  const [row] = await access(em, [payment.userId, payment.prepaId, payment.id]);
  if (!row) return null;
  const { statut, dateInscription, dateExpiration, changes } = row;
  return { statut, dateInscription, dateExpiration, changes: changes.map(changeOf) };
}

const changeOf = (stored: StoredChange): DayChange => ({
  ...stored,
  expiresBefore: stored.expiresBefore === null ? null : new Date(stored.expiresBefore),
  expiresAfter: new Date(stored.expiresAfter),
  createdAt: new Date(stored.createdAt),
});
