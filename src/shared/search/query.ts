import { type Joined, type Word, wordsOf } from './words.ts';

/** A text matches if, for each group, it contains all terms of one alternative. An empty query matches nothing. */
export type Query = readonly (readonly (readonly string[])[])[];

/** Parses the typed text. Quotation marks, minus signs and words like 'or' have no special meaning. */
export function readQuery(typed: string): Query {
  const { words, joined } = wordsOf(typed);
  const covered = new Set<number>();
  const groups: { alternatives: string[][]; light: boolean }[] = [];
  const within = (part: Joined, whole: Joined) => part.first >= whole.first && part.last <= whole.last;
  const cover = ({ first, last }: Joined) => {
    for (let at = first; at <= last; at += 1) covered.add(at);
  };
  const numbers = joined.filter(({ kind }) => kind === 'numbers');
  const wholes = joined.filter(({ kind }) => kind === 'digits' || kind === 'word');
  /** Returns the words and numbers of a joined word, for texts that write these separately. */
  const apart = (whole: Joined): string[] => {
    const pairs = numbers.filter((pair) => within(pair, whole));
    const inPairs = (at: number) => pairs.some(({ first, last }) => at >= first && at <= last);
    const single = words.flatMap((word, at) => (at >= whole.first && at <= whole.last && !inPairs(at) && !word.capitals ? [word] : []));
    const terms = single.filter(isHeavy).flatMap(({ terms }) => terms.slice(0, 1));
    return [...pairs.flatMap((pair) => pair.terms), ...(terms.length > 0 ? terms : single.flatMap((word) => word.terms.slice(0, 1)))];
  };
  for (const whole of wholes) {
    groups.push({ alternatives: [whole.terms.slice(0, 1), apart(whole)].filter((terms) => terms.length > 0), light: false });
    cover(whole);
  }
  for (const pair of numbers) {
    if (!wholes.some((whole) => whole.kind === 'digits' && within(pair, whole)))
      groups.push({ alternatives: [[...pair.terms]], light: false });
  }
  for (const [at, word] of words.entries()) {
    const inPair = numbers.some(({ first, last }) => at >= first && at <= last);
    if (covered.has(at) || (inPair && /^\d+$/.test(word.folded)) || word.terms.length === 0 || word.capitals) continue;
    groups.push({ alternatives: alternativesOf(word), light: !isHeavy(word) });
  }
  const heavy = groups.filter(({ light }) => !light);
  const asked = (heavy.length > 0 ? heavy : groups).map(({ alternatives }) => alternatives);
  return asked.length > 0 ? asked : words.filter(({ capitals }) => capitals).map(({ terms }) => [[...terms]]);
}

/** Returns whether a word counts in a search: single letters only count if there are no other words. */
const isHeavy = ({ folded }: Word): boolean => folded.length > 1 || /\p{N}/u.test(folded);

/** Returns the alternatives for a word: covid19 also matches 'covid 19', but H2O does not match H. */
function alternativesOf({ folded, terms: [whole = '', ...parts] }: Word): string[][] {
  const all = parts.length > 0 && (folded.match(/\p{N}+|\p{L}+/gu) ?? []).length === parts.length;
  return all ? [[whole], parts] : [[whole]];
}

export const termsAsked = (query: Query): ReadonlySet<string> => new Set(query.flat(2));

/** Returns whether these terms satisfy the query. */
export const finds = (query: Query, has: (term: string) => boolean): boolean =>
  query.length > 0 && query.every((alternatives) => alternatives.some((terms) => terms.every(has)));
