/** A list item or note that contains a line. Columns are counted from the end of the quotation signs. */
interface Container {
  /** Column where its first line starts. */
  readonly base: number;
  /** Smallest column where its other lines start. */
  readonly column: number;
  /** Whether our Markdown makes a list item of it. Lines below an item that it does not know must lose their indentation. */
  readonly isListed: boolean;
}

/** A line as the search for formulas sees it. */
export interface EnteredLine {
  /** Whether the line is code, in which no formula can start. */
  readonly isCode: boolean;
  /** Replaces the first `prefixLength` characters of the line. */
  readonly prefix: string;
  readonly prefixLength: number;
}

const QUOTES = /^(?:[ \t]*>)+[ \t]?/;
const BULLET = /^(?:[-*+]|\d{1,9}[.)])(?=[ \t])[ \t]*/;
/** List items of pandoc that CommonMark does not know: a), (1), ii., and definitions. */
const FANCY = /^(?:\((?:\d{1,3}|[a-zA-Z]|[ivxlcIVXLC]{1,6}|@\w{0,20})\)|(?:[a-zA-Z]|[ivxlcIVXLC]{1,6})[.)]|#\.|:)[ \t]+(?=\S)/;
const NOTE = /^\[\^[^\]\s]{1,100}\]:/;
const FENCE = /^(?:(`{3,})[^`]*|(~{3,}).*)$/;
const DASHES = /^[\s|:-]*-[\s|:-]*$/;

interface Fence {
  readonly sign: string;
  readonly quotes: number;
  readonly column: number;
}

/** Tracks, line by line, the quotations, items, tables and code blocks of a Markdown text. */
export class Containers {
  readonly #lines: readonly string[];
  /** Open containers, by the number of quotations around them. */
  #open: Container[][] = [[]];
  #quotes = 0;
  #fence: Fence | null = null;
  #isAfterBreak = true;
  #isInTable = false;
  /** Whether a construct that starts on the current line must end on the same line. */
  #isSingle = false;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  /** Enters the next line that is not part of an earlier formula. */
  enter(index: number): EnteredLine {
    const line = this.#lines[index] as string;
    if (line.trim() === '') {
      this.#isAfterBreak = true;
      this.#isInTable = false;
      return { isCode: true, prefix: '', prefixLength: 0 };
    }
    const [signs, indent, rest] = parted(line);
    const quotes = signs.split('>').length - 1;
    if (this.#isInFence(quotes, indent.length, rest)) return { isCode: true, ...this.#prefix(line, indent, '') };
    if (quotes > this.#quotes || this.#isAfterBreak) this.#enterQuotes(quotes);
    if (rest === '') {
      this.#isAfterBreak = true;
      return { isCode: true, prefix: '', prefixLength: 0 };
    }
    const [mark = ''] = BULLET.exec(rest) ?? FANCY.exec(rest) ?? NOTE.exec(rest) ?? [];
    const containers = this.#open[this.#quotes] as Container[];
    if (this.#isAfterBreak || mark !== '') while ((containers.at(-1)?.column ?? 0) > indent.length) containers.pop();
    if (this.#isAfterBreak && containers.length === 0 && indent.length >= 4) return { isCode: true, prefix: '', prefixLength: 0 };
    const prefix = this.#prefix(line, indent, mark === '' || NOTE.test(mark) ? '' : this.#enterItems(indent.length, rest));
    if (NOTE.test(mark)) containers.push({ base: indent.length, column: indent.length + 2, isListed: true });
    const text = line.slice(prefix.prefixLength);
    const [, backticks, tildes] = FENCE.exec(text) ?? [];
    const sign = backticks ?? tildes;
    if (sign !== undefined) this.#fence = { sign, quotes: this.#quotes, column: containers.at(-1)?.column ?? 0 };
    const isHeading = /^#{1,6}[ \t]/.test(text);
    this.#isInTable ||= isDashes(text);
    this.#isSingle = isHeading || text.startsWith('|') || this.#isInTable || isDashes(parted(this.#lines[index + 1] ?? '')[2]);
    this.#isAfterBreak = isHeading;
    return { isCode: sign !== undefined, ...prefix };
  }

  /**
   * Returns the `after`-th line after the current one, if a construct that starts on the current line may continue there; otherwise
   * undefined.
   * @returns the characters before its text, and the text
   */
  continuation(index: number, after: number): { before: string; text: string } | undefined {
    const line = this.#lines[index + after];
    if (this.#isSingle || line === undefined) return undefined;
    const [signs] = new RegExp(`^(?:[ \\t]*>){0,${this.#quotes}}`).exec(line) ?? [''];
    const space = this.#quotes > 0 && signs !== '' && line[signs.length] === ' ' ? 1 : 0;
    const own = line.slice(signs.length + space);
    const indent = (/^[ \t]*/.exec(own) as RegExpExecArray)[0];
    const rest = own.slice(indent.length);
    const column = this.#open[this.#quotes]?.at(-1)?.column ?? 0;
    const isNextItem = indent.length < column && BULLET.test(rest);
    if (rest === '' || isNextItem || FENCE.test(rest) || NOTE.test(rest) || rest.startsWith('<!--')) return undefined;
    const taken = indent.slice(0, column);
    return {
      before: line.slice(0, signs.length + space) + taken.slice(Math.min(taken.length, this.#shift(indent.length))),
      text: indent.slice(column) + rest,
    };
  }

  #enterQuotes(quotes: number): void {
    this.#open.length = Math.min(this.#open.length, quotes + 1);
    while (this.#open.length <= quotes) this.#open.push([]);
    this.#quotes = quotes;
  }

  #isInFence(quotes: number, indent: number, text: string): boolean {
    const fence = this.#fence;
    if (!fence) return false;
    const isInside = quotes >= fence.quotes && (indent >= fence.column || text === '');
    const isEnd = text.startsWith(fence.sign) && text.replaceAll(fence.sign[0] as string, '').trim() === '';
    if (!isInside || isEnd) {
      this.#fence = null;
      this.#isAfterBreak = true;
    }
    return isInside;
  }

  /** Opens the items whose marks start a text, and returns the marks. */
  #enterItems(indent: number, rest: string): string {
    const containers = this.#open[this.#quotes] as Container[];
    let marks = '';
    for (let depth = 0; depth < 20; depth += 1) {
      const left = rest.slice(marks.length);
      const [bullet] = BULLET.exec(left) ?? [];
      const mark = bullet ?? FANCY.exec(left)?.[0];
      if (mark === undefined) break;
      const base = indent + marks.length;
      // If more than four spaces follow the mark, all but the first belong to the item's text, as indented code.
      const width =
        bullet === undefined ? Math.min(mark.length, 4) : mark.length - mark.trimEnd().length > 4 ? mark.trimEnd().length + 1 : mark.length;
      containers.push({ base, column: base + width, isListed: bullet !== undefined });
      marks += mark;
    }
    return marks;
  }

  #prefix(line: string, indent: string, marks: string): { prefix: string; prefixLength: number } {
    const [signs, , rest] = parted(line);
    const before = line.slice(0, line.length - rest.length);
    const shift = this.#shift(indent.length, marks === '' ? undefined : indent.length);
    return { prefix: (shift > 0 ? signs + indent.slice(shift) : before) + marks, prefixLength: before.length + marks.length };
  }

  /**
   * Returns the columns of indentation to remove from a line below items that Markdown does not know. @param own column of the line's
   * own items, which do not count
   */
  #shift(indent: number, own = Number.POSITIVE_INFINITY): number {
    let shift = 0;
    for (const { base, isListed } of this.#open[this.#quotes] ?? [])
      if (!isListed && base < own && indent > base) shift += Math.min(indent - base, 4);
    return shift;
  }
}

const isDashes = (line: string): boolean => line.includes('|') && DASHES.test(line);

/** Splits a line into its quotation signs, its indentation and the rest. */
function parted(line: string): [string, string, string] {
  const [signs] = QUOTES.exec(line) ?? [''];
  const [indent = ''] = /^[ \t]*/.exec(line.slice(signs.length)) ?? [];
  return [signs, indent.replaceAll('\t', '    '), line.slice(signs.length + indent.length)];
}
