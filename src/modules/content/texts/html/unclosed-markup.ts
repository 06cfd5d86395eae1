import { Nesting } from './nesting.ts';

/** Tags of the document around a text. Their end tags would close our own wrapper. */
const frame = /^\/?(?:html|head|body)$/;
/** Elements whose content is text up to their own end tag. Without an end tag they swallow the rest of the document. */
const rawText = new Set(['script', 'style', 'textarea', 'title', 'xmp', 'iframe', 'noembed', 'noframes', 'noscript', 'plaintext']);
/** Elements whose content is dropped. A parser searches for their end up to the end of the text. */
const dropped = new Set('object applet template dialog datalist select svg canvas video audio map button'.split(' '));

/**
 * Returns HTML without unclosed markup that would swallow the text after it: a tag without `>`, an open quote, an unclosed comment or
 * script.
 * The start of such markup becomes text, so that all sentences after it remain. Declarations, tags of the document around the text,
 * and unclosed start tags of dropped elements are removed. Takes linear time.
 * @throws RichTextError when elements are nested too deeply to be parsed
 */
export function closeMarkup(html: string): string {
  const source = new Source(html);
  const lastEnds = new Map<string, number>();
  const nesting = new Nesting();
  for (const { at, end, name } of source.tokens()) {
    if (name.startsWith('/')) {
      lastEnds.set(name.slice(1), at);
      nesting.end(name.slice(1));
    } else if (end === null || name === '!--' || name === '') nesting.leaf();
    else if (/^[a-z]/.test(name) && !rawText.has(name)) nesting.start(name);
  }
  let safe = '';
  let kept = 0;
  for (const { at, end, name } of source.tokens()) {
    const goes = name === '!' || frame.test(name) || (dropped.has(name) && (lastEnds.get(name) ?? -1) < at);
    if (end !== null && !goes) continue;
    safe += html.slice(kept, at) + (end === null ? '&lt;' : '');
    kept = end ?? at + 1;
  }
  return safe + html.slice(kept);
}

interface Token {
  /** Offset of its `<`. */
  readonly at: number;
  /** Offset just behind the token; null when it has no end. */
  readonly end: number | null;
  /** `p`, `/p`, `!--` for a comment, `!` for a declaration, '' for any other `<`. */
  readonly name: string;
}

class Source {
  readonly #html: string;
  readonly #lower: string;
  /**
   * Characters that may still be searched for the ends of tags. A tag without end costs a search of the remaining text. When the
   * budget is used up, tags are left as they are.
   */
  #searchBudget: number;
  /** Last search of each string: where it started, and the offset found; Infinity when there was none. */
  readonly #known = new Map<string, { from: number; at: number }>();

  constructor(html: string) {
    this.#html = html;
    this.#lower = html.toLowerCase();
    this.#searchBudget = 20 * html.length;
  }

  *tokens(): Generator<Token> {
    for (let at = this.#html.indexOf('<'); at !== -1; ) {
      const token = this.#token(at);
      yield token;
      at = this.#html.indexOf('<', token.end ?? at + 1);
    }
  }

  #token(at: number): Token {
    const start = this.#html.slice(at, at + 6);
    const abrupt = /^<!---?>/.exec(start);
    if (abrupt) return { at, end: at + abrupt[0].length, name: '!' };
    if (start.startsWith('<!--')) return { at, end: this.#comment(at), name: '!--' };
    if (/^<[!?]/.test(start)) return { at, end: this.#after('>', at + 2), name: '!' };
    if (!/^<\/?[a-z]/i.test(start)) return { at, end: at + 1, name: '' };
    const name = /^\/?[^\s/>]+/.exec(this.#lower.slice(at + 1, at + 21))?.[0] ?? '';
    const end = this.#tag(at);
    if (end === null || !rawText.has(name)) return { at, end, name };
    return { at, end: name === 'plaintext' ? null : this.#after(`</${name}`, end), name };
  }

  #comment(at: number): number | null {
    const ends = [this.#after('-->', at + 4), this.#after('--!>', at + 4)].filter((end) => end !== null);
    return ends.length > 0 ? Math.min(...ends) : null;
  }

  /** Returns the offset behind a tag: its first `>` that is not in a quoted attribute value; null when there is none. */
  #tag(at: number): number | null {
    if (this.#searchBudget < 0) return at + 1;
    const marks = /=\s*(["'])|>/g;
    marks.lastIndex = at;
    for (let mark = marks.exec(this.#html); mark; mark = marks.exec(this.#html)) {
      if (!mark[1]) return marks.lastIndex;
      const close = this.#after(mark[1], marks.lastIndex);
      if (close === null) return null;
      marks.lastIndex = close;
    }
    this.#searchBudget -= this.#html.length - at;
    return null;
  }

  /**
   * Returns the offset just behind the next occurrence; null when there is none. The last result is cached, so that a distant
   * occurrence is not searched again from each position before it.
   */
  #after(needle: string, from: number): number | null {
    let known = this.#known.get(needle);
    if (!known || from < known.from || from > known.at) {
      const found = this.#lower.indexOf(needle, from);
      known = { from, at: found === -1 ? Number.POSITIVE_INFINITY : found };
      this.#known.set(needle, known);
    }
    return known.at === Number.POSITIVE_INFINITY ? null : known.at + needle.length;
  }
}
