// Includes short words: in Chromium the space alone does not prevent a line break where `text-wrap` is `pretty`.
const word = '[^\\s<>&;«»]{0,20}';
/** A dash or a middle dot between spaces separates two parts of a text, such as a name. Only the end of its word is kept: it may be long. */
const separator = ' [·–-](?![^\\s<])';
const marks = `(?:« )?${word}(?: [;:!?»])+|« ${word}|[^\\s<>&;«»]{0,8}${separator}`;
const any = new RegExp(`« | [;:!?»]|${separator}`);
const all = new RegExp(marks, 'g');
const between = new RegExp(`(${marks})`);

/** Returns whether a text contains punctuation with a space: ; : ! ? » or a separating · – - after a space, or « before one. */
export const hasFrenchMarks = (text: string): boolean => any.test(text);

/** Returns HTML text (without tags) in which each such mark and its word are in a `nobreak` span; the characters stay the same. */
export const keepFrenchMarks = (html: string): string => html.replace(all, '<span class="nobreak">$&</span>');

/** Returns the text in pieces; every second piece is a word with its mark. */
export const splitFrenchMarks = (text: string): string[] => text.split(between);
