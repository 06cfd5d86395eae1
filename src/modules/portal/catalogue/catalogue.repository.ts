import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import type { RowOf } from '../../../platform/database/rows.ts';
import type { PrepaRow } from '../../catalogue/index.ts';
import type { EnrolmentRow } from '../../enrolment/index.ts';
import type { Payment } from '../../payment/index.ts';
import { contentsOf, type PrepaContents } from '../contents/contents.repository.ts';
import type { PageAsked, PublishedPage } from './published-page.repository.ts';
import type { FindPublishedPage } from './published-pages.ts';

/** A learner's enrolment (`enrolmentId` is null without), their open payments for a published prepa, or the prepa that is asked about. */
interface OwnRow extends Omit<PrepaRow, 'id'>, Omit<EnrolmentRow, 'id'> {
  /** Of the whole catalogue, null when nothing says it; in each row, and in one that holds nothing else. */
  revision: string | null;
  /** Of a published prepa, as what describes it; null for another. */
  id: number | null;
  enrolmentId: number | null;
  /** The latest payment that is still open; null without one. */
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

/** What describes `p`, and what a row that is none has in the place of an enrolment or a payment. */
const prepa = 'p.nom, p.description, p.prix, p.image, p.is_published, p.auteur_id as auteur';
const noEnrolment =
  'null::int as enrolment_id, null::int as prepa_id, null::text as prepa_nom, null::text as statut, null::timestamptz as date_inscription, null::timestamptz as date_expiration';
const noPayment =
  'null::text as open_reference, null::text as open_provider, null::int as open_amount, null::timestamptz as open_at, null::int as open_count';

/** What of the catalogue is a learner's, $1. @param more further rows; what it asks about is $2 */
const ownOf = (name: string, more = '') =>
  namedStatement<OwnRow>({
    name,
    text: `select c.revision, own.* from (select (select revision from catalogue_revision) as revision) c left join (
             (select case when p.is_published then p.id end as id, ${prepa},
                     e.id as enrolment_id, e.prepa_id, coalesce(p.nom, e.prepa_nom) as prepa_nom, e.statut, e.date_inscription, e.date_expiration,
                     ${noPayment}, null::json as contents
              from enrolment e left join prepa p on p.id = e.prepa_id
              where e.user_id = $1 order by (e.statut = 'active') desc, e.date_expiration desc limit 200)
             union all
             (select p.id, ${prepa}, ${noEnrolment}, o.reference, o.provider, o.amount, o.created_at, o.open_count, null
              from (select distinct on (prepa_id) prepa_id, reference, provider, amount, created_at, count(*) over (partition by prepa_id)::int as open_count
                    from payment where user_id = $1 and status in ('created', 'pending') and not start_unanswered order by prepa_id, id desc) o
                   join prepa p on p.id = o.prepa_id and p.is_published)
             ${more}) own on true`,
  });

const own = ownOf('portal.own-catalogue');
const ownAndAsked = ownOf(
  'portal.own-catalogue-and-asked',
  `union all
   select p.id, ${prepa}, ${noEnrolment}, ${noPayment}, (select row_to_json(c) from (${contentsOf('p.id')}) c)
   from prepa p where p.id = $2::int and p.is_published`,
);

interface CatalogueAsked extends PageAsked {
  /** A prepa that is to be paid for, on the page or not. */
  chosen?: number | undefined;
}

/**
 * A page of the published prepas, a learner's enrolments, their open payments for published prepas, and what one prepa holds: one statement for all that is the
 * learner's, since a page may ask four, and for the others as often as they change. Prepas in the order of their creation; enrolments the active ones first, then
 * by their end, the latest first; payments the latest first. `others` are published prepas that stand on no such page, and that the learner has something to do
 * with.
 */
export async function findCatalogueOf(
  em: EntityManager,
  findPage: FindPublishedPage,
  userId: string,
  { chosen, ...asked }: CatalogueAsked,
): Promise<{
  catalogue: PublishedPage;
  /** Of the catalogue as it stood, or has stood a moment before. */
  revision: string | null;
  others: PrepaRow[];
  enrolments: EnrolmentRow[];
  openPayments: OpenPaymentRow[];
  contents: PrepaContents | null;
}> {
  const rows = await (chosen === undefined ? own(em, [userId]) : ownAndAsked(em, [userId, chosen]));
  const revision = rows[0]?.revision ?? null;
  const catalogue = await findPage(em, revision, asked);
  const onPage = new Set(catalogue.prepas.map(({ id }) => id));
  const others = new Map<number, PrepaRow>();
  for (const { id, nom, description, prix, image, isPublished, auteur } of rows) {
    if (id !== null && !onPage.has(id)) others.set(id, { id, nom, description, prix, image, isPublished, auteur });
  }
  const enrolments = rows.flatMap(({ enrolmentId: id, prepaId, prepaNom, statut, dateInscription, dateExpiration }) =>
    id === null ? [] : [{ id, prepaId, prepaNom, statut, dateInscription, dateExpiration }],
  );
  const rank = ({ statut }: EnrolmentRow) => (statut === 'active' ? 0 : 1);
  enrolments.sort((one, other) => rank(one) - rank(other) || Number(other.dateExpiration) - Number(one.dateExpiration));
  const openPayments = rows.flatMap(
    ({ id, openReference: reference, openProvider: provider, openAmount: amount, openAt: createdAt, openCount: open }) =>
      id === null || reference === null ? [] : [{ prepaId: id, reference, provider, amount, createdAt, open }],
  );
  openPayments.sort((one, other) => Number(other.createdAt) - Number(one.createdAt));
  const held = rows.find(({ contents }) => contents !== null)?.contents;
  const contents = held ? { ...held, changedAt: held.changed_at === null ? null : new Date(held.changed_at) } : null;
  return { catalogue, revision, others: [...others.values()], enrolments, openPayments, contents };
}
