import { formulas, fragmentDelimiter, marked } from '../study/search-page.ts';
import { foldCharacters } from './fold.ts';
import { finds, type Query, termsAsked } from './query.ts';
import { wordsOf } from './words.ts';

/** Of a passage: words at most, how many of them before what was found, and where only the title says it. */
const passageWords = { most: 24, before: 8, beginning: 10 };

/** A text that is longer than `whole` is read in pieces of so many characters, with so many more on either side: as many as say something of what is looked for. */
const piece = { whole: 3_000, size: 1_000, around: 200, most: 3 };

/** Whether a text may hold what is looked for: quick, and never wrong where it says no. */
export function mayFind(query: Query, ...texts: string[]): boolean {
  const squashed = texts.map(squash);
  return finds(query, (term) => squashed.some((text) => text.includes(beginningOf(term))));
}

/** Letters and digits alone, so that what is joined stands together. */
const squash = (text: string): string => foldCharacters(text).replaceAll(/[^\p{L}\p{N}]+/gu, '');

/** What every word of a stem begins with; an ordinal's number. */
function beginningOf(term: string): string {
  const letters = term.replaceAll('_', '');
  return /^\p{N}+$/u.test(letters)
    ? letters
    : /\p{N}/u.test(letters)
      ? letters.replace(/e$/, '')
      : letters.slice(0, letters.length < 3 ? 1 : Math.max(2, letters.length - 3));
}

/**
 * Where a text says what is looked for, `marked`, in two places at most: the one with the most of it, and one with the rest or the next. Where it does not, how it begins.
 * @param text with its formulas between their signs
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

/** One that is longer than what a passage shows around it. */
const longFormula = new RegExp(`${formulas.start}[^${formulas.stop}]{61,}${formulas.stop}`, 'g');
const markSigns = new RegExp(`[${marked.start}${marked.stop}]`, 'g');

interface Piece {
  text: string;
  /** Where it begins in its text. */
  start: number;
}

/** The whole of a short text; of a long one its pieces, those first that may say the most of what is looked for. */
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

/** The first space from `at` on, so that no word is cut. */
function edge(text: string, at: number): number {
  if (at <= 0) return 0;
  const space = text.indexOf(' ', at);
  return space < 0 || at >= text.length ? text.length : space;
}

interface Fragment {
  start: number;
  end: number;
  /** What it holds of what is looked for. */
  held: Set<string>;
  passage: string;
}

/** Places of a text that say some of what is looked for, none within another. */
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
