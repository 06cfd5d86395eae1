const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\u00a0': '&nbsp;' };

const entityOf = (character: string): string => ESCAPES[character] ?? '';

/** Returns `text` escaped for HTML text, as browsers serialise it. */
export const escapeText = (text: string): string => text.replace(/[&<>\u00a0]/g, entityOf);

/** Returns `text` escaped for HTML text or a double-quoted attribute. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"\u00a0]/g, entityOf);

/** Returns `text` escaped for XML and messages, which do not know `&nbsp;`: a non-breaking space stays a character. */
export const escapeMarkup = (text: string): string => text.replace(/[&<>"]/g, entityOf);

/** Returns the text that `escapeText` or `escapeHtml` has escaped. */
export const unescapeHtml = (html: string): string =>
  html.replace(
    /&(?:amp|lt|gt|quot|nbsp);/g,
    (entity) => Object.keys(ESCAPES).find((character) => entityOf(character) === entity) ?? entity,
  );
