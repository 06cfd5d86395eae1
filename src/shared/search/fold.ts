/** Letters that Unicode does not decompose, including those of Cameroon's languages. */
const letters: Record<string, string> = {
  œ: 'oe',
  æ: 'ae',
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
  ɛ: 'e',
  ə: 'e',
  ɔ: 'o',
  ɑ: 'a',
  ŋ: 'n',
  ɓ: 'b',
  ɗ: 'd',
  ɨ: 'i',
  ʉ: 'u',
  // Unicode classifies these apostrophes as letters.
  ʼ: "'",
  ʹ: "'",
};
const anyLetter = new RegExp(`[${Object.keys(letters).join('')}]`, 'g');

/** Invisible characters: soft hyphen, zero-width spaces and joiners, variation selectors. For use in a character class. */
export const unseen = '\\u00ad\\u034f\\u200b-\\u200f\\u2060-\\u2064\\ufe00-\\ufe0f\\ufeff';
/** Characters that count as a hyphen, and as an apostrophe. For use in a character class. */
export const hyphens = '\\-\\u2010-\\u2015\\u2043\\u2212\\ufe58\\ufe63\\uff0d';
export const apostrophes = "'’‘‛ʼʹ′`´＇";

const unseenSigns = new RegExp(`[${unseen}]`, 'g');

/**
 * Returns a text in lower case without accents; ligatures are written out, superscripts and subscripts become ordinary
 * characters, invisible characters are removed.
 */
export function foldCharacters(text: string): string {
  if (!/[^ -~]/.test(text)) return text.toLowerCase();
  return text
    .replaceAll(unseenSigns, '')
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll(anyLetter, (letter) => letters[letter] ?? letter);
}
