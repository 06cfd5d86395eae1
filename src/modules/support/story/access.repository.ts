import type { RowOf } from '../../../platform/database/rows.ts';
import type { Enrolment, EnrolmentExtension } from '../../enrolment/index.ts';

type Changed = 'id' | 'days' | 'source' | 'reason' | 'operator' | 'expiresBefore' | 'expiresAfter' | 'createdAt';

export interface DayChange extends RowOf<EnrolmentExtension, Changed> {
  /** The payment that added these days, or whose days were reversed. */
  paymentId: number | null;
}

/** Maximum number of changes of days that are read; the newest are read. */
export const maxChanges = 100;

/** A learner's access to the prepa of a payment. */
export interface AccessStory extends RowOf<Enrolment, 'statut' | 'dateInscription' | 'dateExpiration'> {
  /** Oldest first; only the newest 100. */
  changes: DayChange[];
}

type Stored<Row, Dates extends keyof Row> = Omit<Row, Dates> & Record<Dates, string>;
type StoredChange = Stored<DayChange, 'createdAt' | 'expiresAfter'> & { expiresBefore: string | null };

/** The access as stored in JSON, with dates as texts. */
export type StoredAccess = Omit<Stored<AccessStory, 'dateInscription' | 'dateExpiration'>, 'changes'> & { changes: StoredChange[] };

/** SQL of the access to which payment `p` of a statement belongs, with its history, as JSON; null before the first access. */
export const accessColumn = `(select jsonb_build_object('statut', e.statut, 'dateInscription', e.date_inscription, 'dateExpiration', e.date_expiration, 'changes',
                (select coalesce(jsonb_agg(jsonb_build_object('id', x.id, 'days', x.days, 'source', x.source, 'reason', x.reason, 'operator', x.operator,
                          'paymentId', x.about, 'expiresBefore', x.expires_before, 'expiresAfter', x.expires_after, 'createdAt', x.created_at)
                          order by x.id), '[]')
                 from (select x.*, coalesce(x.payment_id, r.payment_id) as about
                       from enrolment_extension x left join enrolment_extension r on r.id = x.reverses_id
                       where x.enrolment_id = e.id order by x.id desc limit ${maxChanges}) x))
         from enrolment e
         -- By the days that the payment opened, also when its prepa is gone.
         where e.id = coalesce((select enrolment_id from enrolment_extension where payment_id = p.id),
                               (select id from enrolment where user_id = p.user_id and prepa_id = p.prepa_id))) as access`;

export const readAccess = ({ statut, dateInscription, dateExpiration, changes }: StoredAccess): AccessStory => ({
  statut,
  dateInscription: new Date(dateInscription),
  dateExpiration: new Date(dateExpiration),
  changes: changes.map(changeOf),
});

const changeOf = (stored: StoredChange): DayChange => ({
  ...stored,
  expiresBefore: stored.expiresBefore === null ? null : new Date(stored.expiresBefore),
  expiresAfter: new Date(stored.expiresAfter),
  createdAt: new Date(stored.createdAt),
});
