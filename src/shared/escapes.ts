const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\u00a0': '&nbsp;' };

const entityOf = (character: string): string => ESCAPES[character] ?? '';

/** `text` for an HTML text, as a browser writes it. */
export const escapeText = (text: string): string => text.replace(/[&<>\u00a0]/g, entityOf);

/** `text` for an HTML text or a double-quoted attribute. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"\u00a0]/g, entityOf);

/** The same for XML and for messages, which know no other entity: a space that does not break stays a character. */
export const escapeMarkup = (text: string): string => text.replace(/[&<>"]/g, entityOf);
