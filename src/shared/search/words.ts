import { formulas } from '../study/search-page.ts';
import { apostrophes, foldCharacters, hyphens, unseen } from './fold.ts';
import { stemOf } from './stem.ts';
import { stopWords } from './stop-words.ts';

/** Longest term, in characters. */
const longestTerm = 60;

/** A word or a formula of a text. */
export interface Word {
  /** Position in the text, in UTF-16 units. */
  start: number;
  end: number;
  folded: string;
  /** Terms under which the word itself is found; none for formulas and stop words. */
  terms: readonly string[];
  /** A stop word in capitals, which may be an acronym; it counts only in a query without other words. */
  capitals: boolean;
}

/** Neighbouring words `first` to `last` that are also found as one word, under `terms`. */
export interface Joined {
  kind: 'numbers' | 'spaced numbers' | 'digits' | 'word';
  first: number;
  last: number;
  terms: readonly string[];
}

const pieces = new RegExp(
  `${formulas.start}[^${formulas.start}${formulas.stop}]*${formulas.stop}|${formulas.unwritten}|[\\p{L}\\p{N}][\\p{L}\\p{N}\\p{M}${unseen}]*`,
  'gu',
);
/** Apostrophes that Unicode classifies as letters. */
const letterApostrophes = /[ʼʹ]/g;
const unseenSigns = new RegExp(`[${unseen}]+`, 'g');
const hyphenGap = new RegExp(`^[${hyphens}]$`);
const apostropheGap = new RegExp(`^[${apostrophes}]$`);
/** Text between two numbers that are read together: 96-06, 3,5, 01/02/2024, 1939 – 1945. */
const numbersGap = new RegExp(`^(?:[.,:_/⁄∕／${apostrophes}]|\\s?[${hyphens}/]\\s?)$`);
const spaceGap = /^\s$/;
const digitsGap = new RegExp(`^(?:\\s|[.${apostrophes}${hyphens}])$`);
/** Elided words before an apostrophe. */
const elided = /^(?:[cdjlmnst]|(?:jus|lors|puis|quoi)?qu)$/;
const startsWithDigit = /^\p{N}/u;
const number = /^\p{N}+$/u;
const letter = /^\p{L}$/u;

/** Returns the words of a text, and neighbours that are found as one. Formulas must be between their delimiters (`formulas`). */
export function wordsOf(written: string): { words: Word[]; joined: Joined[] } {
  const text = written.replaceAll(letterApostrophes, "'");
  const words: Word[] = [];
  for (const { 0: piece, index } of text.matchAll(pieces)) words.push({ start: index, end: index + piece.length, ...read(piece) });
  const whole = withAcronyms(text, words);
  return { words: whole, joined: joinedIn(text, whole) };
}

type Read = Pick<Word, 'folded' | 'terms' | 'capitals'>;

const formula: Read = { folded: '', terms: [], capitals: false };

/** Cache of read words, since most words of a text repeat. */
const known = new Map<string, Read>();
const mostKnown = 20_000;

function read(piece: string): Read {
  const before = known.get(piece);
  if (before) return before;
  if (piece.startsWith(formulas.start) || piece === formulas.unwritten) return formula;
  if (known.size >= mostKnown) known.clear();
  const folded = foldCharacters(piece).replaceAll(/[^\p{L}\p{N}]/gu, '');
  const capitals = stopWords.has(folded) && folded.length > 1 && piece === piece.toUpperCase();
  const word = { folded, terms: stopWords.has(folded) && !capitals ? [] : termsOf(folded), capitals };
  known.set(piece, word);
  return word;
}

/** Returns the terms of a folded word. */
export const termsOf = (folded: string): readonly string[] =>
  [...new Set(foundBy(folded).map((term) => term.slice(0, longestTerm)))].filter((term) => term !== '');

/** Returns the terms of a word: first the whole word, then its parts of letters and digits. */
function foundBy(folded: string): string[] {
  if (!/\p{N}/u.test(folded)) return [stopWords.has(folded) ? folded : stemOf(romanOrdinal(folded))];
  if (number.test(folded)) return [folded];
  const ordinal = /^(\d+)(?:ers?|eres?|res?|i?emes?|nde?s?|de|e)$/.exec(folded);
  const parts = (folded.match(/\p{N}+|\p{L}+/gu) ?? []).filter((part) => part.length > 1 && !stopWords.has(part));
  return ordinal ? [`${ordinal[1]}e`] : [folded, ...parts.map((part) => (number.test(part) ? part : stemOf(part)))];
}

/** Returns XIXème as XIXe. */
const romanOrdinal = (folded: string): string => folded.replace(/^(?=[ivx])(x{0,3}(?:ix|iv|v?i{0,3}))i?eme$/, '$1e');

/** Joins letters that are each followed by a point to one word: O.N.U. becomes ONU. */
function withAcronyms(text: string, words: Word[]): Word[] {
  const kept: Word[] = [];
  for (let at = 0; at < words.length; ) {
    let last = at;
    while (isLetter(words[last]) && isLetter(words[last + 1]) && gapAfter(text, words, last) === '.') last += 1;
    const [first, end] = [words[at], words[last]];
    if (!first || !end) break;
    if (last > at) {
      const folded = words
        .slice(at, last + 1)
        .map((word) => word.folded)
        .join('');
      const point = text[end.end] === '.' ? 1 : 0;
      kept.push({ start: first.start, end: end.end + point, folded, terms: termsOf(folded), capitals: false });
    } else kept.push(first);
    at = last + 1;
  }
  return kept;
}

const isLetter = (word: Word | undefined): boolean => word !== undefined && letter.test(word.folded);
function gapAfter(text: string, words: readonly Word[], at: number): string {
  const gap = text.slice(words[at]?.end, words[at + 1]?.start);
  return gap.length < 2 ? gap : gap.replaceAll(unseenSigns, '');
}

function joinedIn(text: string, words: readonly Word[]): Joined[] {
  const joined: Joined[] = [];
  const gaps = words.slice(1).map((_, at) => gapAfter(text, words, at));
  for (let at = 0; at < gaps.length; at += 1) {
    const [one, other, gap] = [words[at], words[at + 1], gaps[at]];
    if (!one || !other || gap === undefined || one.folded === '' || other.folded === '') continue;
    if (gap === ' ' && !startsWithDigit.test(other.folded)) continue;
    const pair = (kind: Joined['kind'], term: string) =>
      joined.push({ kind, first: at, last: at + 1, terms: [term.slice(0, longestTerm)] });
    const [before, after] = [/\p{N}+$/u.exec(one.folded)?.[0], /^\p{N}+/u.exec(other.folded)?.[0]];
    if (before && after) {
      if (numbersGap.test(gap)) pair('numbers', `${before}_${after}`);
      else if (spaceGap.test(gap) && /^\d{2,3}$/.test(other.folded)) pair('spaced numbers', `${before}_${after}`);
    }
    // A reference to a law: L. 131 is found as L131.
    if (after === other.folded && /^\p{Lu}\.?$/u.test(text.slice(one.start, one.end)) && /^(?:\.\s?|\s)$/.test(gap))
      pair('spaced numbers', one.folded + after);
    if (/^[/⁄∕／]$/.test(gap) && stopWords.has(one.folded) && stopWords.has(other.folded)) pair('word', one.folded + other.folded);
  }
  runs(gaps, joinsDigits(words), (first, last) => joinDigits(words, first, last, joined));
  runs(gaps, joinsLetters(words), (first, last) => {
    const whole = words
      .slice(first, last + 1)
      .map(({ folded }) => folded)
      .join('');
    if (whole.length <= longestTerm) joined.push({ kind: 'word', first, last, terms: termsOf(whole).slice(0, 1) });
  });
  return joined;
}

/** Calls `found` with the first and last word of each longest run whose gaps all join. */
function runs(gaps: readonly string[], joins: (gap: string, at: number) => boolean, found: (first: number, last: number) => void): void {
  for (let at = 0; at < gaps.length; at += 1) {
    const first = at;
    while (at < gaps.length && joins(gaps[at] ?? '', at)) at += 1;
    if (at > first) found(first, at);
  }
}

const joinsDigits = (words: readonly Word[]) => (gap: string, at: number) =>
  startsWithDigit.test(words[at + 1]?.folded ?? '') &&
  digitsGap.test(gap) &&
  /^\d+$/.test(words[at]?.folded ?? '') &&
  /^\d{2,4}$/.test(words[at + 1]?.folded ?? '');

/** Joins digits of thousands, 12 000, and of telephone numbers, 699 12 34 56. */
function joinDigits(words: readonly Word[], first: number, last: number, joined: Joined[]): void {
  const parts = words.slice(first, last + 1).map(({ folded }) => folded);
  const whole = parts.join('');
  const thousands = /^\d{1,3}$/.test(parts[0] ?? '') && parts.slice(1).every((part) => part.length === 3);
  const telephone = parts.length > 2 && whole.length >= 8 && whole.length <= 13;
  if (!thousands && !telephone) return;
  joined.push({ kind: 'digits', first, last, terms: telephone && /^237\d{9}$/.test(whole) ? [whole.slice(3), whole] : [whole] });
}

const joinsLetters = (words: readonly Word[]) => (gap: string, at: number) => {
  if (gap === ' ') return false;
  const [one, other] = [words[at]?.folded ?? '', words[at + 1]?.folded ?? ''];
  if (one === '' || other === '' || (/\p{N}$/u.test(one) && /^\p{N}/u.test(other))) return false;
  return hyphenGap.test(gap) || (apostropheGap.test(gap) && !(elided.test(one) && /^[aeiouyh]/.test(other)));
};
