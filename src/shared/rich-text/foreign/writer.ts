import { MAX_DEPTH, MAX_DOCUMENT_SIZE } from '../bounds.ts';
import type { BlockStyle } from './block-style.ts';
import { InlineWriter } from './inline-writer.ts';
import { OpenLists } from './list-placer.ts';
import type { Notes } from './notes.ts';
import type { TextStyle } from './text-style.ts';

/** What a text block is: its tag (`p`, `h1` to `h6`) and how it stands. */
export interface TextBlock extends BlockStyle {
  readonly tag: string;
  readonly indent: number;
}

interface Container {
  readonly element: Element;
  /** What is written here comes before this, or at the end. */
  readonly before: Element | null;
  readonly lists: OpenLists;
  /** Elements inside one another that the document will have here. */
  readonly depth: number;
}

// A text block and what stands in it, a table's row, and some air.
const DEEPEST = MAX_DEPTH - 6;

/** Writes canonical blocks one after another into containers; text goes into the block that is open, or opens a paragraph. */
export class Writer {
  readonly document: Document;
  readonly #notes: Notes;
  readonly #containers: Container[];
  #line: InlineWriter | null = null;
  #size = 0;
  /** Grows with every block: whether an element wrote something can be told from it. */
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

  /** Whether something that holds blocks may be opened here without breaking the bound on nesting. */
  get hasRoom(): boolean {
    return this.#here.depth + this.lists.depth * 2 < DEEPEST;
  }

  /** Whether so much is written that the document is refused anyway: reading on is only work. */
  get isFull(): boolean {
    return this.#size + (this.#line?.size ?? 0) > MAX_DOCUMENT_SIZE;
  }

  /** What follows is written into `element`, before `before` or at its end. */
  enter(element: Element, before: Element | null = null, deeper = 1): void {
    this.endLine();
    this.#containers.push(this.#container(element, before, this.#here.depth + this.lists.depth * 2 + deeper));
  }

  leave(): void {
    this.endLine();
    this.#containers.pop();
  }

  /** Puts a finished block here. */
  block(element: Element): void {
    this.endLine();
    this.lists.close();
    this.written += 1;
    this.#size += 1;
    this.#here.element.insertBefore(element, this.#here.before);
  }

  /** The line that takes text now, opened when there is none. */
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

  /** Takes text into `element`, which stands in the document already (a caption), until the line ends. */
  enterLine(element: Element): void {
    this.endLine();
    this.#line = new InlineWriter(element, this.#notes);
  }

  text(data: string, style: TextStyle, block: TextBlock): void {
    if (!this.#line && style.spaces !== 'kept' && /^[ \t\n\r\f]*$/.test(data)) return;
    // Layout between blocks that keep their spaces.
    if (!this.#line && /^\s*[\n\r]\s*$/.test(data)) return;
    this.#openLine(block).text(data, style);
  }

  atom(element: Element, style: TextStyle, block: TextBlock): void {
    this.#openLine(block).atom(element, style);
  }

  /** Two line ends in a row divide text that stands in no paragraph of its own. */
  lineBreak(style: TextStyle, divides: boolean): boolean {
    if (!this.#line) return false;
    if (divides && this.#line.endsWithBreak) this.endLine();
    else this.#line.lineBreak(style);
    return true;
  }

  /** Opens a block with an empty first line. */
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
    // An empty line of any kind is an empty paragraph.
    if (line.root.localName.startsWith('h')) this.#emptyHeading(line.root);
  }

  #emptyHeading(heading: Element): void {
    this.#notes.add('emptyHeading');
    heading.parentNode?.replaceChild(this.document.createElement('p'), heading);
  }
}
