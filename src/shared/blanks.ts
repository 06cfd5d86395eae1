/** Spaces of every width, line ends, and characters without any: zero-width ones, soft hyphens, marks of direction. */
const blank = /[\s\p{Cf}]/u;

/** Returns a name or a title as it is kept, without the blanks around it: within it a space that no line breaks at is a space like any other. */
export const tidyName = (text: string): string => trimBlanks(text.replaceAll(/\p{Zs}/gu, ' '));

/** Returns a text without the blanks around it: people paste them with a name, a title or an e-mail, and see none of them. */
export function trimBlanks(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && blank.test(text[start] ?? '')) start += 1;
  while (end > start && blank.test(text[end - 1] ?? '')) end -= 1;
  return text.slice(start, end);
}
