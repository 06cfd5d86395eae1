import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import type { RowOf } from '../../../platform/database/rows.ts';
import { type PrepaRow, prepaMatches } from '../../catalogue/index.ts';
import type { EnrolmentRow } from '../../enrolment/index.ts';
import type { Payment } from '../../payment/index.ts';
import { contentsOf, type PrepaContents } from '../contents/contents.repository.ts';

/** A published prepa (`id` is null without), a learner's enrolment (`enrolmentId` is null without), or both of one prepa; of the catalogue in each row. */
interface CatalogueRow extends Omit<PrepaRow, 'id'>, Omit<EnrolmentRow, 'id'> {
  total: number;
  found: number;
  whole: boolean;
  id: number | null;
  /** Whether it stands on the page; the others are what the learner is enrolled in, has begun to pay, or asks to pay. */
  onPage: boolean;
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

/** A page of the published prepas, those created first first. */
export interface CataloguePage {
  prepas: PrepaRow[];
  /** Of all published prepas, and of those that are found; 10,000 at most. */
  total: number;
  found: number;
  /** `prepas` are all that there are: whoever shows them searches and turns pages. */
  whole: boolean;
}

/**
 * A catalogue with no more letters and cards than these is read and stands in the page as a whole, and the browser searches it without a request; more
 * would cost more bytes than a search.
 */
const maxWholeLetters = 12_000;
export const maxWholeCards = 60;
/** As many as the pages that an address can name. */
const maxFound = 10_000;

/** One for the whole catalogue and one for what is searched: each has its own index. $2: what is searched; $3, $4: the page's first place and size; $5: a prepa to pay. */
const catalogueOf = (name: string, matching: string) =>
  namedStatement<CatalogueRow>({
    name,
    text: `with few as materialized (select id, length(nom) + length(description) as letters from prepa where is_published order by id limit ${maxWholeCards + 1}),
                size as materialized (select count(*) <= ${maxWholeCards} and coalesce(sum(letters), 0) <= ${maxWholeLetters} as whole from few),
                found as materialized (select id from prepa where is_published and not (select whole from size) ${matching} order by id limit ${maxFound}),
                number as (select case when whole then (select count(*) from few)
                                       else (select count(*) from (select from prepa where is_published limit ${maxFound}) all_of_them) end::int as total,
                                  (select count(*) from found)::int as found, whole from size),
                page as (select id from few where (select whole from size)
                         union all
                         (select id from found order by id
                          -- Beyond the last page: the last one.
                          offset least($3::int, (select greatest(found - 1, 0) / $4::int * $4::int from number)) limit $4::int)),
                own as materialized (
                  select e.id, e.prepa_id, coalesce(q.nom, e.prepa_nom) as prepa_nom, e.statut, e.date_inscription, e.date_expiration
                  from enrolment e left join prepa q on q.id = e.prepa_id
                  where e.user_id = $1 order by (e.statut = 'active') desc, e.date_expiration desc limit 200),
                open as materialized (
                  select distinct on (prepa_id) prepa_id, reference, provider, amount, created_at, count(*) over (partition by prepa_id)::int as open_count
                  from payment where user_id = $1 and status in ('created', 'pending') and not start_unanswered order by prepa_id, id desc),
                shown as (select p.id, p.nom, p.description, p.prix, p.image, p.is_published, p.auteur_id as auteur, p.id in (select id from page) as on_page
                          from prepa p where p.is_published and p.id = any(array(
                            select id from page union select prepa_id from own union select prepa_id from open union select $5::int)))
         select number.total, number.found, number.whole, r.*
         from number left join (
           select p.*, e.id as enrolment_id, e.prepa_id, e.prepa_nom, e.statut, e.date_inscription, e.date_expiration,
                  o.reference as open_reference, o.provider as open_provider, o.amount as open_amount, o.created_at as open_at, o.open_count,
                  case when p.id = $5 then (select row_to_json(c) from (${contentsOf('$5')}) c) end as contents
           from shown p full join own e on e.prepa_id = p.id
                left join open o on o.prepa_id = p.id
                -- A learner who has paid by another attempt since is not invited to pay again.
                and not exists (select from payment paid where paid.user_id = $1 and paid.prepa_id = o.prepa_id
                                and paid.status = 'succeeded' and paid.settled_at >= o.created_at)) r on true
         order by r.id, (r.statut = 'active') desc, r.date_expiration desc`,
  });

const everything = catalogueOf('enrolment.catalogue-of-learner', `and $2::text = ''`);
const searched = catalogueOf('enrolment.catalogue-searched', `and ${prepaMatches('$2')}`);

interface CatalogueAsked {
  /** What is searched for, trimmed. */
  q: string;
  /** From 1 on. */
  page: number;
  pageSize: number;
  /** A prepa that is to be paid for, on the page or not. */
  chosen?: number | undefined;
}

/**
 * A page of the published prepas, a learner's enrolments, their open payments for published prepas, and what one prepa holds: one statement for all, since a
 * page may ask four. Prepas in the order of their creation; enrolments the active ones first, then by their end, the latest first; payments the latest first. `others`
 * are published prepas that stand on no such page, and that the learner has something to do with.
 */
export async function findCatalogueOf(
  em: EntityManager,
  userId: string,
  { q, page, pageSize, chosen }: CatalogueAsked,
): Promise<{
  catalogue: CataloguePage;
  others: PrepaRow[];
  enrolments: EnrolmentRow[];
  openPayments: OpenPaymentRow[];
  contents: PrepaContents | null;
}> {
  const rows = await (q === '' ? everything : searched)(em, [userId, q, (page - 1) * pageSize, pageSize, chosen ?? null]);
  const { total = 0, found = 0, whole = true } = rows[0] ?? {};
  const published = rows.filter((row): row is CatalogueRow & { id: number } => row.id !== null);
  const [prepas, others] = [published.filter(({ onPage }) => onPage), published.filter(({ onPage }) => !onPage)];
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
  const held = rows.find(({ contents }) => contents !== null)?.contents;
  const contents = held ? { ...held, changedAt: held.changed_at === null ? null : new Date(held.changed_at) } : null;
  return { catalogue: { prepas, total, found, whole }, others, enrolments, openPayments, contents };
}
