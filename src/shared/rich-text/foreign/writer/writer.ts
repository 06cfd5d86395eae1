import { MAX_DEPTH, MAX_DOCUMENT_SIZE } from '../../bounds.ts';
import type { BlockStyle } from '../styles/block-style.ts';
import type { TextStyle } from '../styles/text-style.ts';
import type { Notes } from '../support/notes.ts';
import { InlineWriter } from './inline-writer.ts';
import { OpenLists } from './list-placer.ts';

/** A text block: its tag (`p`, `h1` to `h6`) and format. */
export interface TextBlock extends BlockStyle {
  readonly tag: string;
  readonly indent: number;
}

interface Container {
  readonly element: Element;
  /** Content is inserted before this element; null: at the end. */
  readonly before: Element | null;
  readonly lists: OpenLists;
  /** Nesting depth of the resulting document here. */
  readonly depth: number;
}

// Leaves levels for a text block, its content, a table's row, and a reserve.
const DEEPEST = MAX_DEPTH - 6;

/** Writes canonical blocks into containers. Text goes into the open block, or opens a paragraph. */
export class Writer {
  readonly document: Document;
  readonly #notes: Notes;
  readonly #containers: Container[];
  #line: InlineWriter | null = null;
  #size = 0;
  /** Number of written blocks; a caller compares it to see whether an element has written any. */
  written = 0;

  constructor(root: Element, notes: Notes) {
    this.document = root.ownerDocument;
    this.#notes = notes;
    this.#containers = [this.#container(root, null, 0)];
  }

  #container(element: Element, before: Element | null, depth: number): Container {
    const append = (list: Element) => {
      this.written += 1;
      element.insertBefore(list, before);
    };
    return { element, before, depth, lists: new OpenLists(append, Math.max(0, Math.floor((DEEPEST - depth) / 2))) };
  }

  get #here(): Container {
    return this.#containers.at(-1) as Container;
  }

  get lists(): OpenLists {
    return this.#here.lists;
  }

  /** Returns whether a container may be opened here within the limit on nesting. */
  get hasRoom(): boolean {
    return this.#here.depth + this.lists.depth * 2 < DEEPEST;
  }

  /** Returns whether blocks are written at the top level of the document. */
  get isOutermost(): boolean {
    return this.#containers.length === 1;
  }

  /** Returns whether blocks are written into an element with this name. */
  isIn(name: string): boolean {
    return this.#here.element.localName === name;
  }

  /** Returns whether the document is already too large to be accepted, so that reading can stop. */
  get isFull(): boolean {
    return this.#size + (this.#line?.size ?? 0) > MAX_DOCUMENT_SIZE;
  }

  /** Makes `element` the current container; content goes before `before`, or to its end. */
  enter(element: Element, before: Element | null = null, deeper = 1): void {
    this.endLine();
    this.#containers.push(this.#container(element, before, this.#here.depth + this.lists.depth * 2 + deeper));
  }

  leave(): void {
    this.endLine();
    this.#containers.pop();
  }

  block(element: Element): void {
    this.endLine();
    this.lists.close();
    this.written += 1;
    this.#size += 1;
    this.#here.element.insertBefore(element, this.#here.before);
  }

  /** Returns the open line for text, and opens one if there is none. */
  #openLine(block: TextBlock): InlineWriter {
    if (this.#line) return this.#line;
    const element = this.document.createElement(block.tag);
    const classes = [block.align && `align-${block.align}`, block.indent > 0 && `indent-${block.indent}`].filter(Boolean).join(' ');
    if (classes) element.setAttribute('class', classes);
    if (block.dir) element.setAttribute('dir', block.dir);
    this.block(element);
    this.#line = new InlineWriter(element, this.#notes);
    return this.#line;
  }

  /** Opens a line in `element`, which is already in the document (a caption). */
  enterLine(element: Element): void {
    this.endLine();
    this.#line = new InlineWriter(element, this.#notes);
  }

  text(data: string, style: TextStyle, block: TextBlock): void {
    if (!this.#line && style.spaces !== 'kept' && /^[ \t\n\r\f]*$/.test(data)) return;
    // Line breaks between blocks are layout, even where spaces are kept.
    if (!this.#line && /^\s*[\n\r]\s*$/.test(data)) return;
    this.#openLine(block).text(data, style);
  }

  atom(element: Element, style: TextStyle, block: TextBlock): void {
    this.#openLine(block).atom(element, style);
  }

  /**
   * Writes a line break. With `divides`, for text outside paragraphs, a second break in a row begins a new paragraph.
   * @returns false without an open line
   */
  lineBreak(style: TextStyle, divides: boolean): boolean {
    if (!this.#line) return false;
    if (divides && this.#line.endsWithBreak) this.endLine();
    else this.#line.lineBreak(style);
    return true;
  }

  /** Opens a block whose first line is empty. */
  openLine(block: TextBlock, style: TextStyle): void {
    this.#openLine(block).lineBreak(style);
  }

  emptyBlock(block: TextBlock): void {
    this.#openLine(block);
    this.endLine();
  }

  endLine(): void {
    const line = this.#line;
    this.#line = null;
    if (!line) return;
    if (!line.end()) {
      this.#size += line.size;
      return;
    }
    // An empty heading becomes an empty paragraph.
    if (line.root.localName.startsWith('h')) this.#emptyHeading(line.root);
  }

  #emptyHeading(heading: Element): void {
    this.#notes.add('emptyHeading');
    heading.parentNode?.replaceChild(this.document.createElement('p'), heading);
  }
}
