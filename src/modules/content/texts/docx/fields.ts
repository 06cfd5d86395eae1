import { attribute, child, elementsOf, nameOf, settingOf, switchOf } from './xml.ts';

interface Field {
  code: string;
  /** The code comes first, then what is shown for it. */
  isResult: boolean;
  readonly start: Element;
}

/** Fields in one another, at most: what opens beyond is not looked into. */
const maxOpen = 30;

/** The fields that are open at a place in the text: a link, a check box, a date. They may reach over paragraphs and stand in one another. */
export class Fields {
  readonly #open: Field[] = [];

  /** Whether text that comes now is the code of a field. */
  get isCode(): boolean {
    return this.#open.some(({ isResult }) => !isResult);
  }

  /** The address that text which comes now links to; `#` stands before a place in the document itself. */
  get link(): string | null {
    for (const { code, isResult } of this.#open.toReversed()) {
      const address = isResult ? linkOf(code) : null;
      if (address !== null) return address;
    }
    return null;
  }

  instruct(text: string): void {
    const field = this.#open.findLast(({ isResult }) => !isResult);
    if (field) field.code += text;
  }

  /** Follows a `w:fldChar`; answers the field that it ends. */
  mark(element: Element): { code: string; hasResult: boolean; start: Element } | null {
    const type = attribute(element, 'w:fldCharType');
    const last = this.#open.at(-1);
    if (type === 'begin' && this.#open.length < maxOpen) this.#open.push({ code: '', isResult: false, start: element });
    else if (type === 'separate' && last) last.isResult = true;
    else if (type === 'end' && last) {
      this.#open.pop();
      return { code: last.code, hasResult: last.isResult, start: last.start };
    }
    return null;
  }
}

const LINK = /^\s*HYPERLINK\b\s*(\\l\s+)?(?:"([^"]*)"|([^\s\\"]\S*))?/i;

/** The address of a field's code, null when it is none. */
export function linkOf(code: string): string | null {
  const [found, isPlace, quoted, bare] = LINK.exec(code) ?? [];
  if (found === undefined) return null;
  return `${isPlace ? '#' : ''}${quoted ?? bare ?? '#'}`;
}

/** The sign for a check box of an old form, null when the field is none. */
export function checkBoxOf({ code, start }: { code: string; start: Element }): string | null {
  if (!/^\s*FORMCHECKBOX\b/i.test(code)) return null;
  const box = child(child(start, 'w:ffData'), 'w:checkBox');
  return (switchOf(box, 'w:checked') ?? switchOf(box, 'w:default') ?? false) ? '☒' : '☐';
}

/** The code of an equation of before 2007, which is drawn from its code; null for another field. */
export const oldEquationOf = (code: string): string | null => /^\s*EQ\s+([\s\S]*)/i.exec(code)?.[1]?.trim() ?? null;

/** What is chosen in a list of an old form, null when the field is none or nothing is. */
export function choiceOf({ code, start }: { code: string; start: Element }): string | null {
  if (!/^\s*FORMDROPDOWN\b/i.test(code)) return null;
  const list = child(child(start, 'w:ffData'), 'w:ddList');
  const entries = elementsOf(list).filter((element) => nameOf(element) === 'w:listEntry');
  const chosen = Number(settingOf(list, 'w:result') ?? settingOf(list, 'w:default') ?? 0);
  return attribute(entries[chosen], 'w:val');
}

/** The character that a SYMBOL field draws, null for another field. */
export function symbolFieldOf(code: string): { font: string; char: string } | null {
  const [, hexadecimal, decimal] = /^\s*SYMBOL\s+(?:0x([\da-f]{1,4})|(\d{1,5}))/i.exec(code) ?? [];
  if (decimal === undefined && hexadecimal === undefined) return null;
  const point = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16);
  const font = /\\f\s+"?([^"\\]+)/i.exec(code)?.[1]?.trim() ?? 'Symbol';
  return { font, char: (point < 0x100 ? 0xf000 + point : point).toString(16).toUpperCase() };
}
