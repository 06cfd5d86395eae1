import { braced, join, joinRow } from './join.ts';
import { ACCENTS, FUNCTIONS, GREEK, LARGE_OPERATORS, OPERATORS, ORDINARY, RELATIONS, SPACES, UNDER } from './symbols.ts';

/** Style of a run's letters: OMML's `sty` and `scr`, and whether it is ordinary text (`nor`). */
export interface RunStyle {
  readonly weight: 'i' | 'p' | 'b' | 'bi';
  readonly alphabet: 'roman' | 'script' | 'fraktur' | 'double-struck' | 'sans-serif' | 'monospace';
  readonly isText: boolean;
}

const ALPHABETS: Record<RunStyle['alphabet'], string> = {
  roman: '',
  script: '\\mathcal',
  fraktur: '\\mathfrak',
  'double-struck': '\\mathbb',
  'sans-serif': '\\mathsf',
  monospace: '\\mathtt',
};

const SPECIAL: Record<string, string> = { '#': '\\#', $: '\\$', '%': '\\%', '&': '\\&', _: '\\_', '{': '\\{', '}': '\\}' };
const IN_MATH: Record<string, string> = { ...SPECIAL, '\\': '\\backslash', '~': '\\sim', '^': '\\text{\\textasciicircum}' };
const IN_TEXT: Record<string, string> = {
  ...SPECIAL,
  '\\': '\\textbackslash{}',
  '^': '\\textasciicircum{}',
  '~': '\\textasciitilde{}',
};

// Invisible characters, which are dropped: operators, joiners, variation selectors.
const INVISIBLE = /[\u200b-\u200f\u2060-\u2064\ufeff\u00ad]|[\ufe00-\ufe0f]/g;
const TOKEN = /[^\s\p{M}]\p{M}+|\p{Nd}+(?:[.,]\p{Nd}+)*|[A-Za-z]+|[\s\S]/gu;

/** Returns LaTeX for ordinary text; large operators in it stay operators. */
export function textLatex(text: string): string {
  const pieces = text.replace(INVISIBLE, '').split(LARGE);
  return join(pieces.map((piece) => LARGE_OPERATORS.get(piece) ?? inText(piece)));
}

const LARGE = new RegExp(`([${[...LARGE_OPERATORS.keys()].join('')}])`);

function inText(text: string): string {
  const written = text.replace(/[#$%&_{}\\^~]/g, (character) => IN_TEXT[character] as string);
  // A combining mark at the beginning gets a space, over which it is drawn.
  return written === '' ? '' : `\\text${braced(/^\p{M}/u.test(written) ? `\u00a0${written}` : written)}`;
}

/** Returns LaTeX for a run of an equation. In a function's name, its letters are one word. */
export function runLatex(source: string, style: RunStyle, isName: boolean): string {
  if (style.isText) return textLatex(source);
  const text = source.normalize('NFC').replace(INVISIBLE, '');
  const tokens = [...unstyled(text, style)];
  return joinRow(
    tokens.map(({ piece, style: own }, index) => token(piece, own, isName, tokens[index - 1]?.piece, tokens[index + 1]?.piece)),
  );
}

/** Yields mathematical alphanumerics (𝒙, ℝ) as plain letters with their style, and other tokens unchanged. */
function* unstyled(text: string, style: RunStyle): Generator<{ piece: string; style: RunStyle }> {
  let waiting = '';
  for (const character of text) {
    const letter = alphanumeric(character);
    if (!letter) {
      waiting += character;
      continue;
    }
    yield* tokensOf(waiting, style);
    waiting = '';
    yield { piece: letter.plain, style: { ...style, ...letter.style } };
  }
  yield* tokensOf(waiting, style);
}

function* tokensOf(text: string, style: RunStyle): Generator<{ piece: string; style: RunStyle }> {
  for (const [piece] of text.matchAll(TOKEN)) yield { piece, style };
}

const LETTERLIKE: Record<string, RunStyle['alphabet']> = {
  ...Object.fromEntries([...'ℂℍℕℙℚℝℤℾℿ'].map((character) => [character, 'double-struck'])),
  ...Object.fromEntries([...'ℬℰℱℋℐℒℳℛℯℊℴ'].map((character) => [character, 'script'])),
  ...Object.fromEntries([...'ℭℌℨ'].map((character) => [character, 'fraktur'])),
};

function alphanumeric(character: string): { plain: string; style: Partial<RunStyle> } | null {
  const plain = character.normalize('NFKC');
  const alphabet = LETTERLIKE[character];
  if (alphabet) return { plain, style: { alphabet, weight: 'p' } };
  const code = character.codePointAt(0) ?? 0;
  if (character === 'ℎ') return { plain: 'h', style: { weight: 'i' } };
  if (code < 0x1d400 || code > 0x1d7ff) return null;
  return { plain, style: styleOf(code) };
}

/** First code points of the styles in the block of mathematical alphanumerics; each reaches to the next. */
const STRETCHES: readonly (readonly [number, Partial<RunStyle>])[] = [
  [0x1d400, { weight: 'b' }],
  [0x1d434, { weight: 'i' }],
  [0x1d468, { weight: 'bi' }],
  [0x1d49c, { alphabet: 'script' }],
  [0x1d504, { alphabet: 'fraktur' }],
  [0x1d538, { alphabet: 'double-struck' }],
  [0x1d56c, { alphabet: 'fraktur' }],
  [0x1d5a0, { alphabet: 'sans-serif' }],
  [0x1d670, { alphabet: 'monospace' }],
  [0x1d6a4, { weight: 'i' }],
  [0x1d6a8, { weight: 'b' }],
  [0x1d6e2, { weight: 'i' }],
  [0x1d71c, { weight: 'bi' }],
  [0x1d756, { weight: 'b' }],
  [0x1d7ce, { weight: 'b' }],
  [0x1d7d8, { alphabet: 'double-struck' }],
  [0x1d7e2, { alphabet: 'sans-serif' }],
  [0x1d7f6, { alphabet: 'monospace' }],
];

const styleOf = (code: number): Partial<RunStyle> => STRETCHES.findLast(([first]) => first <= code)?.[1] ?? {};

function token(piece: string, style: RunStyle, isName: boolean, before: string | undefined, after: string | undefined): string {
  if (/^[^\s\p{M}]\p{M}+$/u.test(piece)) return accented([...piece], style, isName);
  if (/^\p{Nd}/u.test(piece)) return drawn(piece.replaceAll(',', '{,}'), style);
  if (/^[A-Za-z]/.test(piece)) return letters(piece, style, isName);
  if (piece === ' ' || piece === '\n' || piece === '\t') return takesSpace(before) && takesSpace(after) ? '\\ ' : '';
  const space = SPACES.get(piece);
  if (space) return space;
  const greek = GREEK.get(piece);
  if (greek) return style.weight === 'b' || style.weight === 'bi' ? `\\boldsymbol${braced(greek)}` : greek;
  const special = IN_MATH[piece];
  if (special) return special;
  const known = RELATIONS.get(piece) ?? OPERATORS.get(piece) ?? ORDINARY.get(piece) ?? LARGE_OPERATORS.get(piece);
  if (known) return known;
  // Letters of other alphabets and quotation marks become text.
  return /^[\p{L}\p{M}"“”]$/u.test(piece) ? textLatex(piece) : piece;
}

/** Returns LaTeX for a letter with combining marks. */
function accented([letter = '', ...marks]: readonly string[], style: RunStyle, isName: boolean): string {
  const commands = marks.map((mark) => (mark === '\u0338' ? '\\not' : (ACCENTS.get(mark)?.[0] ?? UNDER.get(mark))));
  if (commands.includes(undefined)) return textLatex(letter + marks.join(''));
  return commands.reduce<string>((latex, command) => `${command}${braced(latex)}`, token(letter, style, isName, undefined, undefined));
}

/** Returns whether a space beside this neighbour is kept: relations, operators and the ends of a run have space already. */
function takesSpace(neighbour: string | undefined): boolean {
  return neighbour !== undefined && !RELATIONS.has(neighbour) && !OPERATORS.has(neighbour) && !/^[\s=<>+\-*/|,;:()[\]]$/.test(neighbour);
}

function letters(word: string, style: RunStyle, isName: boolean): string {
  const isUpright = style.weight === 'p' && style.alphabet === 'roman';
  if ((isUpright || isName) && FUNCTIONS.has(word)) return `\\${word}`;
  if (isName) return `\\operatorname${braced(word)}`;
  return drawn(word, style);
}

function drawn(text: string, { weight, alphabet }: RunStyle): string {
  const isNumber = /^\p{Nd}/u.test(text);
  const command = ALPHABETS[alphabet];
  const plain = command ? `${command}${braced(text)}` : text;
  if (weight === 'b') return command ? `\\boldsymbol${braced(plain)}` : `\\mathbf${braced(plain)}`;
  if (weight === 'bi') return `\\boldsymbol${braced(plain)}`;
  return weight === 'p' && !command && !isNumber ? `\\mathrm${braced(plain)}` : plain;
}
