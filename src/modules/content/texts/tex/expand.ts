import type { Macro } from '../macros/macro.ts';
import { MacroError, type Macros } from '../macros/macros.ts';
import { appended } from '../macros/scan.ts';
import { tooComplex } from '../refusal.ts';
import type { OwnEnvironment } from './definitions.ts';

/** Longest text after all expansions, in characters, and deepest nesting of expansions. */
const maxCharacters = 2_000_000;
const maxDepth = 60;
/** Maximum number of expansions within one command of the file. Beyond it, commands stay as they are. */
const maxNested = 5_000;
/** How far an argument may lie beyond the end of an expanded command, in characters. */
const reach = 5_000;
/** Number of last characters that decide how the next ones are appended. */
const tailLength = 40;

/** Commands that the reader knows better than a definition of their layout. */
const STRUCTURE =
  /^\\(?:part|chapter|(?:sub){0,2}section|(?:sub)?paragraph|item|begin|end|par|label|(?:eq|page|auto)?ref|caption|footnote|textbf|textit|emph|underline|includegraphics|maketitle|title|author|date|input|include|left|right|text|frac|url|href|the\w+|\W)$/;
/** Redefinitions that the reader asks for by name. */
const LABELS = /^\\label(?:enum|item)i{1,3}v?$/;

// A command, or a comment with the line end and the indentation behind it, which TeX ignores.
const SIGNS = /\\(?:(begin|end)[ \t]*\{([^{}\n]{1,60})\}|[A-Za-z]+|[\s\S])|%[^\n]*\n?[ \t]*|[^\\%]+/g;

interface Frame {
  readonly text: string;
  at: number;
  /** Line of the joined text at `at`. */
  line: number;
  /** Whether the text is that of a definition: all of it belongs to the line of its command. */
  readonly isExpanded: boolean;
}

/** A text in which the commands and environments that its file defines are replaced, with the lines that its parts come from. */
export class ExpandedText {
  readonly #macros: Macros;
  readonly #environments: ReadonlyMap<string, OwnEnvironment>;
  readonly #starts: number[] = [0];
  readonly #lines: number[] = [1];
  readonly #parts: string[] = [];
  #length = 0;
  #nested = 0;
  /** Last characters of the text. Reading them from the growing text itself would copy it at each expansion. */
  #tail = '';
  readonly text: string;

  constructor(source: string, firstLine: number, macros: Macros, environments: ReadonlyMap<string, OwnEnvironment>) {
    this.#macros = macros;
    this.#environments = environments;
    this.#lines[0] = firstLine;
    this.#expand(source, firstLine);
    this.text = this.#parts.join('');
  }

  /** Returns the line of the joined text that a character comes from. */
  lineAt(offset: number): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#starts[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return this.#lines[low] as number;
  }

  #write(text: string, line: number): void {
    if (this.#lines.at(-1) !== line) {
      this.#starts.push(this.#length);
      this.#lines.push(line);
    }
    const end = appended(this.#tail, text);
    const written = end.slice(this.#tail.length);
    this.#parts.push(written);
    this.#length += written.length;
    this.#tail = end.slice(-tailLength);
    if (this.#length > maxCharacters) throw tooComplex();
  }

  #expand(source: string, firstLine: number): void {
    const frames: Frame[] = [{ text: source, at: 0, line: firstLine, isExpanded: false }];
    const signs = new RegExp(SIGNS);
    for (let frame = frames.at(-1); frame; frame = frames.at(-1)) {
      signs.lastIndex = frame.at;
      const found = signs.exec(frame.text);
      if (!found) {
        frames.pop();
        continue;
      }
      if (!frame.isExpanded) this.#nested = 0;
      const [sign, edge, environment] = found;
      const opened = frames.length < maxDepth ? this.#opened(sign, edge, environment, frame, frames.at(-2)) : null;
      if (opened) {
        frames.push(opened);
        continue;
      }
      frame.at = signs.lastIndex;
      if (sign.startsWith('%')) {
        if (!frame.isExpanded && sign.includes('\n')) frame.line += 1;
      } else this.#plain(sign, frame);
    }
  }

  #plain(sign: string, frame: Frame): void {
    if (frame.isExpanded) {
      this.#write(sign, frame.line);
      return;
    }
    for (const [index, part] of sign.split(/(?<=\n)/).entries()) {
      if (index > 0) frame.line += 1;
      this.#write(part, frame.line);
    }
    if (sign.endsWith('\n')) frame.line += 1;
  }

  /** Returns the text that a command or an environment's edge stands for; null when it stands for itself. */
  #opened(sign: string, edge: string | undefined, environment: string | undefined, frame: Frame, outer?: Frame): Frame | null {
    if (!sign.startsWith('\\')) return null;
    const own = environment === undefined ? undefined : this.#environments.get(environment);
    const macro = own ? macroOf(own, edge === 'begin') : edge !== undefined || isKnown(sign) ? undefined : this.#macros.own(sign);
    if (!macro || this.#nested >= maxNested) return null;
    this.#nested += 1;
    try {
      const { written, end } = this.#applied(sign, macro, frame, outer);
      if (!frame.isExpanded) frame.line += newlinesIn(frame.text.slice(frame.at, end));
      frame.at = end;
      // An exponent takes one group only.
      const isScript = /[_^]\s*$/.test(this.#tail.slice(-10)) && written.length > 1;
      const text = isScript ? `{${written}}` : written;
      return { text, at: 0, line: frame.line, isExpanded: true };
    } catch (error) {
      if (error instanceof MacroError) return null;
      throw error;
    }
  }

  #applied(sign: string, macro: Macro, frame: Frame, outer: Frame | undefined): { written: string; end: number } {
    // The arguments of a command at the end of an expansion stand behind it.
    const isLast = frame.isExpanded && outer && macro.count > 0 && frame.text.slice(frame.at + sign.length).trim() === '';
    if (!isLast) return this.#macros.ownAt(sign, macro, frame.text, frame.at);
    const more = outer.text.slice(outer.at, outer.at + reach);
    const found = this.#macros.ownAt(sign, macro, sign + more, 0);
    const taken = found.end - sign.length;
    if (!outer.isExpanded) outer.line += newlinesIn(more.slice(0, taken));
    outer.at += taken;
    return { written: found.written, end: frame.text.length };
  }
}

const isKnown = (command: string): boolean => STRUCTURE.test(command) || LABELS.test(command);

const macroOf = ({ count, initial, begin, end }: OwnEnvironment, isBegin: boolean): Macro =>
  isBegin ? { count, initial, body: begin } : { count: 0, initial: null, body: end };

function newlinesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
