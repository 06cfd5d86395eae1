import { Nesting } from './nesting.ts';

/** The document around a text: its ends would end ours. */
const frame = /^\/?(?:html|head|body)$/;
/** Elements whose content is text up to their own end tag: one that never ends takes the rest of the document with it. */
const rawText = new Set(['script', 'style', 'textarea', 'title', 'xmp', 'iframe', 'noembed', 'noframes', 'noscript', 'plaintext']);
/** Elements of which nothing is kept, whose end a parser would go on looking for. */
const dropped = new Set('object applet template dialog datalist select svg canvas video audio map button'.split(' '));

/**
 * HTML in which nothing is left open that would swallow what follows: a tag without its end, a quote that is not closed, a comment or a script
 * that goes on to the end of the text. What opened it becomes text, so that every sentence after it stays one. Declarations and the document
 * around the text go, and so does what opens an element of which nothing is kept and which nobody closes. Time grows with the length.
 * @throws RichTextError for what is nested too deeply to be parsed
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
  /** Where its `<` stands. */
  readonly at: number;
  /** Just behind it; null when it never ends. */
  readonly end: number | null;
  /** `p`, `/p`, `!--` for a comment, `!` for a declaration, nothing for the rest. */
  readonly name: string;
}

class Source {
  readonly #html: string;
  readonly #lower: string;
  /** Characters that may still be searched for the ends of tags: each tag without one costs the rest of the text, and beyond this they are left as they are. */
  #searchBudget: number;
  /** Where each thing was last looked for, and where it stands first from there on: Infinity when nowhere. */
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

  /** The end of a tag: the first `>` outside quotes that stand after an equals sign. */
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

  /** Just behind the next occurrence; null without one. What stands far away is looked for once, not again from each place before it. */
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
