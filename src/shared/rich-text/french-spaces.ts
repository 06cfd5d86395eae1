const code = '<(pre|code|math)[ >][\\s\\S]*?</\\1>';
const tag = '<[^>]*>';
const spaces = new RegExp(`${code}|${tag}|( )(?=[;!?])|( )(?=[:»])|« `, 'g');

/**
 * Stored HTML as it is shown: the author's ordinary space before ; ! ? becomes a narrow one that does not break (U+202F), the one before : and within « »
 * a wide one (U+00A0). Where there is no space, as in 12:30 or an address, none comes. What is stored keeps the author's.
 */
export const withFrenchSpaces = (html: string): string =>
  html.replace(spaces, (found, _element, narrow, wide) => (narrow ? '\u202f' : wide ? '\u00a0' : found === '« ' ? '«\u00a0' : found));
