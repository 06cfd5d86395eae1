/** What is shown as it is: code and formulas whole, of all other elements their tags. */
const kept = /<(?:(pre|code|math)[ >][\s\S]*?<\/\1>|[^>]*>)/g;
const spaces = / (?=[;!?:»])|« /g;

/**
 * Stored HTML as it is shown: the author's ordinary space before ; ! ? becomes a narrow one that does not break (U+202F), the one before : and within « »
 * a wide one (U+00A0). Where there is no space, as in 12:30 or an address, none comes. What is stored keeps the author's.
 */
export function withFrenchSpaces(html: string): string {
  // A text has few such spaces and many tags: those are looked for first, and tags only as far as they.
  const tags = html.matchAll(kept);
  let tag = tags.next().value;
  let end = tag ? tag.index + tag[0].length : html.length;
  return html.replaceAll(spaces, (found, at: number) => {
    while (tag && end <= at) {
      tag = tags.next().value;
      if (tag) end = tag.index + tag[0].length;
    }
    if (tag && tag.index < at) return found;
    if (found === '« ') return '«\u00a0';
    return /[;!?]/.test(html.charAt(at + 1)) ? '\u202f' : '\u00a0';
  });
}
