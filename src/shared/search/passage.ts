import { formulas, fragmentDelimiter, marked } from '../study/search-page.ts';
import { foldCharacters } from './fold.ts';
import { finds, type Query, termsAsked } from './query.ts';
import { wordsOf } from './words.ts';

/** Maximum number of words in a passage, before its first match, and from the text's beginning if only the title matches. */
const passageWords = { most: 24, before: 8, beginning: 10 };

/**
 * A text longer than `whole` is read in pieces of `size` characters, with `around` more on both sides; reading ends after `most` pieces
 * with a match.
 */
const piece = { whole: 3_000, size: 1_000, around: 200, most: 3 };

/** Returns whether texts may match a query: a fast check that never wrongly returns false. */
export function mayFind(query: Query, ...texts: string[]): boolean {
  const squashed = texts.map(squash);
  return finds(query, (term) => squashed.some((text) => text.includes(beginningOf(term))));
}

/** Returns only letters and digits, so that joined words are found together. */
const squash = (text: string): string => foldCharacters(text).replaceAll(/[^\p{L}\p{N}]+/gu, '');

/** Returns the beginning common to all words with this stem; for an ordinal, its number. */
function beginningOf(term: string): string {
  const letters = term.replaceAll('_', '');
  return /^\p{N}+$/u.test(letters)
    ? letters
    : /\p{N}/u.test(letters)
      ? letters.replace(/e$/, '')
      : letters.slice(0, letters.length < 3 ? 1 : Math.max(2, letters.length - 3));
}

/**
 * Returns a passage of a text with the matches `marked`. It has up to two fragments: the one with the most terms of the query, and one with
 * other terms or else the next one. Without a match, returns the text's beginning.
 * @param written the text, with formulas between their delimiters
 */
export function cutPassage(written: string, query: Query): string {
  const text = written.replaceAll(markSigns, '').replaceAll(longFormula, formulas.unwritten);
  const asked = termsAsked(query);
  const found: Fragment[] = [];
  let read = 0;
  for (const part of piecesOf(text, asked)) {
    const fragments = fragmentsOf(part, asked);
    found.push(...fragments);
    if (fragments.length > 0) read += 1;
    if (read === piece.most || fragments.some(({ held }) => finds(query, (term) => held.has(term)))) break;
  }
  const [best] = found.toSorted((one, other) => other.held.size - one.held.size);
  if (!best) return beginningOfText(text);
  const more = found.filter((fragment) => fragment.start >= best.end || fragment.end <= best.start);
  const rest = more.find(({ held }) => [...held].some((term) => !best.held.has(term))) ?? more.find(({ start }) => start >= best.end);
  return (rest ? [best, rest] : [best])
    .toSorted((one, other) => one.start - other.start)
    .map((fragment) => fragment.passage)
    .join(fragmentDelimiter);
}

/** A formula too long for a passage. */
const longFormula = new RegExp(`${formulas.start}[^${formulas.stop}]{61,}${formulas.stop}`, 'g');
const markSigns = new RegExp(`[${marked.start}${marked.stop}]`, 'g');

interface Piece {
  text: string;
  /** Position in the whole text. */
  start: number;
}

/** Returns a short text as one piece; a long text in pieces, those with the most terms first. */
function piecesOf(text: string, asked: ReadonlySet<string>): Piece[] {
  if (text.length <= piece.whole) return [{ text, start: 0 }];
  const beginnings = [...new Set([...asked].map(beginningOf))];
  const pieces: { start: number; holds: number }[] = [];
  for (let from = 0; from < text.length; from += piece.size) {
    const squashed = squash(text.slice(Math.max(0, from - piece.around), from + piece.size + piece.around));
    const holds = beginnings.filter((part) => squashed.includes(part)).length;
    if (holds > 0) pieces.push({ start: from, holds });
  }
  return pieces
    .toSorted((one, other) => other.holds - one.holds)
    .map(({ start }) => {
      const [first, last] = [edge(text, start - piece.around), edge(text, start + piece.size + piece.around)];
      return { text: text.slice(first, last), start: first };
    });
}

/** Returns the position of the first space from `at` on, so that no word is cut. */
function edge(text: string, at: number): number {
  if (at <= 0) return 0;
  const space = text.indexOf(' ', at);
  return space < 0 || at >= text.length ? text.length : space;
}

interface Fragment {
  start: number;
  end: number;
  /** The query's terms in this fragment. */
  held: Set<string>;
  passage: string;
}

/** Returns the fragments with matches, without overlaps. */
function fragmentsOf({ text, start: offset }: Piece, asked: ReadonlySet<string>): Fragment[] {
  const { words, joined } = wordsOf(text);
  const held = words.map(({ terms }) => terms.filter((term) => asked.has(term)));
  const together = new Set<number>();
  for (const { terms, first, last } of joined) {
    const wanted = terms.filter((term) => asked.has(term));
    if (wanted.length === 0) continue;
    for (let at = first; at <= last; at += 1) {
      held[at]?.push(...wanted);
      if (at > first) together.add(at);
    }
  }
  const fragments: Fragment[] = [];
  for (let from = 0; ; ) {
    const hit = held.findIndex((terms, at) => at >= from && terms.length > 0);
    if (hit < 0) return fragments;
    const first = Math.max(from, hit - passageWords.before);
    const last = Math.min(words.length, first + passageWords.most);
    let [passage, at, inMark] = ['', words[first]?.start ?? 0, false];
    for (let word = first; word < last; word += 1) {
      const { start = 0, end = 0 } = words[word] ?? {};
      const isFound = (held[word]?.length ?? 0) > 0;
      const goesOn = inMark && isFound && together.has(word);
      if (inMark && !goesOn) passage += marked.stop;
      passage += text.slice(at, start) + (isFound && !goesOn ? marked.start : '') + text.slice(start, end);
      [at, inMark] = [end, isFound];
    }
    if (inMark) passage += marked.stop;
    fragments.push({
      start: offset + (words[first]?.start ?? 0),
      end: offset + at,
      held: new Set(held.slice(first, last).flat()),
      passage,
    });
    from = last;
  }
}

function beginningOfText(text: string): string {
  const { words } = wordsOf(text.slice(0, piece.whole));
  const shown = words.slice(0, passageWords.beginning);
  return text.slice(shown[0]?.start ?? 0, shown.at(-1)?.end ?? 0);
}
