/** ASCII spellings of characters that Unicode does not decompose: ligatures, quotation marks, signs, letters of Cameroon's languages. */
const spellings: readonly [ascii: string, signs: string][] = [
  ['oe', 'œ'],
  ['OE', 'Œ'],
  ['ae', 'æ'],
  ['AE', 'Æ'],
  ['ss', 'ß'],
  ['o', 'øɔ°'],
  ['O', 'ØƆ'],
  ['e', 'ɛə'],
  ['E', 'ƐƏ'],
  ['i', 'ıɨ'],
  ['I', 'Ɨ'],
  ['u', 'ʉ'],
  ['U', 'Ʉ'],
  ['l', 'ł'],
  ['L', 'Ł'],
  ['n', 'ŋ'],
  ['N', 'Ŋ'],
  ['b', 'ɓ'],
  ['B', 'Ɓ'],
  ['d', 'đɗ'],
  ['D', 'ĐƊ'],
  ["'", '’‘‚‛ʼꞌ′"“”„″«»‹›'],
  ['-', '−⁄•'],
  ['x', '×'],
  ['.', '·'],
  ['EUR', '€'],
];
const asciiOf = new Map(spellings.flatMap(([ascii, signs]) => [...signs].map((sign) => [sign, ascii] as const)));

/**
 * Returns the Content-Disposition for saving a file under a name: the full name, and an ASCII spelling of it for old clients (RFC 6266).
 */
export function attachment(name: string): string {
  const called = name.toWellFormed();
  const whole = encodeURIComponent(called).replaceAll(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
  return `attachment; filename="${asciiName(called)}"; filename*=UTF-8''${whole}`;
}

function asciiName(name: string): string {
  const plain = name
    .replaceAll(/\p{Zs}/gu, ' ')
    .replaceAll(/\p{Pd}/gu, '-')
    .replaceAll(/« ?| ?»/g, "'")
    .normalize('NFKD')
    .replaceAll(/./gsu, (sign) => asciiOf.get(sign) ?? sign)
    .replaceAll(/[\p{M}\p{C}]/gu, '')
    .replaceAll(/[^\x20-\x7e]|["\\%/]/gu, '_');
  const ending = /\.[A-Za-z0-9]+$/.exec(plain)?.[0] ?? '';
  return /[A-Za-z0-9]/.test(plain.slice(0, plain.length - ending.length)) ? plain : `Document${ending}`;
}
