import { Containers, type EnteredLine } from './containers.ts';
import { hiddenFormula, withoutOwnSigns } from './hidden-text.ts';
import { formulaAt, nearby, reach } from './tex.ts';

/** Maximum number of lines of one formula. */
const maxLines = 100;

const INTERESTING = /\\[\s\S]|`+|\$+|<|\]\(|https?:\/\/[^\s<]*/g;
const NAME = '[a-zA-Z_:][\\w.:-]*';
const TAG = new RegExp(
  `<(?:/?[a-zA-Z][\\w-]*(?:\\s+${NAME}(?:\\s*=\\s*(?:"[^"]*"|'[^']*'|[^\\s"'=<>\`]+))?)*\\s*/?|[a-zA-Z][a-zA-Z\\d+.-]+:[^\\s<>]*)>`,
  'y',
);
const ADDRESS = /\]\(\s*(?:<[^<>\n]*>|[^\s()]*(?:\([^\s()]*\)[^\s()]*)*)/y;
const AS_IT_IS = /^<(pre|code|script|style|textarea)\b/i;

/**
 * Hides the formulas of a Markdown text, so that no line of a formula is parsed as a heading, item or row, and no dollar of a price
 * opens a formula.
 * Code, tags and addresses keep their dollars. The number of newlines stays the same, some of them hidden.
 * Text that pandoc indents below items unknown to our Markdown ("a)", "(1)", ": definition") loses its indentation, since it would
 * become code.
 */
export function hideFormulas(source: string): string {
  return new Hiding(withoutOwnSigns(source)).run();
}

/** A paragraph from one of its lines on, without the quotation signs and item indentation before each line. */
interface Stretch {
  readonly line: number;
  readonly lines: readonly string[];
  readonly text: string;
  /** The characters before each line except the first. */
  readonly before: readonly string[];
}

class Hiding {
  readonly #lines: readonly string[];
  readonly #containers: Containers;
  readonly #written: string[] = [];
  #last: Stretch | undefined;

  constructor(source: string) {
    this.#lines = source.split('\n');
    this.#containers = new Containers(this.#lines);
  }

  run(): string {
    for (let line = 0; line < this.#lines.length; ) {
      const entered = this.#containers.enter(line);
      const text = this.#lines[line] as string;
      if (line > 0) this.#written.push('\n');
      this.#written.push(entered.prefix);
      if (entered.isCode || !/[\\$`<]/.test(text)) {
        this.#written.push(text.slice(entered.prefixLength));
        line += 1;
      } else line += this.#scan(this.#stretch(line, entered));
    }
    return this.#written.join('');
  }

  #stretch(line: number, { prefix, prefixLength }: EnteredLine): Stretch {
    const rest = (this.#lines[line] as string).slice(prefixLength);
    const known = this.#last;
    const at = known ? line - known.line : 0;
    // The lines after an earlier line of the paragraph can be reused, unless few of them are left.
    if (known && at > 0 && at * 2 < known.lines.length && known.lines[at] === rest && known.before[at - 1] === prefix) {
      const lines = known.lines.slice(at);
      return { line, lines, text: lines.join('\n'), before: known.before.slice(at) };
    }
    const lines = [rest];
    const before: string[] = [];
    let length = rest.length;
    while (lines.length < maxLines && length < reach) {
      const next = this.#containers.continuation(line, lines.length);
      if (!next) break;
      lines.push(next.text);
      before.push(next.before);
      length += next.text.length;
    }
    this.#last = { line, lines, text: lines.join('\n'), before };
    return this.#last;
  }

  /** Writes a line, and the lines into which its constructs continue. Returns the number of lines. */
  #scan(stretch: Stretch): number {
    const { text } = stretch;
    let lines = 1;
    let done = 0;
    let end = lineEnd(text, 0);
    const take = (to: number, formula?: string): void => {
      const taken = text.slice(done, to);
      if (formula === undefined) this.#plain(taken, stretch, lines);
      else this.#written.push(hiddenFormula(formula));
      lines += taken.split('\n').length - 1;
      done = to;
      if (done > end) end = lineEnd(text, done);
    };
    const signs = new RegExp(INTERESTING);
    for (let found = signs.exec(text); found && found.index < end; found = signs.exec(text)) {
      const [sign] = found;
      take(found.index);
      const formula = /^(?:\$\$?$|\\[([b])/.test(sign) ? formulaAt(text.slice(done), lineBefore(text, done)) : undefined;
      if (formula) take(done + formula.source.length, formula.source);
      else take(Math.min(text.length, done + skipped(sign, text, done)));
      signs.lastIndex = done;
    }
    take(end);
    return lines;
  }

  #plain(taken: string, { before }: Stretch, line: number): void {
    for (const [index, piece] of taken.split('\n').entries())
      this.#written.push(index > 0 ? `\n${before[line + index - 2] ?? ''}${piece}` : piece);
  }
}

/** Returns the length of a construct without formulas: code, a tag, an address, or a single sign. */
function skipped(sign: string, text: string, at: number): number {
  if (sign.startsWith('`')) return codeSpan(sign, text, at);
  if (sign === '](') return matched(ADDRESS, text, at) || 2;
  if (sign !== '<') return sign.endsWith('\n') ? 1 : sign.length;
  if (text.startsWith('<!--', at)) return upTo('-->', text, at) || 4;
  const tag = matched(TAG, text, at);
  const [, name] = (tag > 0 && AS_IT_IS.exec(text.slice(at, at + 12))) || [];
  return (name && upTo(`</${name}`, text, at)) || tag || 1;
}

/** Returns the length of a code span up to the same number of backticks; without an end, the length of its opening backticks. */
function codeSpan(sign: string, text: string, at: number): number {
  const others = /`+/g;
  others.lastIndex = at + sign.length;
  for (let found = others.exec(text); found && found.index - at < reach; found = others.exec(text))
    if (found[0] === sign) return others.lastIndex - at;
  return sign.length;
}

function matched(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
}

/** Returns the length up to the end of short code; 0 when it is longer. Formulas in longer code are hidden, and decoded with it. */
function upTo(end: string, text: string, at: number): number {
  const found = text.slice(at, at + 500).indexOf(end);
  return found === -1 ? 0 : found + end.length;
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

/** Returns the last characters before an offset on its line. */
function lineBefore(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - nearby), at);
  return before.slice(before.lastIndexOf('\n') + 1);
}
