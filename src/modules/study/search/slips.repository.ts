import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import { ReadCache } from '../../../platform/database/read-cache.ts';
import { correctSlips, termsOfSlips, wordsToCheck } from '../../../shared/search/slips.ts';
import { disciplineWord, openInTrial, shownTitle, shownToLearners } from '../../content/index.ts';
import { accessCondition } from '../../enrolment/index.ts';

/** Number of items with a near word whose texts are read, and the number of characters read of each. */
const [mostItems, mostLetters] = [2, 30_000];

interface NearRow {
  at: number;
  isKnown: boolean;
  /** Title and readable text of an item with a near word; null when there is none. */
  texte: string | null;
}

/**
 * Returns the SQL that says of each word whether an item of these disciplines has it, and otherwise returns items with a near word.
 * The index finds all near words at once, so the work does not grow with the texts.
 * @param open SQL condition: the reader may read the text of item `i`; otherwise only its title is searched and returned
 */
const nearIn = (disciplines: string, open: string) => {
  const items = (asked: string) => `
    place join item_words w on w.words @@ (${asked}::tsquery && place.disciplines) join item i on i.id = w.item_id and ${shownToLearners('i')}
    where ${open} or ts_filter(w.words, '{a}') @@ ${asked}::tsquery`;
  return `
    with place as materialized
      (select string_agg('''' || ${disciplineWord('d.id')} || '''', '|')::tsquery as disciplines from ${disciplines} group by d.prepa_id)
    select asked.at::int, known.is_known, near.texte
    from unnest($1::text[], $2::text[]) with ordinality asked (word, slips, at)
         cross join lateral (select count(*) > 0 as is_known from ${items('asked.word')}) known
         left join lateral (
           select concat_ws(' ', ${shownTitle('i')}, case when ${open} then left(concat_ws(' ', i.texte, i.texte_corrige), ${mostLetters}) end) as texte
           from ${items('asked.slips')} limit ${mostItems}) near on not known.is_known`;
};

const nearOpen = namedStatement<NearRow>({
  name: 'content.near-words',
  text: nearIn(`discipline d where ($5::int is null or d.prepa_id = $5) and ${accessCondition('$3', 'd.prepa_id', '$4')}`, 'true'),
});

const nearInTrial = namedStatement<NearRow>({
  name: 'content.near-words-trial',
  reads: 'replica',
  text: nearIn('discipline d join prepa p on p.id = d.prepa_id where d.prepa_id = $3 and p.is_published', openInTrial('i')),
});

type Scope = { trialOf: number } | { userId: string; now: Date; prepaId: number | null };

/** Corrected queries of a reader, for a minute; '' when there is nothing to correct. Equal searches at the same time are one statement. */
const corrected = new ReadCache<string, string, { em: EntityManager; typed: string; scope: Scope }>({
  max: 1_000,
  ttl: 60_000,
  fetchMethod: async (_key, _stale, { context: { em, typed, scope } }) => (await correct(em, typed, scope)) ?? '',
});

/**
 * Returns a query without result with its slips corrected to words that the reader may read; null when there is nothing to correct.
 */
export async function correctQuery(em: EntityManager, typed: string, scope: Scope): Promise<string | null> {
  const { now: _now, ...reader } = { now: null, ...scope };
  return (await corrected.fetch(JSON.stringify([reader, typed]), { context: { em, typed, scope } })) || null;
}

async function correct(em: EntityManager, typed: string, scope: Scope): Promise<string | null> {
  const words = wordsToCheck(typed);
  if (words.length === 0) return null;
  const anyOf = (terms: readonly string[]) => terms.map((term) => `'${term}'`).join('|');
  const asked = [words.map(({ terms }) => anyOf(terms.slice(0, 1))), words.map(({ folded }) => anyOf(termsOfSlips(folded)))];
  const rows = await ('trialOf' in scope
    ? nearInTrial(em, [...asked, scope.trialOf])
    : nearOpen(em, [...asked, scope.userId, scope.now, scope.prepaId]));
  return correctSlips(typed, (_, index) => {
    const own = rows.filter(({ at }) => at === index + 1);
    return { isKnown: own.some(({ isKnown }) => isKnown), texts: own.flatMap(({ texte }) => texte ?? []) };
  });
}
