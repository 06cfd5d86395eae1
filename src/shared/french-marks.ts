// Includes short words: in Chromium the space alone does not prevent a line break where `text-wrap` is `pretty`.
const word = '[^\\s<>&;«»]{0,20}';
const marks = `(?:« )?${word}(?: [;:!?»])+|« ${word}`;
const any = /« | [;:!?»]/;
const all = new RegExp(marks, 'g');
const between = new RegExp(`(${marks})`);

/** Returns whether a text contains French punctuation with a space: ; : ! ? » after a space, or « before one. */
export const hasFrenchMarks = (text: string): boolean => any.test(text);

/** Returns HTML text (without tags) in which each such mark and its word are in a `nobreak` span; the characters stay the same. */
export const keepFrenchMarks = (html: string): string => html.replace(all, '<span class="nobreak">$&</span>');

/** Returns the text in pieces; every second piece is a word with its mark. */
export const splitFrenchMarks = (text: string): string[] => text.split(between);
