import { attribute, child, elementsOf, nameOf, settingOf, switchOf } from './xml.ts';

interface Field {
  code: string;
  /** False while the field's code is read, true while its displayed result is read. */
  isResult: boolean;
  readonly start: Element;
}

/** Deepest nesting of fields. Deeper fields are ignored. */
const maxOpen = 30;

/** Tracks the fields that are open at the current position: links, check boxes, dates. Fields may span paragraphs and be nested. */
export class Fields {
  readonly #open: Field[] = [];

  /** Whether text at the current position is the code of a field. */
  get isCode(): boolean {
    return this.#open.some(({ isResult }) => !isResult);
  }

  /** The link address for text at the current position. It starts with `#` for a place in the same document. */
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

  /** Handles a `w:fldChar`. Returns the field that it ends, or null. */
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

/** Returns the address in a field's code; null when the field is not a link. */
export function linkOf(code: string): string | null {
  const [found, isPlace, quoted, bare] = LINK.exec(code) ?? [];
  if (found === undefined) return null;
  return `${isPlace ? '#' : ''}${quoted ?? bare ?? '#'}`;
}

/** Returns the character for a check box of an old form; null when the field is not a check box. */
export function checkBoxOf({ code, start }: { code: string; start: Element }): string | null {
  if (!/^\s*FORMCHECKBOX\b/i.test(code)) return null;
  const box = child(child(start, 'w:ffData'), 'w:checkBox');
  return (switchOf(box, 'w:checked') ?? switchOf(box, 'w:default') ?? false) ? '☒' : '☐';
}

/** Returns the code of an equation field (Word before 2007); null for any other field. */
export const oldEquationOf = (code: string): string | null => /^\s*EQ\s+([\s\S]*)/i.exec(code)?.[1]?.trim() ?? null;

/** Returns the chosen entry of a drop-down list of an old form; null when the field is no such list or has no choice. */
export function choiceOf({ code, start }: { code: string; start: Element }): string | null {
  if (!/^\s*FORMDROPDOWN\b/i.test(code)) return null;
  const list = child(child(start, 'w:ffData'), 'w:ddList');
  const entries = elementsOf(list).filter((element) => nameOf(element) === 'w:listEntry');
  const chosen = Number(settingOf(list, 'w:result') ?? settingOf(list, 'w:default') ?? 0);
  return attribute(entries[chosen], 'w:val');
}

/** Returns the font and character that a SYMBOL field draws; null for any other field. */
export function symbolFieldOf(code: string): { font: string; char: string } | null {
  const [, hexadecimal, decimal] = /^\s*SYMBOL\s+(?:0x([\da-f]{1,4})|(\d{1,5}))/i.exec(code) ?? [];
  if (decimal === undefined && hexadecimal === undefined) return null;
  const point = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16);
  const font = /\\f\s+"?([^"\\]+)/i.exec(code)?.[1]?.trim() ?? 'Symbol';
  return { font, char: (point < 0x100 ? 0xf000 + point : point).toString(16).toUpperCase() };
}
