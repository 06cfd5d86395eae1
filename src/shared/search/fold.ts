/** Letters that Unicode does not take apart; those of Cameroon's languages among them. */
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
  // Unicode counts these apostrophes among the letters.
  ʼ: "'",
  ʹ: "'",
};
const anyLetter = new RegExp(`[${Object.keys(letters).join('')}]`, 'g');

/** Characters that are not seen: soft hyphen, zero-width spaces and joiners, variation selectors. Source of a character class. */
export const unseen = '\\u00ad\\u034f\\u200b-\\u200f\\u2060-\\u2064\\ufe00-\\ufe0f\\ufeff';
/** Signs that are read as a hyphen, and as an apostrophe. Sources of character classes. */
export const hyphens = '\\-\\u2010-\\u2015\\u2043\\u2212\\ufe58\\ufe63\\uff0d';
export const apostrophes = "'’‘‛ʼʹ′`´＇";

const unseenSigns = new RegExp(`[${unseen}]`, 'g');

/** Letters and digits without accents, in small letters: ligatures written out, raised and lowered signs on the line, what is not seen left out. */
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
