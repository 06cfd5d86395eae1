import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import type { RowOf } from '../../../platform/database/rows.ts';
import type { PrepaRow } from '../../catalogue/index.ts';
import type { EnrolmentRow } from '../../enrolment/index.ts';
import type { Payment } from '../../payment/index.ts';
import { contentsOf, type PrepaContents } from '../contents/contents.repository.ts';

/** A published prepa (`id` is null without), a learner's enrolment (`enrolmentId` is null without), or both of one prepa. */
interface CatalogueRow extends Omit<PrepaRow, 'id'>, Omit<EnrolmentRow, 'id'> {
  id: number | null;
  enrolmentId: number | null;
  /** The learner's latest payment for it that is still open; null without one. */
  openReference: string | null;
  openProvider: string;
  openAmount: number;
  openAt: Date;
  /** How many of them there are. */
  openCount: number;
  /** Of the prepa that is asked about; JSON has no dates. */
  contents: (Omit<PrepaContents, 'changedAt'> & { changed_at: string | null }) | null;
}

/** An attempt at a published prepa that has no outcome yet. */
export interface OpenPaymentRow extends RowOf<Payment, 'reference' | 'provider' | 'amount' | 'createdAt'> {
  prepaId: number;
  /** How many the learner has at this prepa; this is the latest. */
  open: number;
}

const catalogueOf = namedStatement<CatalogueRow>({
  name: 'enrolment.catalogue-of-learner',
  text: `select p.id, p.nom, p.description, p.prix, p.image, p.is_published, p.auteur_id as auteur,
                e.id as enrolment_id, e.prepa_id, e.prepa_nom, e.statut, e.date_inscription, e.date_expiration,
                o.reference as open_reference, o.provider as open_provider, o.amount as open_amount, o.created_at as open_at, o.open_count,
                case when p.id = $2 then (select row_to_json(c) from (${contentsOf('$2')}) c) end as contents
         from (select * from prepa where is_published order by id limit 200) p
         full join (select e.id, e.prepa_id, coalesce(q.nom, e.prepa_nom) as prepa_nom, e.statut, e.date_inscription, e.date_expiration
                    from enrolment e left join prepa q on q.id = e.prepa_id
                    where e.user_id = $1 order by (e.statut = 'active') desc, e.date_expiration desc limit 200) e on e.prepa_id = p.id
         left join (select distinct on (prepa_id) prepa_id, reference, provider, amount, created_at,
                           count(*) over (partition by prepa_id)::int as open_count from payment
                    where user_id = $1 and status in ('created', 'pending') and not start_unanswered
                    order by prepa_id, id desc) o on o.prepa_id = p.id
              -- A learner who has paid by another attempt since is not invited to pay again.
              and not exists (select from payment paid where paid.user_id = $1 and paid.prepa_id = o.prepa_id
                              and paid.status = 'succeeded' and paid.settled_at >= o.created_at)
         order by p.id, (e.statut = 'active') desc, e.date_expiration desc`,
});

/**
 * The published prepas, a learner's enrolments and their open payments for published prepas, and what one prepa holds: one statement for all, since a
 * page may ask four. Prepas in the order of their creation; enrolments the active ones first, then by their end, the latest first; payments the latest first.
 */
export async function findCatalogueOf(
  em: EntityManager,
  userId: string,
  asked: number | null = null,
): Promise<{ prepas: PrepaRow[]; enrolments: EnrolmentRow[]; openPayments: OpenPaymentRow[]; contents: PrepaContents | null }> {
  const rows = await catalogueOf(em, [userId, asked]);
  const prepas = rows.filter((row): row is CatalogueRow & { id: number } => row.id !== null);
  const enrolments = rows.flatMap(({ enrolmentId: id, prepaId, prepaNom, statut, dateInscription, dateExpiration }) =>
    id === null ? [] : [{ id, prepaId, prepaNom, statut, dateInscription, dateExpiration }],
  );
  const rank = (enrolment: EnrolmentRow) => (enrolment.statut === 'active' ? 0 : 1);
  enrolments.sort((one, other) => rank(one) - rank(other) || Number(other.dateExpiration) - Number(one.dateExpiration));
  const openPayments = rows.flatMap(
    ({ id, openReference: reference, openProvider: provider, openAmount: amount, openAt: createdAt, openCount: open }) =>
      id === null || reference === null ? [] : [{ prepaId: id, reference, provider, amount, createdAt, open }],
  );
  openPayments.sort((one, other) => Number(other.createdAt) - Number(one.createdAt));
  const found = rows.find(({ contents }) => contents !== null)?.contents;
  const contents = found ? { ...found, changedAt: found.changed_at === null ? null : new Date(found.changed_at) } : null;
  return { prepas, enrolments, openPayments, contents };
}
