import { keepFrenchMarks } from './french-marks.ts';

// What views call for the values that they write, on the server and where the browser renders them.

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** A value for an HTML text or a quoted attribute. */
export function escapeValue(value: unknown): string {
  const text = String(value);
  return /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, (character) => escapes[character] ?? '') : text;
}

/** A value as text of a page: the marks of French stay on the line of their word. */
export const writeText = (value: unknown): string => keepFrenchMarks(escapeValue(value));
