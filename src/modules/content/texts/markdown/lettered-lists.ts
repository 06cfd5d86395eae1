import { fromRoman, type ListLabel, type ListStyle, labelWith } from '../../../../shared/rich-text/list-labels.ts';

// Lists of pandoc that CommonMark does not know: a), i., A., (1). Their labels become numbers of the same width before parsing.

/** The label and number that an item has in the file. */
export interface LetteredItem {
  readonly label: ListLabel;
  readonly number: number;
}

interface Line {
  /** Quotation signs and indentation. */
  readonly before: string;
  readonly indent: number;
  readonly mark: string;
  /** Blanks behind the mark. */
  readonly gap: string;
  readonly text: string;
}

const LINE = /^((?:(?: {0,3}>)+ ?)?)( *)(?:(\((?:\d{1,3}|[a-z]{1,7}|[A-Z]{1,7})\)|(?:[a-z]{1,7}|[A-Z]{1,7})[.)])( +)(?=\S))?(.*)$/;
const NATIVE = /^((?:(?: {0,3}>)+ ?)?)( *)((?:[-*+]|\d{1,9}[.)]) {1,4})/;
const FENCE = /^[ >]*(`{3,}|~{3,})/;
const NOTE = /^\[\^[^\]\s]+\]:/;

/**
 * Finds the lists with letters, Roman numerals or brackets. One label alone is text ('A. Einstein'), and so are labels out of order, and
 * labels above lines that are not indented below them. Capitals with a period need three items, or two spaces behind them.
 */
export class LetteredLists {
  /** The text with numbers in place of the labels, on the same lines. */
  readonly source: string;
  /** Items by their line, from 0 on. */
  readonly items = new Map<number, LetteredItem>();
  readonly #lines: Line[];
  readonly #isFree: boolean[];

  /** @param left lines whose labels are left as text */
  constructor(source: string, left: ReadonlySet<number> = new Set()) {
    const lines = source.split('\n');
    this.#isFree = freeLines(lines);
    this.#lines = lines.map((line) => {
      const [, quotes = '', blanks = '', mark = '', gap = '', text = ''] = LINE.exec(line) ?? [];
      return { before: quotes + blanks, indent: blanks.length, mark, gap, text };
    });
    for (let at = 0; at < lines.length; at += 1) {
      if (this.items.has(at) || left.has(at) || !this.#isFree[at] || !this.#lines[at]?.mark) continue;
      const runs = (['a', 'i', '1'] as const).map((kind) => this.#run(at, kind)).filter((run) => run !== null);
      const [longest] = runs.toSorted((one, other) => other.size - one.size);
      for (const [line, item] of longest ?? []) this.items.set(line, item);
    }
    this.source = lines.map((line, at) => this.#written(line, at)).join('\n');
  }

  #run(first: number, kind: 'a' | 'i' | '1'): Map<number, LetteredItem> | null {
    const start = this.#lines[first] as Line;
    const item = itemOf(start.mark, kind);
    if (!item || !this.#isNested(first)) return null;
    const run = new Map([[first, item]]);
    let last = item;
    let isExplicit = start.gap.length > 1;
    let isAfterBlank = false;
    for (let at = first + 1; at < this.#lines.length; at += 1) {
      const line = this.#lines[at] as Line;
      if (line.text === '' && line.mark === '') {
        isAfterBlank = true;
        continue;
      }
      if (line.before.length <= start.before.length) {
        const next = line.before === start.before && this.#isFree[at] ? itemOf(line.mark, kind) : null;
        if (next?.label !== item.label || next.number !== last.number + 1) {
          // A line directly below that is no item would become part of the last one.
          const isItem = line.mark !== '' && line.before !== start.before;
          if (!isAfterBlank && !isItem && !NATIVE.test(line.before + line.text) && !line.text.startsWith('#')) return null;
          break;
        }
        isExplicit &&= line.gap.length > 1;
        run.set(at, next);
        last = next;
      }
      isAfterBlank = false;
    }
    // Lines of one paragraph, broken by hand.
    if ([...run.keys()].some((at) => this.#lines[at]?.text.endsWith('\\'))) return null;
    const isInitial = /^[A-Z]\.$/.test(item.label ?? '') && kind === 'a';
    const isEnough = run.size >= (isInitial && !isExplicit ? 3 : 2);
    return isEnough && (item.number === 1 || isExplicit) ? run : null;
  }

  /** Returns whether a line belongs to the item above it, or to none: with fewer blanks it would end that item's list. */
  #isNested(at: number): boolean {
    const { before, indent } = this.#lines[at] as Line;
    if (indent === 0) return true;
    for (let above = at - 1; above >= 0; above -= 1) {
      const { before: outer, indent: outerIndent, mark, gap, text } = this.#lines[above] as Line;
      if (outer.length >= before.length || (mark === '' && text === '')) continue;
      if (NOTE.test(text)) return false;
      const width = this.items.has(above) ? mark.length + gap.length : (NATIVE.exec(outer + text)?.[3]?.length ?? null);
      if (width !== null) return indent >= outerIndent + width && indent < outerIndent + width + 4;
      if (outerIndent === 0) break;
    }
    return indent < 4;
  }

  #written(line: string, at: number): string {
    const item = this.items.get(at);
    if (!item) return line;
    const { before, mark, gap, text } = this.#lines[at] as Line;
    const sign = mark.endsWith('.') ? '.' : ')';
    // Only the number 1 may follow a paragraph directly.
    const number = `${item.number === 1 ? 1 : 2}${sign}`;
    const width = mark.length + Math.min(gap.length, 4);
    const written = width - number.length <= 4 ? number.padEnd(width) : `${number.padStart(mark.length, '0')}${gap.slice(0, 4)}`;
    return before + written + text;
  }
}

/** Returns the item that a mark begins, read as letters, Roman numerals or numbers in brackets; null when it is none. */
function itemOf(mark: string, kind: 'a' | 'i' | '1'): LetteredItem | null {
  const [, before = '', written = '', behind = ''] = /^(\(?)(.+)([.)])$/.exec(mark) ?? [];
  const lower = written.toLowerCase();
  const number =
    kind === '1'
      ? /^\d+$/.test(written)
        ? Number(written)
        : null
      : kind === 'i'
        ? fromRoman(lower)
        : /^[a-z]$/.test(lower)
          ? lower.charCodeAt(0) - 96
          : null;
  if (number === null) return null;
  const style = kind !== '1' && written !== lower ? (kind.toUpperCase() as ListStyle) : kind;
  return { label: labelWith(style, before, behind), number };
}

/** Returns for each line whether a list may begin on it: outside code, formulas and blocks of HTML. */
function freeLines(lines: readonly string[]): boolean[] {
  let fence = '';
  let isFormula = false;
  /** What ends the block of HTML: a closing tag, or '' for a blank line; null outside one. */
  let end: string | null = null;
  return lines.map((line) => {
    const [, sign] = FENCE.exec(line) ?? [];
    if (sign && (fence === '' || sign.startsWith(fence))) {
      fence = fence === '' ? sign : '';
      return false;
    }
    if (fence !== '') return false;
    const [, tag] = /^ {0,3}<(!--|[a-z][a-z\d]*|\/)/i.exec(line) ?? [];
    if (end === null && tag) end = tag === '!--' ? '-->' : /^(?:pre|script|style|textarea)$/i.test(tag) ? `</${tag.toLowerCase()}` : '';
    const isHtml = end !== null;
    if (end === '' ? line.trim() === '' : end !== null && line.toLowerCase().includes(end)) end = null;
    const wasFormula = isFormula;
    if (line.split('$$').length % 2 === 0) isFormula = !isFormula;
    return !isHtml && !wasFormula && !isFormula;
  });
}
