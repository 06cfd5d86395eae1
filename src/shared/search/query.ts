import { type Joined, type Word, wordsOf } from './words.ts';

/** What is looked for: a text must hold, of each group, all terms of one alternative. Empty: nothing can be found. */
export type Query = readonly (readonly (readonly string[])[])[];

/** Reads what was typed. A quotation mark, a dash or a word like 'or' asks for nothing: texts are found by their words alone. */
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
  /** The words and numbers that a whole is made of, for texts that write it apart. */
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

/** A letter alone is only looked for where nothing else is. */
const isHeavy = ({ folded }: Word): boolean => folded.length > 1 || /\p{N}/u.test(folded);

/** covid19 is found where a text says covid 19, but H2O not where it says H. */
function alternativesOf({ folded, terms: [whole = '', ...parts] }: Word): string[][] {
  const all = parts.length > 0 && (folded.match(/\p{N}+|\p{L}+/gu) ?? []).length === parts.length;
  return all ? [[whole], parts] : [[whole]];
}

export const termsAsked = (query: Query): ReadonlySet<string> => new Set(query.flat(2));

/** Whether these terms are all that is looked for. */
export const finds = (query: Query, has: (term: string) => boolean): boolean =>
  query.length > 0 && query.every((alternatives) => alternatives.some((terms) => terms.every(has)));
