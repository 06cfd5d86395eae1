/** Parts that stay unchanged: code and formulas with their content, and all tags. */
const kept = /<(?:(pre|code|math)[ >][\s\S]*?<\/\1>|[^>]*>)/g;
const spaces = / (?=[;!?:»])|« /g;

/**
 * Returns stored HTML for display. An ordinary space before ; ! ? becomes a narrow non-breaking one (U+202F), a space before : and inside «
 * » a non-breaking one (U+00A0). No space is added, so 12:30 and addresses stay the same. The stored HTML keeps the author's spaces.
 */
export function withFrenchSpaces(html: string): string {
  // Spaces are few and tags many: the regular expression searches the spaces, and tags are only read up to each of them.
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
