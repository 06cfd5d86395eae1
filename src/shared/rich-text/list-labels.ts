import { only } from './rules.ts';

// Labels of numbered lists: numbers, letters or Roman numerals, with a period, a bracket behind or brackets around.

const styles = ['1', 'a', 'A', 'i', 'I'] as const;
/** How a list counts, as in the `type` attribute of HTML. */
export type ListStyle = (typeof styles)[number];

/** Labels other than '1.', written as that of the first item. A list with none of them counts 1., 2., 3. */
export const listLabels = ['1)', '(1)', 'a.', 'a)', '(a)', 'A.', 'A)', '(A)', 'i.', 'i)', '(i)', 'I.', 'I)', '(I)'] as const;
export type ListLabel = (typeof listLabels)[number] | null;

export const isListLabel = (value: unknown): value is ListLabel =>
  value === null || listLabels.includes(value as (typeof listLabels)[number]);

export const labelAttr = { label: { default: null, validate: only('label', isListLabel) } };

/** Returns the label of a style with the signs around it; of other signs than brackets, the label with a period. */
export function labelWith(style: ListStyle, before: string, behind: string): ListLabel {
  const label = !/[)\]]/.test(behind) ? `${style}.` : /[([]/.test(before) ? `(${style})` : `${style})`;
  return isListLabel(label) ? label : null;
}

/** Returns the style of a label. */
export const styleOf = (label: ListLabel): ListStyle => (label === null ? '1' : (/[1aAiI]/.exec(label)?.[0] as ListStyle));

/** Returns whether items are labelled a, b, c, in either case. */
export const isLettered = (label: ListLabel): boolean => styleOf(label).toLowerCase() === 'a';

/** Reads the label of an `ol` of canonical HTML, or of other HTML that has a `type`. */
export function readLabel(list: Element): { label: ListLabel } {
  const label = list.getAttribute('data-label');
  if (label !== null && isListLabel(label)) return { label };
  const style = styles.find((one) => one === list.getAttribute('type'));
  return { label: style ? labelWith(style, '', '.') : null };
}

/**
 * Returns the attributes of a list's label. `type` is what a browser without our style sheet shows. `data-label` adds the brackets, and
 * the style again, since selectors compare `type` without regard to case.
 */
export function labelAttributes(label: ListLabel): { type?: string; 'data-label'?: string } {
  if (label === null) return {};
  const style = styleOf(label);
  return { ...(style !== '1' && { type: style }), ...(!label.endsWith('.') && { 'data-label': label }) };
}

const ROMAN: readonly (readonly [number, string])[] = [
  [1000, 'M'],
  [900, 'CM'],
  [500, 'D'],
  [400, 'CD'],
  [100, 'C'],
  [90, 'XC'],
  [50, 'L'],
  [40, 'XL'],
  [10, 'X'],
  [9, 'IX'],
  [5, 'V'],
  [4, 'IV'],
  [1, 'I'],
];

/** Returns an upper-case Roman numeral, from 1 to 5,000; other numbers as digits. */
export function roman(number: number): string {
  if (number < 1 || number > 5000) return String(number);
  let rest = number;
  let written = '';
  for (const [value, sign] of ROMAN) {
    while (rest >= value) {
      written += sign;
      rest -= value;
    }
  }
  return written;
}

/** Returns the number of a Roman numeral in lower case; null when it is written otherwise than `roman` writes it. */
export function fromRoman(written: string): number | null {
  let number = 0;
  let rest = written.toUpperCase();
  for (const [value, sign] of ROMAN) {
    while (rest.startsWith(sign)) {
      number += value;
      rest = rest.slice(sign.length);
    }
  }
  return rest === '' && number > 0 && roman(number) === written.toUpperCase() ? number : null;
}

/** Returns A to Z, then AA, BB and so on, as Word counts; numbers outside 1 to 780 as digits. */
export function letter(number: number): string {
  if (number < 1 || number > 780) return String(number);
  return String.fromCharCode(65 + ((number - 1) % 26)).repeat(Math.floor((number - 1) / 26) + 1);
}

/** Returns the label of an item as readers see it: '3.', 'b)', '(iv)'. */
export function writtenLabel(label: ListLabel, number: number): string {
  const style = styleOf(label);
  const upper = style.toLowerCase() === 'a' ? letter(number) : style === '1' ? String(number) : roman(number);
  return (label ?? '1.').replace(style, /[ai]/.test(style) ? upper.toLowerCase() : upper);
}
