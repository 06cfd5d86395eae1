import { keepFrenchMarks } from './french-marks.ts';

// Functions by which views write values, on the server and in browsers.

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Returns a value escaped for HTML text or a quoted attribute. */
export function escapeValue(value: unknown): string {
  const text = String(value);
  return /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, (character) => escapes[character] ?? '') : text;
}

/** Returns a value as HTML text, with French punctuation kept on the line of its word. */
export const writeText = (value: unknown): string => keepFrenchMarks(escapeValue(value));
