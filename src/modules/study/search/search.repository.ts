import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import { replicasOf } from '../../../platform/database/replicas/replicas.ts';
import { tsqueryOf } from '../../../shared/search/index-terms.ts';
import { cutPassage } from '../../../shared/search/passage.ts';
import { readQuery } from '../../../shared/search/query.ts';
import { type SearchHit, searchPageSize } from '../../../shared/study/search-page.ts';
import { disciplineWord } from '../../content/index.ts';
import { accessCondition, isActive, listOfLearner } from '../../enrolment/index.ts';

/** Items that are ranked, at most: a word that stands everywhere ranks nothing. */
const maxRanked = 500;

export interface FoundItem extends SearchHit {
  /** Items found, ranked ones only. */
  total: number;
  /** Counted up by each change of an item of its discipline. */
  outlineVersion: number;
}

const query = '$1::tsquery';

/** The page of what `found` (id, words, locked) holds. */
const pageOf = (found: string, limit: string) => `
  with found as materialized (${found}),
       shown as materialized (select id, locked, ts_rank(words, ${query}) as rank, (count(*) over ())::int as total from found order by rank desc, id limit ${limit})
  select s.total, s.locked, i.id, i.kind, i.titre, i.annee, d.id as discipline_id, d.nom as discipline_nom, p.id as prepa_id, p.nom as prepa_nom,
         d.outline_version, not s.locked and place.in_corrige as in_corrige
  from shown s join item i on i.id = s.id join item_words w on w.item_id = s.id join discipline d on d.id = i.discipline_id join prepa p on p.id = d.prepa_id
       cross join lateral (select ts_filter(w.words, '{c}') @@ ${query} and not ts_filter(w.words, '{b}') @@ ${query} as in_corrige) place
  order by s.rank desc, s.id`;

/**
 * SQL: items of these disciplines that hold what was asked for. One index finds both together, and so passes over what stands elsewhere on the site; a prepa at a time,
 * since each item that it finds is compared with all the words of a query.
 */
const foundIn = (disciplines: string) => `
  (select string_agg('''' || ${disciplineWord('d.id')} || '''', '|')::tsquery as disciplines from ${disciplines} group by d.prepa_id) place
  join item_words w on w.words @@ (${query} && place.disciplines) join item i on i.id = w.item_id`;

/** Of more than can be ranked, those whose title says it. @param typed of the statement, `$5` */
const bestKnown = (typed: string) => `order by strpos(lower(i.titre), lower(${typed})) = 0, i.id limit ${maxRanked}`;

/** All that a learner may read now. */
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

/** The same in prepas of which the primary has said that they are open. */
const inPrepas = namedStatement<FoundItem>({
  name: 'content.search-prepas',
  reads: 'replica',
  text: pageOf(openIn('d.prepa_id = any($2::int[])', '$4'), `${searchPageSize} offset $3`),
});

/**
 * A prepa's trial: what is free by its text, what is locked by its title, and ranked by it. A query denies nothing: whatever
 * matches by its title matches as a whole too, and the index tells nothing of a locked text.
 */
const inTrial = namedStatement<FoundItem>({
  name: 'content.search-trial',
  reads: 'replica',
  text: pageOf(
    `select i.id, case when i.numero_page = 1 then w.words else title end as words, i.numero_page > 1 as locked
     from ${foundIn('discipline d join prepa p on p.id = d.prepa_id where d.prepa_id = $2 and p.is_published')}
          cross join lateral (select ts_filter(w.words, '{a}') as title) t
     where i.numero_page = 1 or title @@ ${query}
     ${bestKnown('$4')}`,
    `${searchPageSize} offset $3`,
  ),
});

export interface SearchScope {
  id: number;
  nom: string;
  prix: number;
  isPublished: boolean;
  /** Whether the learner may read all of it now. */
  access: boolean;
}

const scope = namedStatement<SearchScope>({
  name: 'content.search-scope',
  text: `select p.id, p.nom, p.prix, p.is_published, ${accessCondition('$2::uuid', 'p.id', '$3')} as access from prepa p where p.id = $1`,
});

/** A prepa to search in, and whether it is open. @param userId null for a visitor */
export const findSearchScope = async (em: EntityManager, prepaId: number, userId: string | null, now: Date): Promise<SearchScope | null> =>
  (await scope(em, [prepaId, userId, now]))[0] ?? null;

interface OpenSearch {
  words: string;
  userId: string;
  now: Date;
  /** Null: in all that is open. */
  prepaId: number | null;
  /** From 1. */
  page: number;
}

/** Items that a learner may read now, best first. Searching costs much, and goes to a replica; who may read what is said by the primary alone. */
export async function searchOpen(em: EntityManager, { words, userId, now, prepaId, page }: OpenSearch): Promise<FoundItem[]> {
  const [asked, offset] = [tsqueryOf(readQuery(words)), (page - 1) * searchPageSize];
  if (asked === '') return [];
  if (!replicasOf(em)) return inOpen(em, [asked, userId, now, prepaId, offset, words]);
  const open = (await listOfLearner(em, userId)).filter((enrolment) => isActive(enrolment, now)).map((enrolment) => enrolment.prepaId);
  return inPrepas(em, [asked, open.filter((id) => id !== null && (prepaId === null || id === prepaId)), offset, words]);
}

/** Items of a published prepa as its trial shows them, best first. */
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
 * Where in their texts items say what is asked for, with `marked` around it, by id. Whoever asks has made sure that these texts may be read.
 * @param inCorrige of each item, whether it is its correction that says it
 */
export async function cutPassages(
  em: EntityManager,
  words: string,
  items: readonly Pick<FoundItem, 'id' | 'inCorrige' | 'outlineVersion'>[],
): Promise<Map<number, string>> {
  const values = [items.map(({ id }) => id), items.map(({ inCorrige }) => inCorrige)];
  const rows = await texts(em, values, (found) => {
    // They are kept by the version at which their item was found, which another replica may not have reached.
    const versions = new Map(found.map(({ id, outlineVersion }) => [id, outlineVersion]));
    return items.every(({ id, outlineVersion }) => (versions.get(id) ?? 0) >= outlineVersion);
  });
  const query = readQuery(words);
  return new Map(rows.map(({ id, texte }) => [id, cutPassage(texte, query)]));
}
