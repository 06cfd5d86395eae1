const words = [
  ...[
    'un',
    'deux',
    'trois',
    'quatre',
    'cinq',
    'six',
    'sept',
    'huit',
    'neuf',
    'dix',
    'onze',
    'douze',
    'treize',
    'quatorze',
    'quinze',
    'seize',
  ],
  ...['dix-sept', 'dix-huit', 'dix-neuf', 'vingt'],
];
const digits = String.raw`\d{1,3}(?:[.,]\d{1,2})?`;
/** Longest words first: 'dix-sept' before 'dix'. */
const number = `(${digits}|${words.toReversed().join('|')})`;
const unit = String.raw`(?:points?|pts?\b\.?)`;
/** '5 points', '4,5 pts', 'sur 5', '/5', 'noté sur 5 points', '5 points sur 20'. */
const amount = String.raw`(?:(?:sur|/) ?${number}(?: ?${unit})?|${number} ?${unit}(?: (?:environ|au total|maximum))?(?: ?(?:sur|/) ?\d{1,3})?)`;
const said = `(?:barème ?:? ?|notée?s? (?:sur )?|environ )?`;

/** Matches a text that is a number alone. */
export const isNumber = new RegExp(`^ ?${digits} ?$`);

/** Where a heading names its points: in brackets, behind a dash or colon at its end, or abbreviated at its end. */
const forms = [
  String.raw`[([] ?${said}${amount} ?[)\]]`,
  `(?: ?[-–—:;,|•] ?${said}| notée? )${amount} ?[.:]?$`,
  String.raw` ${number} ?pts?\.?$`,
  ` /${number}(?: ?${unit})?$`,
].map((form) => new RegExp(form, 'i'));

/** The same in a line of a scale, where a remark may follow: 'Question 6 : 5 points, dont 2 pour …', 'Introduction : 4'. */
const lineForms = [...forms, new RegExp(String.raw`(?: ?[-–—:] ?| )${number} ?${unit}(?![\p{L}])`, 'iu'), new RegExp(` ?: ?(${digits})$`)];

const find = (text: string, among: readonly RegExp[]) => among.map((form) => form.exec(text)).find((match) => match !== null) ?? null;

/** Returns the number of points that a text names, above 0; null if it names none. @param isLine whether the text is a line of a scale */
export function pointsIn(text: string, isLine = false): number | null {
  const match = find(text.replaceAll(/\s+/g, ' '), isLine ? lineForms : forms);
  const written = match?.slice(1).find((group) => group !== undefined);
  if (written === undefined) return null;
  const points = words.indexOf(written.toLowerCase()) + 1 || Number(written.replace(',', '.'));
  return points > 0 && points <= 100 ? points : null;
}

/** Returns the text without its points, and without punctuation at its end. */
export const withoutPoints = (text: string): string => {
  const spaced = text.replaceAll(/\s+/g, ' ').trim();
  const match = find(spaced, lineForms);
  if (!match || pointsIn(spaced, true) === null) return spaced.replace(/[ .:;,–—-]+$/, '');
  const [before, after] = [spaced.slice(0, match.index), spaced.slice(match.index + match[0].length)];
  // What follows a bracket belongs to the title; what follows in a line of a scale is a remark.
  return (/^[([]/.test(match[0].trim()) ? `${before}${after}` : before)
    .trim()
    .replaceAll(/ {2,}/g, ' ')
    .replace(/[ .:;,–—-]+$/, '');
};
