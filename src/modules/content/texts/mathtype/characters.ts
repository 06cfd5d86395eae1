import { hex } from 'dingbat-to-unicode';
import type { RunStyle } from '../../../../shared/omml/run.ts';
import { table } from '../../../../shared/omml/symbols.ts';
import { UnreadableEquation } from './compound-file.ts';
import { type CharRecord, Typeface } from './records.ts';

/** A character of an equation: Unicode, and the style of its letter. */
export interface Styled {
  readonly text: string;
  readonly style: RunStyle;
}

const ITALIC: RunStyle = { weight: 'i', alphabet: 'roman', isText: false };
const UPRIGHT: RunStyle = { ...ITALIC, weight: 'p' };
const TEXT: RunStyle = { ...ITALIC, isText: true };

/** Unicode for characters in the private area of MTCode. Spaces follow their widths. */
const PRIVATE = new Map(
  [
    ...table(`
      E901 ⩲ E902 ⩱ E903 ⨦ E904 ⨤ E90B ⊇ E90C ⊆ E922 ⋚ E924 ⩪ E925 ∻ E92D ⋛ E932 ≲ E933 ≳ E93A ≾ E93B ≿ E98F ·
      EA06 ≰ EA07 ≱ EA0B ⊉ EA0C ⊈ EA32 ⪉ EA33 ⪊ EA34 ≨ EA35 ≩ EA3A ⋨ EA3B ⋩ EA40 ⪵ EA41 ⪶ EA42 ⊈ EA43 ⊉ EA44 ⊊ EA45 ⊋
      EC07 | EC08 | EC09 ‖ EC0A ‖ ED10 ⅆ ED11 ⅇ ED12 ⅈ ED13 ⅉ EE19 ⁗
      F8F0 ⌊ F8FB ⌋ F8EE ⌈ F8F9 ⌉
    `),
  ].map(([code, text]) => [Number.parseInt(code, 16), text]),
);

/** Widths of the spaces at EB00 and EF00, by their last digit; nothing for a mark of alignment and a space without width. */
const SPACES: Readonly<Record<number, string>> = {
  0: '',
  1: '',
  2: '\u2009',
  3: '\u205f',
  4: '\u2004',
  5: '\u2003',
  6: '\u2001',
  8: '\u200a',
};

/** Alphabets of the private area: capitals, then small letters, from these codes on. */
const ALPHABETS: readonly (readonly [first: number, alphabet: RunStyle['alphabet']])[] = [
  [0xf000, 'fraktur'],
  [0xf080, 'double-struck'],
  [0xf100, 'script'],
];
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const doubleStruckDigits = 0xf0c0;

/** Characters of the font MT Extra by their position, for those without a code. */
const MT_EXTRA = new Map(
  [...table('4B … 4C ⋯ 4D ⋮ 4E ⋰ 4F ⋱ 68 ℏ 6C ℓ 6D ∓ 6F ∘')].map(([position, text]) => [Number.parseInt(position, 16), text]),
);

/** Returns a character in Unicode with its style. @throws UnreadableEquation when it has no equivalent */
export function styledCharacter(char: CharRecord): Styled {
  if (char.typeface === Typeface.marker) return { text: '', style: ITALIC };
  const style = styleOf(char);
  const code = char.code ?? codeOf(char);
  if (char.typeface === Typeface.space || (code >= 0xef00 && code <= 0xef0f)) return { text: spaceOf(code), style };
  const letter = letterOf(code);
  if (letter) return letter;
  return { text: textOf(char, code), style };
}

/** Returns the code of a character that only has a position in its font. */
function codeOf({ position, typeface, font }: CharRecord): number {
  if (position === null) throw new UnreadableEquation('a character without a code');
  const isExtra = typeface === Typeface.mtExtra || /^mt ?extra/i.test(font?.name ?? '');
  const text = isExtra ? MT_EXTRA.get(position) : isSymbolic({ typeface, font }) ? symbolOf(position) : undefined;
  if (text !== undefined) return text.codePointAt(0) ?? 0;
  if (isExtra || isSymbolic({ typeface, font })) throw new UnreadableEquation(`position ${position} of a symbol font`);
  return position;
}

function spaceOf(code: number): string {
  if (code < 0xeb00) return ' ';
  const space = SPACES[code & 0x0f];
  if (space === undefined) throw new UnreadableEquation(`space ${code.toString(16)}`);
  return space;
}

function letterOf(code: number): Styled | null {
  if (code >= doubleStruckDigits && code < doubleStruckDigits + 10)
    return { text: String(code - doubleStruckDigits), style: { ...UPRIGHT, alphabet: 'double-struck' } };
  for (const [first, alphabet] of ALPHABETS) {
    const text = LETTERS[code - first];
    if (text !== undefined) return { text, style: { ...UPRIGHT, alphabet } };
  }
  return null;
}

function textOf(char: CharRecord, code: number): string {
  // Version 3 may write the position in the font Symbol: the letter a for α.
  if (isSymbolic(char) && code < 0x100 && /^[A-Za-z]$/.test(String.fromCharCode(code))) return symbolOf(code) ?? '';
  const known = PRIVATE.get(code);
  if (known !== undefined) return known;
  if (code >= 0xf020 && code <= 0xf0ff) {
    const symbol = symbolOf(code - 0xf000, char.font?.name);
    if (symbol !== undefined) return symbol;
  }
  if (code < 0x20 || (code >= 0xd800 && code <= 0xf8ff)) throw new UnreadableEquation(`character ${code.toString(16)}`);
  return String.fromCodePoint(code);
}

const symbolOf = (position: number, font = 'Symbol'): string | undefined =>
  hex(/symbol|dings/i.test(font) ? font : 'Symbol', position.toString(16).toUpperCase().padStart(2, '0'))?.string;

const isSymbolic = ({ typeface, font }: Pick<CharRecord, 'typeface' | 'font'>): boolean =>
  typeface === Typeface.smallGreek || typeface === Typeface.capitalGreek || (typeface < 0 && /symbol/i.test(font?.name ?? ''));

function styleOf({ typeface, font }: CharRecord): RunStyle {
  switch (typeface) {
    case Typeface.text:
    case Typeface.eastAsianText:
      return TEXT;
    case Typeface.function:
      return UPRIGHT;
    case Typeface.vector:
      return { ...ITALIC, weight: font?.isItalic ? 'bi' : 'b' };
    case Typeface.user1:
    case Typeface.user2:
      return explicit(font);
    default:
      return typeface < 0 ? explicit(font) : ITALIC;
  }
}

function explicit(font: CharRecord['font']): RunStyle {
  const alphabet = /courier|mono/i.test(font?.name ?? '') ? 'monospace' : /fraktur/i.test(font?.name ?? '') ? 'fraktur' : 'roman';
  const weight = font?.isBold ? (font.isItalic ? 'bi' : 'b') : font?.isItalic ? 'i' : 'p';
  return { weight, alphabet, isText: false };
}
