/** Combining marks of the accents, by command. */
const ACCENTS: Readonly<Record<string, string>> = {
  '`': '\u0300',
  "'": '\u0301',
  '^': '\u0302',
  '"': '\u0308',
  '~': '\u0303',
  '=': '\u0304',
  '.': '\u0307',
  c: '\u0327',
  v: '\u030c',
  u: '\u0306',
  H: '\u030b',
  r: '\u030a',
  k: '\u0328',
  d: '\u0323',
  b: '\u0331',
};

/** Returns the combining mark of an accent's command, or undefined. */
export const accentOf = (command: string): string | undefined => (Object.hasOwn(ACCENTS, command) ? ACCENTS[command] : undefined);

/** Returns a letter with an accent. */
export const accented = (text: string, mark: string): string => {
  const [, before = '', letter = '', behind = ''] = /^(\s*)([\s\S]\p{M}*)([\s\S]*)$/u.exec(text) ?? [];
  const base = letter === '\u0131' && mark !== '\u0307' ? 'i' : letter === '\u0237' ? 'j' : letter;
  return letter === '' ? '' : (before + base + mark + behind).normalize('NFC');
};

/** Signs that commands stand for. */
const SIGNS: Readonly<Record<string, string>> = {
  // French.
  og: '«\u00a0',
  fg: '\u00a0»',
  guillemotleft: '«',
  guillemotright: '»',
  guillemetleft: '«',
  guillemetright: '»',
  flqq: '«',
  frqq: '»',
  no: 'n°\u00a0',
  nos: 'n°s\u00a0',
  No: 'N°\u00a0',
  degre: '°',
  degres: '°',
  degree: '°',
  textdegree: '°',
  ier: 'er',
  iere: 're',
  iers: 'ers',
  ieres: 'res',
  ieme: 'e',
  iemes: 'es',
  primo: '1°\u00a0',
  secundo: '2°\u00a0',
  tertio: '3°\u00a0',
  quarto: '4°\u00a0',
  // Letters.
  oe: 'œ',
  OE: 'Œ',
  ae: 'æ',
  AE: 'Æ',
  aa: 'å',
  AA: 'Å',
  ss: 'ß',
  o: 'ø',
  O: 'Ø',
  l: 'ł',
  L: 'Ł',
  i: '\u0131',
  j: '\u0237',
  // Signs.
  S: '§',
  P: '¶',
  copyright: '©',
  pounds: '£',
  euro: '€',
  texteuro: '€',
  EUR: '€',
  dots: '…',
  ldots: '…',
  textellipsis: '…',
  dotfill: '…………',
  dag: '†',
  ddag: '‡',
  textbackslash: '\\',
  textasciitilde: '~',
  textasciicircum: '^',
  textbar: '|',
  textless: '<',
  textgreater: '>',
  textunderscore: '_',
  textbullet: '•',
  textendash: '–',
  textemdash: '—',
  textquotedblleft: '“',
  textquotedblright: '”',
  textquoteleft: '‘',
  textquoteright: '’',
  lq: '‘',
  rq: '’',
  textregistered: '®',
  texttrademark: '™',
  textmu: 'µ',
  textperiodcentered: '·',
  textordfeminine: 'ª',
  textordmasculine: 'º',
  checkmark: '✓',
  ding: '•',
  LaTeX: 'LaTeX',
  TeX: 'TeX',
  slash: '/',
  // Spaces.
  ' ': ' ',
  '\n': ' ',
  '\t': ' ',
  ',': '\u202f',
  thinspace: '\u202f',
  ';': '\u00a0',
  ':': '\u00a0',
  nobreakspace: '\u00a0',
  space: ' ',
  quad: '\u2003',
  qquad: '\u2003\u2003',
  enspace: '\u2002',
  // Signs that TeX keeps for itself.
  '%': '%',
  $: '$',
  '&': '&',
  '#': '#',
  _: '_',
  '{': '{',
  '}': '}',
  // Nothing.
  '-': '',
  '/': '',
  '@': '',
  '!': '',
  '>': '',
  '<': '',
};

/** Returns the sign that a command stands for, or undefined. */
export const signOf = (command: string): string | undefined => (Object.hasOwn(SIGNS, command) ? SIGNS[command] : undefined);

/** Returns text as TeX sets it: dashes, quotation marks, spaces that do not break. */
export const typeset = (text: string): string =>
  text
    .replaceAll('---', '—')
    .replaceAll('--', '–')
    .replaceAll('``', '“')
    .replaceAll("''", '”')
    .replaceAll(/<<[ ~]?/g, '«\u00a0')
    .replaceAll(/[ ~]?>>/g, '\u00a0»')
    .replaceAll('~', '\u00a0')
    .replaceAll(/[ \t\n]+/g, ' ');
