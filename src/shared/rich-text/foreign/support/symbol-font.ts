// In old documents, Greek and mathematical symbols are letters in a symbol font: the character `a` is shown as alpha.

const SYMBOL_RANGES: readonly [first: number, characters: string][] = [
  [0x22, '∀'],
  [0x24, '∃'],
  [0x27, '∋'],
  [0x2a, '∗'],
  [0x2d, '−'],
  [0x40, '≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ'],
  [0x5c, '∴'],
  [0x5e, '⊥'],
  [0x61, 'αβχδεφγηιϕκλμνοπθρστυϖωξψζ'],
  [0x7e, '∼'],
  [0xa1, 'ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…'],
  [0xbf, '↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑'],
  [0xf1, '〉∫'],
];
const WINGDINGS: Readonly<Record<string, string>> = {
  '§': '▪',
  '\u00fc': '✓',
  '\u00fb': '✗',
  '\u00d8': '➢',
  '\u00e0': '→',
  '\u00df': '←',
  '\u00e1': '↑',
  '\u00e2': '↓',
  '\u00e8': '➔',
  '\u00f0': '⇨',
  '\u00f3': '⇔',
  '\u00fe': '☑',
  '\u00a8': '◻',
  '\u006f': '☐',
  '\u006e': '■',
  '\u006c': '●',
  '\u0076': '❖',
  '\u004a': '☺',
  '\u004b': '😐',
  '\u004c': '☹',
};

const symbols = new Map(SYMBOL_RANGES.flatMap(([first, text]) => [...text].map((character, at) => [first + at, character] as const)));

/** Returns the symbol font that a `font-family` names; null for any other font. */
export function symbolFont(family: string): 'symbol' | 'wingdings' | null {
  const first = family.split(',')[0]?.replace(/["']/g, '').trim().toLowerCase();
  if (first === 'symbol') return 'symbol';
  return first === 'wingdings' ? 'wingdings' : null;
}

/** Returns the visible text, and the number of its characters that are unknown. */
export function seenText(text: string, font: 'symbol' | 'wingdings'): { text: string; unknown: number } {
  let unknown = 0;
  const seen = [...text].map((character) => {
    const code = character.codePointAt(0) ?? 0;
    // Word also writes these characters in the private-use area, at 0xf000 + code.
    const low = code >= 0xf020 && code <= 0xf0ff ? code - 0xf000 : code;
    if (low > 0xff || low <= 0x20 || low === 0xa0) return character;
    const found = font === 'symbol' ? symbols.get(low) : WINGDINGS[String.fromCharCode(low)];
    if (found) return found;
    // Digits and punctuation look the same in the Symbol font.
    if (font === 'symbol' && low < 0x7f) return String.fromCharCode(low);
    unknown += 1;
    return character;
  });
  return { text: seen.join(''), unknown };
}
