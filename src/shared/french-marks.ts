// With the word beside the mark, as far as it is short: in Chromium the space alone holds, but not where `text-wrap` is `pretty`.
const word = '[^\\s<>&;«»]{0,20}';
const marks = `(?:« )?${word}(?: [;:!?»])+|« ${word}`;
const any = /« | [;:!?»]/;
const all = new RegExp(marks, 'g');
const between = new RegExp(`(${marks})`);

/** Whether there are marks that French sets apart from their words: ; : ! ? » after a space, and « before one. */
export const hasFrenchMarks = (text: string): boolean => any.test(text);

/** HTML without tags, in which each such mark stands with its word in a box where lines do not break; its characters are the same. */
export const keepFrenchMarks = (html: string): string => html.replace(all, '<span class="nobreak">$&</span>');

/** The same text in pieces, every second of them a word with its mark. */
export const splitFrenchMarks = (text: string): string[] => text.split(between);
