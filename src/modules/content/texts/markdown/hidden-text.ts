// Formulas pass through the Markdown parser encoded in private-use characters, so that it interprets no `_`, `|` or `=` in them.

/** Start of the private-use plane that encodes each UTF-16 unit as one character. */
const PLANE = 0xf0000;
const HIDDEN = /[\u{F0000}-\u{FFFFF}]+/gu;

/** Returns text encoded in characters that Markdown does not interpret. */
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

/**
 * Returns a formula, including its signs, hidden between dollars. The dollars remain since emphasis depends on the characters next to
 * a star.
 */
export const hiddenFormula = (source: string): string => `$${hidden(source)}$`;

/** If the text starts with a hidden formula, returns its source, and the characters that it takes. */
export function hiddenFormulaAt(text: string): { raw: string; source: string } | undefined {
  const [raw, signs] = /^\$([\u{F0000}-\u{FFFFF}]+)\$/u.exec(text) ?? [];
  const source = signs === undefined ? '' : shown(signs);
  // An author's own characters of this plane are hidden too, but without dollars.
  return raw !== undefined && /^[$\\]./s.test(source) ? { raw, source } : undefined;
}

/** Returns a text with all hidden parts decoded. */
export function revealed(text: string): string {
  return text
    .replaceAll(/\$([\u{F0000}-\u{FFFFF}]{2,})\$/gu, (all, signs: string) => (/^[$\\]/.test(shown(signs)) ? signs : all))
    .replaceAll(HIDDEN, shown);
}

const DOLLAR = hidden('$');

/** Returns a text in which dollars open no formula, except around hidden formulas. */
export const withPlainDollars = (text: string): string =>
  text.replaceAll(/\$[\u{F0000}-\u{FFFFF}]{2,}\$|\$/gu, (found) => (found === '$' ? DOLLAR : found));

/** Hides an author's own characters of this plane, so that decoding restores them. */
export const withoutOwnSigns = (source: string): string => source.replaceAll(HIDDEN, hidden);

const NEWLINE = hidden('\n');

/** Returns the number of newlines in a text, including hidden ones. */
export const newlinesIn = (text: string): number => text.split('\n').length + text.split(NEWLINE).length - 2;

/** Decodes hidden text in the attributes of an element. */
export function revealAttributes(element: Element): void {
  for (const { name, value } of [...element.attributes]) if (value.search(HIDDEN) !== -1) element.setAttribute(name, revealed(value));
}
