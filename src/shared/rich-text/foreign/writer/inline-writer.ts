import type { TextStyle } from '../styles/text-style.ts';
import type { Notes } from '../support/notes.ts';
import { seenText } from '../support/symbol-font.ts';

interface MarkTag {
  readonly key: string;
  readonly tag: string;
  readonly attribute?: readonly [name: string, value: string];
}

const NBSP = '\u00a0';
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters do not survive in HTML
const UNWRITABLE = /[\u0000-\u0008\u000b-\u001f\ufeff]/g;
const TAB = 4;

/** Writes inline content into one block, with as few tags as possible, and only visible spaces. */
export class InlineWriter {
  /** The block being written. */
  readonly root: Element;
  readonly #document: Document;
  readonly #notes: Notes;
  #open: { mark: MarkTag; element: Element }[] = [];
  #pending = '';
  #lastText: Text | null = null;
  #lastBreak: Element | null = null;
  /** Whether a space written now would be invisible. */
  #spaced = true;
  /** Size of the line so far, as ProseMirror counts it. */
  size = 0;
  /** Whether the line has content other than spaces. */
  #filled = false;

  constructor(root: Element, notes: Notes) {
    this.root = root;
    this.#document = root.ownerDocument;
    this.#notes = notes;
  }

  get endsWithBreak(): boolean {
    return this.#lastBreak !== null;
  }

  text(data: string, style: TextStyle): void {
    let text = data.replace(UNWRITABLE, (character) => (/[\f\r]/.test(character) ? '\n' : '')).toWellFormed();
    if (style.font) {
      const seen = seenText(text, style.font);
      if (seen.unknown > 0) this.#notes.add('symbol', seen.unknown);
      text = seen.text;
    }
    const lines = style.spaces === 'layout' ? [text] : text.replace(/\r\n?/g, '\n').split('\n');
    lines.forEach((line, index) => {
      if (index > 0) this.lineBreak(style);
      this.#write(style.spaces === 'kept' ? keptSpaces(line, this.#spaced) : line, style);
    });
  }

  #write(text: string, style: TextStyle): void {
    let seen = text.replace(/[ \t\n\r]+/g, ' ');
    if (this.#spaced && seen.startsWith(' ')) seen = seen.slice(1);
    if (seen === '') return;
    this.#turnTo(marksOf(style));
    this.#pending += seen;
    this.size += seen.length;
    this.#spaced = seen.endsWith(' ');
    this.#lastBreak = null;
    if (!this.#filled) this.#filled = /[^ \u00a0]/.test(seen);
  }

  atom(element: Element, style: TextStyle): void {
    this.#turnTo(marksOf(style));
    this.#flush();
    this.size += 1;
    this.#parent.appendChild(element);
    this.#spaced = false;
    this.#filled = true;
    this.#lastText = null;
    this.#lastBreak = null;
  }

  lineBreak(style: TextStyle): void {
    this.#trim();
    const element = this.#document.createElement('br');
    const filled = this.#filled;
    this.atom(element, style);
    this.#filled = filled;
    this.#spaced = true;
    this.#lastBreak = element;
  }

  /** Finishes the block. @returns whether it is empty: only spaces and line breaks */
  end(): boolean {
    this.#flush();
    if (!this.#filled) {
      while (this.root.firstChild) this.root.removeChild(this.root.firstChild);
      return true;
    }
    // A line break at the end of a block is invisible.
    this.#lastBreak?.parentNode?.removeChild(this.#lastBreak);
    this.#trim();
    return false;
  }

  get #parent(): Element {
    return this.#open.at(-1)?.element ?? this.root;
  }

  #flush(): void {
    if (this.#pending === '') return;
    this.#lastText = this.#document.createTextNode(this.#pending);
    this.#parent.appendChild(this.#lastText);
    this.#pending = '';
  }

  /** Removes the space at the end of a line. */
  #trim(): void {
    this.#flush();
    const text = this.#lastText;
    if (text?.data.endsWith(' ')) text.data = text.data.slice(0, -1);
    if (text?.data === '') text.parentNode?.removeChild(text);
  }

  #turnTo(marks: readonly MarkTag[]): void {
    let kept = 0;
    while (kept < this.#open.length && this.#open[kept]?.mark.key === marks[kept]?.key) kept += 1;
    if (kept === this.#open.length && kept === marks.length) return;
    this.#flush();
    this.#open.length = kept;
    for (const mark of marks.slice(kept)) {
      const element = this.#document.createElement(mark.tag);
      if (mark.attribute) element.setAttribute(...mark.attribute);
      this.#parent.appendChild(element);
      this.#open.push({ mark, element });
    }
  }
}

/** Keeps the author's spaces: in a run of several, all but the last become non-breaking. */
function keptSpaces(line: string, atStart: boolean): string {
  const text = line.replaceAll('\t', ' '.repeat(TAB)).replace(/ {2,}/g, (run) => `${NBSP.repeat(run.length - 1)} `);
  return atStart && text.startsWith(' ') ? NBSP + text.slice(1) : text;
}

export function tabs(count: number): string {
  return ' '.repeat(TAB * Math.max(1, Math.min(8, count)));
}

const known = new WeakMap<TextStyle, readonly MarkTag[]>();

/** Returns the tags of a style, in the serialiser's nesting order. */
function marksOf(style: TextStyle): readonly MarkTag[] {
  let marks = known.get(style);
  if (!marks) {
    marks = [...tagsOf(style)];
    known.set(style, marks);
  }
  return marks;
}

function* tagsOf(style: TextStyle): Generator<MarkTag> {
  if (style.href) yield { key: `a ${style.href}`, tag: 'a', attribute: ['href', style.href] };
  if (style.em) yield { key: 'em', tag: 'em' };
  if (style.strong) yield { key: 'strong', tag: 'strong' };
  if (style.color) yield { key: `color ${style.color}`, tag: 'span', attribute: ['class', `color-${style.color}`] };
  if (style.background) yield { key: `bg ${style.background}`, tag: 'span', attribute: ['class', `bg-${style.background}`] };
  if (style.underline) yield { key: 'u', tag: 'u' };
  if (style.strike) yield { key: 's', tag: 's' };
  if (style.script) yield { key: style.script, tag: style.script };
  if (style.code) yield { key: 'code', tag: 'code' };
}
