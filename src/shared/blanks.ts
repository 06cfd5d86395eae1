/** Spaces of any width, line breaks, and invisible characters: zero-width ones, soft hyphens, direction marks. */
const blank = /[\s\p{Cf}]/u;

/** Control characters, unpaired surrogates, and characters that change the direction of the text around them. */
export const hidden = /\p{Cc}|\p{Cs}|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
export const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** Returns a name or title for storing: without blanks around it, and with ordinary spaces instead of non-breaking ones. */
export const tidyName = (text: string): string => trimBlanks(text.replaceAll(/\p{Zs}/gu, ' '));

/** Returns a text without blanks around it. People paste such blanks unnoticed with names, titles and e-mail addresses. */
export function trimBlanks(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && blank.test(text[start] ?? '')) start += 1;
  while (end > start && blank.test(text[end - 1] ?? '')) end -= 1;
  return text.slice(start, end);
}
