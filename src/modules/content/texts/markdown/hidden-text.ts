// Formulas pass through the Markdown parser in an alphabet of their own, in which it reads nothing: neither `_` and `|`, nor `=` below a line.

/** Each UTF-16 unit has its sign in this plane, which is for private use. */
const PLANE = 0xf0000;
const HIDDEN = /[\u{F0000}-\u{FFFFF}]+/gu;

/** What Markdown is to read nothing in. */
function hidden(text: string): string {
  let signs = '';
  for (let at = 0; at < text.length; at += 1) signs += String.fromCodePoint(PLANE + text.charCodeAt(at));
  return signs;
}

function shown(signs: string): string {
  let text = '';
  for (const sign of signs) text += String.fromCharCode((sign.codePointAt(0) as number) - PLANE);
  return text;
}

/** A formula, with the signs around it, within a text: the dollars stay, since what is emphasised depends on the sign beside a star. */
export const hiddenFormula = (source: string): string => `$${hidden(source)}$`;

/** Starts with a formula that is hidden: its source, and the characters that it takes. */
export function hiddenFormulaAt(text: string): { raw: string; source: string } | undefined {
  const [raw, signs] = /^\$([\u{F0000}-\u{FFFFF}]+)\$/u.exec(text) ?? [];
  const source = signs === undefined ? '' : shown(signs);
  // An author's own characters of that plane are hidden too, without dollars.
  return raw !== undefined && /^[$\\]./s.test(source) ? { raw, source } : undefined;
}

/** A text as it was before anything in it was hidden. */
export function revealed(text: string): string {
  return text
    .replaceAll(/\$([\u{F0000}-\u{FFFFF}]{2,})\$/gu, (all, signs: string) => (/^[$\\]/.test(shown(signs)) ? signs : all))
    .replaceAll(HIDDEN, shown);
}

const DOLLAR = hidden('$');

/** A text whose dollars, but for those around a formula that is hidden, open none. */
export const withPlainDollars = (text: string): string =>
  text.replaceAll(/\$[\u{F0000}-\u{FFFFF}]{2,}\$|\$/gu, (found) => (found === '$' ? DOLLAR : found));

/** An author's own characters of the plane, hidden like the rest: they come back as they were. */
export const withoutOwnSigns = (source: string): string => source.replaceAll(HIDDEN, hidden);

const NEWLINE = hidden('\n');

/** Newlines of a text, also of what is hidden in it. */
export const newlinesIn = (text: string): number => text.split('\n').length + text.split(NEWLINE).length - 2;

/** Gives the attributes of an element their text back. */
export function revealAttributes(element: Element): void {
  for (const { name, value } of [...element.attributes]) if (value.search(HIDDEN) !== -1) element.setAttribute(name, revealed(value));
}
