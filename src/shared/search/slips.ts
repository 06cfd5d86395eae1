import { editDistance } from '../edit-distance.ts';
import { foldCharacters } from './fold.ts';
import { termsOf, type Word, wordsOf } from './words.ts';

/** Lengths of the words that are corrected: a slip in a shorter word gives other words. */
const [shortest, longest] = [4, 20];
/** Largest difference in length between a word and another form of it. */
const mostEnding = 4;
/** Maximum number of words of a query that are checked. */
const mostWords = 4;

const alphabet = [...'abcdefghijklmnopqrstuvwxyz'];

/** Returns the words of a query that may have a slip. */
export const wordsToCheck = (typed: string): Word[] =>
  wordsOf(typed)
    .words.filter(
      ({ folded, terms }) => terms.length > 0 && folded.length >= shortest && folded.length <= longest && /^[a-z]+$/.test(folded),
    )
    .slice(0, mostWords);

/** Terms of the words checked last: many learners type the same words, and reading hundreds of words takes milliseconds. */
const known = new Map<string, readonly string[]>();
const mostKnown = 200;

/** Returns the search terms of all words that differ from a word by one slip: at most 54 for each of its letters. */
export function termsOfSlips(folded: string): readonly string[] {
  const before = known.get(folded);
  if (before) return before;
  const words = new Set<string>();
  for (let at = 0; at <= folded.length; at += 1) {
    const [before, after] = [folded.slice(0, at), folded.slice(at)];
    words.add(before + after.slice(1));
    if (after.length > 1) words.add(`${before}${after[1]}${after[0]}${after.slice(2)}`);
    for (const letter of alphabet) {
      words.add(before + letter + after);
      words.add(before + letter + after.slice(1));
    }
  }
  words.delete(folded);
  const terms = [...new Set([...words].flatMap((word) => termsOf(word).slice(0, 1)))];
  if (known.size >= mostKnown) known.clear();
  known.set(folded, terms);
  return terms;
}

/** What the readable texts have of a checked word: the word itself, or texts with words that differ from it by one slip. */
export interface Near {
  isKnown: boolean;
  texts: readonly string[];
}

/**
 * Returns the query with each unknown word replaced by the nearest word of the texts; null when none can be replaced.
 * @param near called for each of `wordsToCheck`
 */
export function correctSlips(typed: string, near: (word: Word, at: number) => Near): string | null {
  let corrected = typed;
  // From the end, so that positions before it stay valid.
  for (const [at, word] of [...wordsToCheck(typed).entries()].toReversed()) {
    const { isKnown, texts } = near(word, at);
    const meant = isKnown ? null : nearestWord(word.folded, texts);
    if (meant !== null) corrected = corrected.slice(0, word.start) + meant + corrected.slice(word.end);
  }
  return corrected === typed ? null : corrected;
}

/**
 * Returns the nearest word of the texts: one that differs by one slip, or another form of such a word; the most frequent of these, as the
 * texts write it, in small letters if any of them does. Null when there is none.
 */
function nearestWord(folded: string, texts: readonly string[]): string | null {
  const terms = new Set(termsOfSlips(folded));
  const found = new Map<string, { distance: number; times: number; written: string }>();
  const times = new Map<string, number>();
  for (const [written] of texts.flatMap((text) => [...text.matchAll(/[\p{L}\p{M}]+/gu)])) {
    if (Math.abs(written.length - folded.length) <= mostEnding) times.set(written, (times.get(written) ?? 0) + 1);
  }
  for (const [written, count] of times) {
    const other = foldCharacters(written);
    const same = found.get(other);
    const distance = editDistance(folded, other, 1);
    if (distance !== 1 && !terms.has(termsOf(other)[0] ?? '')) continue;
    const isSmall = written === written.toLowerCase();
    found.set(other, { distance, times: (same?.times ?? 0) + count, written: same && !isSmall ? same.written : written });
  }
  const nearest = [...found.values()].toSorted((one, other) => one.distance - other.distance || other.times - one.times);
  return nearest[0]?.written ?? null;
}
