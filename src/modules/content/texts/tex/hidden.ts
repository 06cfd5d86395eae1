import { groupEnds } from './groups.ts';

/** A part of a TeX file that is not read as TeX. */
export type HiddenPart =
  /** Code within a line. */
  | { readonly kind: 'code'; readonly text: string }
  /** Code on lines of its own; `drawing` is the program of a drawing, such as TikZ. */
  | { readonly kind: 'block' | 'drawing'; readonly name: string; readonly text: string; readonly language: string | null }
  | { readonly kind: 'address'; readonly text: string };

/** First of the characters that stand for hidden parts: a private plane of Unicode, which no file may use. */
const FIRST = 0xf0000;
const maxParts = 0xfffd;
/** Longest code within a line, and longest address, in characters. */
const maxInline = 4_000;
export const HIDDEN = /[\u{F0000}-\u{FFFFD}]/u;
const PRIVATE = /[\u{F0000}-\u{FFFFF}\u{100000}-\u{10FFFF}]/gu;

const CODE_ENVIRONMENT =
  /^(?:[BL]?[vV]erbatim\*?|lstlisting|minted|alltt|filecontents\*?|listing|pythoncode|python|algorithmic|pseudocode)$/;
const DRAWING = /^(?:tikzpicture|tikzcd|pspicture\*?|picture|asy|mfpic|circuitikz|forest|axis|pgfpicture|psgraph|tikz|overpic|xy)$/;

// A command, an escaped sign, a comment.
const SIGNS =
  /\\(?:begin[ \t]*\{([^{}\n]{1,60})\}|(verb\*?|lstinline|mintinline)(?![A-Za-z])|(url|href|nolinkurl|path)(?![A-Za-z])[ \t]*(?=\{)|[\s\S])|%/g;
const FENCE = /([^A-Za-z\s*])/y;

/** Parts of the files of one document that are not read as TeX: code, drawings, addresses. One character stands for each. */
export class HiddenParts {
  readonly #parts: HiddenPart[] = [];
  /** Number of comments with text. */
  comments = 0;

  /** Returns the part that a character stands for. */
  at(character: string): HiddenPart | undefined {
    return this.#parts[(character.codePointAt(0) ?? 0) - FIRST];
  }

  /** Returns text in which characters give way to what they stand for. */
  revealed(text: string): string {
    return text.replaceAll(new RegExp(HIDDEN, 'gu'), (character) => this.at(character)?.text ?? '');
  }

  /** Returns a file without the text of comments and with its parts hidden. Line numbers do not change. */
  hide(source: string): string {
    const text = source.replaceAll(PRIVATE, '\ufffd');
    const signs = new RegExp(SIGNS);
    const unclosed = new Set<string>();
    const endOf = groupEnds(text);
    let written = '';
    let done = 0;
    for (let found = signs.exec(text); found; found = signs.exec(text)) {
      const behind = signs.lastIndex;
      const [sign, environment, verb, address] = found;
      const taken =
        sign === '%'
          ? this.#comment(text, behind)
          : this.#parts.length >= maxParts
            ? null
            : environment !== undefined
              ? this.#environment(text, behind, environment, unclosed)
              : verb !== undefined
                ? this.#verb(text, behind, verb)
                : address !== undefined
                  ? this.#address(text, behind, endOf(behind, maxInline))
                  : null;
      if (!taken) continue;
      // Of a command with an address the command itself stays.
      written += text.slice(done, address === undefined ? found.index : behind) + taken.written;
      done = taken.end;
      signs.lastIndex = done;
    }
    return written + text.slice(done);
  }

  #keep(part: HiddenPart, lines = ''): string {
    this.#parts.push(part);
    return String.fromCodePoint(FIRST + this.#parts.length - 1) + lines.replaceAll(/[^\n]/g, '');
  }

  #comment(text: string, from: number): Taken {
    const newline = text.indexOf('\n', from);
    const end = newline === -1 ? text.length : newline;
    if (/\p{L}/u.test(text.slice(from, end))) this.comments += 1;
    return { written: '%', end };
  }

  /** @param unclosed names of environments that have no end any more: searching for it each time would take quadratic time */
  #environment(text: string, from: number, name: string, unclosed: Set<string>): Taken | null {
    // Comments of a preamble speak of its packages.
    if (name === 'document') this.comments = 0;
    if (unclosed.has(name)) return null;
    const isDrawing = DRAWING.test(name);
    if (!isDrawing && !CODE_ENVIRONMENT.test(name) && name !== 'comment') return null;
    const close = `\\end{${name}}`;
    const at = text.indexOf(close, from);
    if (at === -1) {
      unclosed.add(name);
      return null;
    }
    const end = at + close.length;
    const inside = text.slice(from, at);
    if (name === 'comment') {
      this.comments += 1;
      return { written: `%${inside.replaceAll(/[^\n]/g, '')}`, end };
    }
    if (isDrawing) {
      const whole = `\\begin{${name}}${inside}${close}`;
      return { written: this.#keep({ kind: 'drawing', name, text: whole, language: 'latex' }, inside), end };
    }
    const [options = ''] = /^(?:\[[^\]\n]*\]|\{[^}\n]*\})*/.exec(inside) ?? [];
    const lines = inside.slice(options.length).replace(/^[ \t]*\n/, '');
    return {
      written: this.#keep({ kind: 'block', name, text: lines.replace(/\n[ \t]*$/, ''), language: languageOf(options) }, inside),
      end,
    };
  }

  #verb(text: string, from: number, name: string): Taken | null {
    let at = from;
    if (!name.startsWith('verb')) at += /^(?:\[[^\]\n]*\])?/.exec(text.slice(at, at + 200))?.[0].length ?? 0;
    if (name === 'mintinline') at += /^\{[^}\n]*\}/.exec(text.slice(at, at + 200))?.[0].length ?? 0;
    FENCE.lastIndex = at;
    const [, fence] = FENCE.exec(text) ?? [];
    if (fence === undefined) return null;
    const close = fence === '{' && !name.startsWith('verb') ? '}' : fence;
    const more = text.slice(at + 1, at + 1 + maxInline);
    const end = more.indexOf(close);
    const inside = more.slice(0, end);
    return end === -1 || inside.includes('\n') ? null : { written: this.#keep({ kind: 'code', text: inside }), end: at + end + 2 };
  }

  #address(text: string, from: number, end: number): Taken | null {
    if (end === -1) return null;
    const inside = text.slice(from + 1, end);
    // An address in an argument has its special signs escaped.
    const address = inside.replaceAll(/%?\n\s*/g, '').replaceAll(/\\([%#&_{}~])/g, '$1');
    return { written: `{${this.#keep({ kind: 'address', text: address.trim() }, inside)}}`, end: end + 1 };
  }
}

interface Taken {
  readonly written: string;
  /** Offset behind what was taken. */
  readonly end: number;
}

function languageOf(options: string): string | null {
  const named = /language=\{?(?:\[[^\]]*\])?([A-Za-z0-9+#-]{1,20})/i.exec(options) ?? /\{([a-z0-9+#-]{1,20})\}/i.exec(options);
  return named?.[1]?.toLowerCase() ?? null;
}
