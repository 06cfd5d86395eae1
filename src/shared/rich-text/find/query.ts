import { apostrophes, foldCharacters, hyphens, unseen } from '../../search/fold.ts';

/** What is searched in texts. */
export interface TextQuery {
  text: string;
  /** Whether 'é' differs from 'e', and 'œ' from 'oe'. */
  accents: boolean;
  /** Whether capitals differ from small letters. */
  capitals: boolean;
  /** Whether a match must not be part of a longer word. */
  wholeWords: boolean;
  /** Whether the LaTeX of formulas is searched, too. */
  formulas: boolean;
}

/** Longest text to search for, and to put in its place, in characters. */
export const maxQueryLength = 200;

/** A part of a text, in UTF-16 units. */
export interface Span {
  from: number;
  to: number;
}

// A sign with the marks that combine with it.
const signs = /[\s\S]\p{M}*/gu;
const isUnseen = new RegExp(`^[${unseen}]+$`);
const isSpace = /^\s$/;
const isApostrophe = new RegExp(`^[${apostrophes}]$`);
const isHyphen = new RegExp(`^[${hyphens}]$`);
const isWordSign = /[\p{L}\p{N}_]/u;

type Folding = Pick<TextQuery, 'accents' | 'capitals'>;

/**
 * Returns a sign as it is compared. Spaces, apostrophes and hyphens have several forms that look alike and that a keyboard does not tell
 * apart: each is the same sign in every search. Invisible signs are nothing.
 */
function foldSign(sign: string, { accents, capitals }: Folding): string {
  if (sign.length === 1 && sign > ' ' && sign < '\u007f') {
    if (sign === '`') return "'";
    return capitals ? sign : sign.toLowerCase();
  }
  if (isSpace.test(sign)) return ' ';
  if (isUnseen.test(sign)) return '';
  if (isApostrophe.test(sign)) return "'";
  if (isHyphen.test(sign)) return '-';
  if (accents) return capitals ? sign.normalize('NFC') : sign.normalize('NFC').toLowerCase();
  const folded = foldCharacters(sign);
  return capitals && sign.toLowerCase() !== sign ? folded.toUpperCase() : folded;
}

/** A folded text, and the sign of the original from which each folded unit comes. */
interface Folded {
  text: string;
  /** Start and end of the sign, by index in `text`. */
  starts: number[];
  ends: number[];
}

function fold(text: string, folding: Folding): Folded {
  const folded: Folded = { text: '', starts: [], ends: [] };
  for (const { 0: sign, index } of text.matchAll(signs)) {
    const as = foldSign(sign, folding);
    folded.text += as;
    for (let unit = 0; unit < as.length; unit += 1) {
      folded.starts.push(index);
      folded.ends.push(index + sign.length);
    }
  }
  return folded;
}

/** Returns a function that finds the matches of a query in a text, in order and without overlaps; none for a query without a sign. */
export function finderOf(query: TextQuery): (text: string) => Span[] {
  const sought = fold(query.text, query).text;
  if (sought === '') return () => [];
  return (text) => {
    const { text: folded, starts, ends } = fold(text, query);
    const spans: Span[] = [];
    for (let at = folded.indexOf(sought); at >= 0; at = folded.indexOf(sought, at + 1)) {
      const last = at + sought.length - 1;
      const [from, to] = [starts[at] ?? 0, ends[last] ?? 0];
      // A match neither begins nor ends within a sign: 'o' is no part of 'œ'.
      const isWhole = starts[at - 1] !== from && ends[last + 1] !== to;
      if (!isWhole || (query.wholeWords && isWithinWord(text, from, to))) continue;
      spans.push({ from, to });
      at = last;
    }
    return spans;
  };
}

/** Returns whether a word goes on before or after a part of a text. */
function isWithinWord(text: string, from: number, to: number): boolean {
  const first = (part: string) => [...part.slice(0, 2)][0] ?? '';
  // The letter that the last marks belong to.
  const last = (part: string) => [...part.slice(-8).replace(/\p{M}+$/u, '')].at(-1) ?? '';
  const isOne = (one: string, other: string) => isWordSign.test(one) && isWordSign.test(other);
  return (
    isOne(last(text.slice(Math.max(0, from - 8), from)), first(text.slice(from, from + 2))) ||
    isOne(last(text.slice(from, to)), first(text.slice(to, to + 2)))
  );
}
