import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import { replicasOf } from '../../../platform/database/replicas/replicas.ts';
import { fragmentDelimiter, marked, type SearchHit, searchPageSize } from '../../../shared/study/search-page.ts';
import { accessCondition, isActive, listOfLearner } from '../../enrolment/index.ts';

/** Items that are ranked, at most: a word that stands everywhere ranks nothing. */
const maxRanked = 500;
/** Of a longer text, the characters in which a passage is looked for: the piece of it that holds what was asked for. */
const headlineWithin = 3_000;

export interface FoundItem extends SearchHit {
  /** Items found, ranked ones only. */
  total: number;
  /** Counted up by each change of an item of its discipline. */
  outlineVersion: number;
}

const query = `websearch_to_tsquery('prepa_fr', $1)`;
/** A statement's first parameter, as all of them take it. PostgreSQL reads a dash as 'without what follows'. Whoever pastes a title does not mean that, and in a trial it would reveal what locked texts say. */
const askedFor = (words: string): string => words.replaceAll('-', ' ');

const options = `StartSel=${marked.start}, StopSel=${marked.stop}, MaxFragments=2, MaxWords=24, MinWords=10, FragmentDelimiter="${fragmentDelimiter}"`;
const headline = (column: string) =>
  `passage(translate(${column}, '${marked.start}${marked.stop}', ''), $1, ${headlineWithin}, '${options}', '${marked.start}')`;

/** The page of what `found` (id, recherche, locked) holds. */
const pageOf = (found: string, limit: string) => `
  with found as materialized (${found}),
       shown as materialized (select id, locked, ts_rank(recherche, ${query}) as rank, (count(*) over ())::int as total from found order by rank desc, id limit ${limit})
  select s.total, s.locked, i.id, i.kind, i.titre, i.annee, d.id as discipline_id, d.nom as discipline_nom, p.id as prepa_id, p.nom as prepa_nom,
         d.outline_version, not s.locked and place.in_corrige as in_corrige
  from shown s join item i on i.id = s.id join discipline d on d.id = i.discipline_id join prepa p on p.id = d.prepa_id
       cross join lateral (select ts_filter(i.recherche, '{c}') @@ ${query} and not ts_filter(i.recherche, '{b}') @@ ${query} as in_corrige) place
  order by s.rank desc, s.id`;

/** SQL: a word that no text holds, for a discipline. */
const disciplineWord = (id: string) => `chr(1) || ${id}::text`;
/** An item's words and that of its discipline, as its index has them. */
const indexed = `(i.recherche || array_to_tsvector(array[${disciplineWord('i.discipline_id')}]))`;
/**
 * SQL: items of these disciplines that hold what was asked for. One index finds both together, and so passes over what stands elsewhere on the site; a prepa at a time,
 * since each item that it finds is compared with all the words of a query.
 */
const foundIn = (disciplines: string) => `
  (select string_agg('''' || ${disciplineWord('d.id')} || '''', '|')::tsquery as disciplines from ${disciplines} group by d.prepa_id) place
  join item i on ${indexed} @@ (${query} && place.disciplines)`;
/** Of words that mean nothing the discipline alone would be left. */
const asksForSomething = `numnode(${query}) > 0`;

/** Of more than can be ranked, those whose title says it. */
const bestKnown = `order by strpos(lower(i.titre), lower($1)) = 0, i.id limit ${maxRanked}`;

/** All that a learner may read now. */
const openIn = (disciplines: string) => `select i.id, i.recherche, false as locked from ${foundIn(`discipline d where ${disciplines}`)}
     where ${asksForSomething}
     ${bestKnown}`;

const inOpen = namedStatement<FoundItem>({
  name: 'content.search',
  text: pageOf(
    openIn(`($4::int is null or d.prepa_id = $4) and ${accessCondition('$2', 'd.prepa_id', '$3')}`),
    `${searchPageSize} offset $5`,
  ),
});

/** The same in prepas of which the primary has said that they are open. */
const inPrepas = namedStatement<FoundItem>({
  name: 'content.search-prepas',
  reads: 'replica',
  text: pageOf(openIn('d.prepa_id = any($2::int[])'), `${searchPageSize} offset $3`),
});

/**
 * A prepa's trial: what is free by its text, what is locked by its title, and ranked by it. Only for queries without a negation: then whatever
 * matches by its title matches as a whole too, and the index tells nothing of a locked text.
 */
const inTrial = namedStatement<FoundItem>({
  name: 'content.search-trial',
  reads: 'replica',
  text: pageOf(
    `select i.id, case when i.numero_page = 1 then i.recherche else title end as recherche, i.numero_page > 1 as locked
     from ${foundIn('discipline d join prepa p on p.id = d.prepa_id where d.prepa_id = $2 and p.is_published')}
          cross join lateral (select setweight(to_tsvector('prepa_fr', i.titre), 'A') as title) t
     where ${asksForSomething} and (i.numero_page = 1 or title @@ ${query})
     ${bestKnown}`,
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
  const [query, offset] = [askedFor(words), (page - 1) * searchPageSize];
  if (!replicasOf(em)) return inOpen(em, [query, userId, now, prepaId, offset]);
  const open = (await listOfLearner(em, userId)).filter((enrolment) => isActive(enrolment, now)).map((enrolment) => enrolment.prepaId);
  return inPrepas(em, [query, open.filter((id) => id !== null && (prepaId === null || id === prepaId)), offset]);
}

/** Items of a published prepa as its trial shows them, best first. */
export const searchTrial = (
  em: EntityManager,
  { words, prepaId, page }: { words: string; prepaId: number; page: number },
): Promise<FoundItem[]> => inTrial(em, [askedFor(words), prepaId, (page - 1) * searchPageSize]);

const passages = namedStatement<{ id: number; passage: string | null; outlineVersion: number }>({
  name: 'content.search-passages',
  reads: 'replica',
  text: `select i.id, d.outline_version, case when asked.in_corrige then ${headline('i.texte_corrige')} else ${headline('i.texte')} end as passage
         from unnest($2::int[], $3::bool[]) as asked (id, in_corrige) join item i on i.id = asked.id join discipline d on d.id = i.discipline_id`,
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
  const values = [askedFor(words), items.map(({ id }) => id), items.map(({ inCorrige }) => inCorrige)];
  const rows = await passages(em, values, (found) => {
    // They are kept by the version at which their item was found, which another replica may not have reached.
    const versions = new Map(found.map(({ id, outlineVersion }) => [id, outlineVersion]));
    return items.every(({ id, outlineVersion }) => (versions.get(id) ?? 0) >= outlineVersion);
  });
  return new Map(rows.map(({ id, passage }) => [id, passage ?? '']));
}
