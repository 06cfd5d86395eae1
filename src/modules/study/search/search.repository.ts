import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import { replicasOf } from '../../../platform/database/replicas/replicas.ts';
import { tsqueryOf } from '../../../shared/search/index-terms.ts';
import { cutPassage } from '../../../shared/search/passage.ts';
import { readQuery } from '../../../shared/search/query.ts';
import { type SearchHit, searchPageSize } from '../../../shared/study/search-page.ts';
import { disciplineWord, openInTrial, shownTitle, shownToLearners } from '../../content/index.ts';
import { accessCondition, isActive, listOfLearner } from '../../enrolment/index.ts';

/** Maximum number of ranked items: ranking costs time per item, and a word found in more items does not help to rank them. */
const maxRanked = 500;

export interface FoundItem extends SearchHit {
  /** Number of items found, at most the number of ranked items. */
  total: number;
  /** Incremented by each change of an item of its discipline. */
  outlineVersion: number;
}

const query = '$1::tsquery';

/** Returns the SQL of one page of the items in `found` (id, words, locked). */
const pageOf = (found: string, limit: string) => `
  with found as materialized (${found}),
       shown as materialized (select id, locked, ts_rank(words, ${query}) as rank, (count(*) over ())::int as total from found order by rank desc, id limit ${limit})
  select s.total, s.locked, i.id, i.kind, ${shownTitle('i')} as titre, i.annee, d.id as discipline_id, d.nom as discipline_nom, p.id as prepa_id, p.nom as prepa_nom,
         d.outline_version, not s.locked and place.in_corrige as in_corrige
  from shown s join item i on i.id = s.id join item_words w on w.item_id = s.id join discipline d on d.id = i.discipline_id join prepa p on p.id = d.prepa_id
       cross join lateral (select ts_filter(w.words, '{c}') @@ ${query} and not ts_filter(w.words, '{b}') @@ ${query} as in_corrige) place
  order by s.rank desc, s.id`;

/**
 * Returns the SQL of the items of these disciplines that match the query.
 * The index contains each item's discipline word, so one index scan skips items of other disciplines. It runs per prepa, since
 * PostgreSQL compares each found item with every word of the query.
 */
const foundIn = (disciplines: string) => `
  (select string_agg('''' || ${disciplineWord('d.id')} || '''', '|')::tsquery as disciplines from ${disciplines} group by d.prepa_id) place
  join item_words w on w.words @@ (${query} && place.disciplines) join item i on i.id = w.item_id and ${shownToLearners('i')}`;

/**
 * Returns the SQL that selects items with the typed words in their title first, when more match than can be ranked. @param typed
 * placeholder of the typed words, such as `$5`
 */
const bestKnown = (typed: string) => `order by strpos(lower(${shownTitle('i')}), lower(${typed})) = 0, i.id limit ${maxRanked}`;

/** Returns the SQL of the matching items that the learner may read now. */
const openIn = (
  disciplines: string,
  typed: string,
) => `select i.id, w.words, false as locked from ${foundIn(`discipline d where ${disciplines}`)}
     ${bestKnown(typed)}`;

const inOpen = namedStatement<FoundItem>({
  name: 'content.search',
  text: pageOf(
    openIn(`($4::int is null or d.prepa_id = $4) and ${accessCondition('$2', 'd.prepa_id', '$3')}`, '$6'),
    `${searchPageSize} offset $5`,
  ),
});

/** Searches the given prepas on a replica. The primary has confirmed that they are open to the learner. */
const inPrepas = namedStatement<FoundItem>({
  name: 'content.search-prepas',
  reads: 'replica',
  text: pageOf(openIn('d.prepa_id = any($2::int[])', '$4'), `${searchPageSize} offset $3`),
});

/**
 * Searches a prepa's trial: free items by their text, locked items only by their title, ranked by it too.
 * Queries have no negation. So an item that matches by its title also matches by its whole text, and the index reveals nothing about
 * locked texts.
 */
const inTrial = namedStatement<FoundItem>({
  name: 'content.search-trial',
  reads: 'replica',
  text: pageOf(
    `select i.id, case when open then w.words else title end as words, not open as locked
     from ${foundIn('discipline d join prepa p on p.id = d.prepa_id where d.prepa_id = $2 and p.is_published')}
          cross join lateral (select ts_filter(w.words, '{a}') as title, ${openInTrial('i')} as open) t
     where open or title @@ ${query}
     ${bestKnown('$4')}`,
    `${searchPageSize} offset $3`,
  ),
});

export interface SearchScope {
  id: number;
  nom: string;
  prix: number;
  isPublished: boolean;
  /** Whether the learner may read the entire prepa now. */
  access: boolean;
}

const scope = namedStatement<SearchScope>({
  name: 'content.search-scope',
  text: `select p.id, p.nom, p.prix, p.is_published, ${accessCondition('$2::uuid', 'p.id', '$3')} as access from prepa p where p.id = $1`,
});

/** Returns the prepa to search in, and whether the learner may read it. @param userId null for a visitor */
export const findSearchScope = async (em: EntityManager, prepaId: number, userId: string | null, now: Date): Promise<SearchScope | null> =>
  (await scope(em, [prepaId, userId, now]))[0] ?? null;

interface OpenSearch {
  words: string;
  userId: string;
  now: Date;
  /** Null: all prepas that the learner may read. */
  prepaId: number | null;
  page: number;
}

/**
 * Returns items that the learner may read now, best match first. A replica does the costly search; only the primary decides about
 * access.
 */
export async function searchOpen(em: EntityManager, { words, userId, now, prepaId, page }: OpenSearch): Promise<FoundItem[]> {
  const [asked, offset] = [tsqueryOf(readQuery(words)), (page - 1) * searchPageSize];
  if (asked === '') return [];
  if (!replicasOf(em)) return inOpen(em, [asked, userId, now, prepaId, offset, words]);
  const open = (await listOfLearner(em, userId)).filter((enrolment) => isActive(enrolment, now)).map((enrolment) => enrolment.prepaId);
  return inPrepas(em, [asked, open.filter((id) => id !== null && (prepaId === null || id === prepaId)), offset, words]);
}

/** Returns items of a published prepa as its trial shows them, best match first. */
export async function searchTrial(
  em: EntityManager,
  { words, prepaId, page }: { words: string; prepaId: number; page: number },
): Promise<FoundItem[]> {
  const asked = tsqueryOf(readQuery(words));
  return asked === '' ? [] : inTrial(em, [asked, prepaId, (page - 1) * searchPageSize, words]);
}

const texts = namedStatement<{ id: number; texte: string; outlineVersion: number }>({
  name: 'content.search-passages',
  reads: 'replica',
  text: `select i.id, d.outline_version, coalesce(case when asked.in_corrige then i.texte_corrige else i.texte end, '') as texte
         from unnest($1::int[], $2::bool[]) as asked (id, in_corrige) join item i on i.id = asked.id join discipline d on d.id = i.discipline_id`,
});

/**
 * Returns the matching passages of the items' texts by id, with `marked` around the found words. The caller has checked that the
 * learner may read these texts.
 * @param items each with `inCorrige`: whether the match is in its correction
 */
export async function cutPassages(
  em: EntityManager,
  words: string,
  items: readonly Pick<FoundItem, 'id' | 'inCorrige' | 'outlineVersion'>[],
): Promise<Map<number, string>> {
  const values = [items.map(({ id }) => id), items.map(({ inCorrige }) => inCorrige)];
  const rows = await texts(em, values, (found) => {
    // Passages are cached under the version at which the item was found. A lagging replica must not supply an older text.
    const versions = new Map(found.map(({ id, outlineVersion }) => [id, outlineVersion]));
    return items.every(({ id, outlineVersion }) => (versions.get(id) ?? 0) >= outlineVersion);
  });
  const query = readQuery(words);
  return new Map(rows.map(({ id, texte }) => [id, cutPassage(texte, query)]));
}
