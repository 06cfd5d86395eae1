import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import { type PrepaRow, prepaMatches } from '../../catalogue/index.ts';

/** A page of the published prepas, those created first first. */
export interface PublishedPage {
  prepas: PrepaRow[];
  /** Of all published prepas, and of those that are found; 10,000 at most. */
  total: number;
  found: number;
  /** `prepas` are all that there are: whoever shows them searches and turns pages. */
  whole: boolean;
}

/** What is asked of the published prepas. */
export interface PageAsked {
  /** What is searched for, trimmed. */
  q: string;
  /** From 1 on; beyond the last page: the last one. */
  page: number;
  pageSize: number;
}

/** A published prepa; without any one row whose `id` is null. */
interface PublishedRow extends Omit<PrepaRow, 'id'>, Omit<PublishedPage, 'prepas'> {
  id: number | null;
  /** Of the catalogue as it is read here; null when nothing says it. */
  revision: string | null;
}

/**
 * A catalogue with no more letters and cards than these is read and stands in the page as a whole, and the browser searches it without a request; more
 * would cost more bytes than a search.
 */
const maxWholeLetters = 12_000;
export const maxWholeCards = 60;
/** As many as the pages that an address can name. */
const maxFound = 10_000;

/** One for all and one for what is searched: each has its own index. $1: what is searched; $2, $3: the page's first place and size. */
const publishedPage = (name: string, matching: string) =>
  namedStatement<PublishedRow>({
    name,
    reads: 'replica',
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
                          offset least($2::int, (select greatest(found - 1, 0) / $3::int * $3::int from number)) limit $3::int))
         select number.total, number.found, number.whole, (select revision from catalogue_revision) as revision, p.id, p.nom, p.description, p.prix, p.image, p.is_published, p.auteur_id as auteur
         from number left join prepa p on p.id = any(array(select id from page))
         order by p.id`,
  });

const everything = publishedPage('portal.published-page', `and $1::text = ''`);
const searched = publishedPage('portal.published-searched', `and ${prepaMatches('$1')}`);

/** @param revision what is read is kept by it: not what stood there before */
export async function readPublishedPage(
  em: EntityManager,
  { q, page, pageSize }: PageAsked,
  revision: string | null,
): Promise<PublishedPage> {
  const isCurrent = ([row]: PublishedRow[]) => revision !== null && row?.revision === revision;
  const rows = await (q === '' ? everything : searched)(em, [q, (page - 1) * pageSize, pageSize], isCurrent);
  const { total = 0, found = 0, whole = true } = rows[0] ?? {};
  const prepas = rows.flatMap(({ total: _total, found: _found, whole: _whole, revision: _revision, id, ...prepa }) =>
    id === null ? [] : [{ id, ...prepa }],
  );
  return { prepas, total, found, whole };
}
