import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import { type PrepaRow, prepaMatches } from '../../catalogue/index.ts';

/** A page of the published prepas, in order of creation. */
export interface PublishedPage {
  prepas: PrepaRow[];
  /** Number of all published prepas, and of those found; at most 10,000. */
  total: number;
  found: number;
  /** Whether `prepas` are all published prepas: the caller then searches and turns pages itself. */
  whole: boolean;
}

/** The search and page of a request. */
export interface PageAsked {
  /** The searched text, trimmed. */
  q: string;
  /** From 1; beyond the last page, the last one is returned. */
  page: number;
  pageSize: number;
}

/** A published prepa; a single row with `id` null when there is none. */
interface PublishedRow extends Omit<PrepaRow, 'id'>, Omit<PublishedPage, 'prepas'> {
  id: number | null;
  /** Revision of the catalogue as read; null when unknown. */
  revision: string | null;
}

/**
 * Limits below which the entire catalogue is read and put into the page, so that the browser searches it without requests. A larger
 * catalogue would cost more bytes than a search.
 */
const maxWholeLetters = 12_000;
export const maxWholeCards = 60;
/** Maximum number of prepas found by a search: as many as the page numbers of addresses can reach. */
const maxFound = 10_000;

/**
 * Returns the statement of a page. All prepas and a search are separate statements, since each has its own index. $1: searched text;
 * $2, $3: offset and size of the page
 */
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

/** @param revision the revision under which the result is cached; older data from a lagging replica is not used */
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
