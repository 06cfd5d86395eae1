import { asFigure } from '../markdown/figure.ts';
import { tooComplex } from '../refusal.ts';
import { accented, accentOf, signOf, typeset } from './characters.ts';
import type { TexContext } from './context.ts';
import { Cursor } from './cursor.ts';
import { latexOf } from './formulas.ts';
import { HIDDEN } from './hidden.ts';
import type { CommandNode, EnvironmentNode, FormulaNode, TexNode } from './nodes.ts';
import { parseTex } from './parse.ts';
import { trimEnd } from './trim-end.ts';

/** Most paragraphs and other blocks of a text. */
const maxBlocks = 20_000;

/** An element around text: its tag, with a class or an address. */
export interface Mark {
  readonly tag: string;
  readonly class?: string;
  readonly href?: string;
}

export type CommandHandler = (reader: TexReader, cursor: Cursor, node: CommandNode) => void;
export type EnvironmentHandler = (reader: TexReader, node: EnvironmentNode) => void;

/** What the commands and environments of a text do, by name. */
export interface Handlers {
  readonly commands: ReadonlyMap<string, CommandHandler>;
  /** Commands of layout, with the number of arguments that are dropped with them. */
  readonly silent: ReadonlyMap<string, number>;
  readonly environments: ReadonlyMap<string, EnvironmentHandler>;
  readonly unknownCommand: CommandHandler;
  readonly unknownEnvironment: EnvironmentHandler;
}

/** Reads a tree of TeX as paragraphs and other blocks. */
export class TexReader {
  readonly context: TexContext;
  /** Element that the next block is added to. */
  container: Element;
  marks: readonly Mark[] = [];
  align: 'center' | 'right' | null = null;
  /** Level of the last heading. */
  headingLevel = 1;
  /** Depth of numbered lists at the current place. */
  listDepth = 0;
  readonly #handlers: Handlers;
  #paragraph: Element | null = null;
  /** Whether a space would be at the beginning of a line, or follow another one. */
  #isAfterSpace = true;

  constructor(context: TexContext, handlers: Handlers, container: Element) {
    this.#handlers = handlers;
    this.context = context;
    this.container = container;
  }

  get document(): Document {
    return this.context.document;
  }

  lineOf(node: { readonly at: number }): number {
    return this.context.source.lineAt(node.at);
  }

  cursor(nodes: readonly TexNode[]): Cursor {
    return new Cursor(nodes, this.context.source.text);
  }

  /** Reads parts that follow each other into the current place. */
  walk(nodes: readonly TexNode[]): void {
    const cursor = this.cursor(nodes);
    for (let node = cursor.next(); node; node = cursor.next()) this.#read(node, cursor);
  }

  /** Reads parts with marks, colours and alignment that end with them. */
  scoped(nodes: readonly TexNode[], ...marks: Mark[]): void {
    const { marks: outer, align } = this;
    this.marks = [...outer, ...marks];
    this.walk(nodes);
    this.marks = outer;
    this.align = align;
  }

  /** Reads parts as the blocks of an element. */
  blocksInto(element: Element, nodes: readonly TexNode[], marks: readonly Mark[] = []): void {
    const saved = [this.container, this.#paragraph, this.#isAfterSpace, this.marks, this.align] as const;
    [this.container, this.#paragraph, this.#isAfterSpace, this.marks] = [element, null, true, marks];
    this.walk(nodes);
    this.endParagraph();
    [this.container, this.#paragraph, this.#isAfterSpace, this.marks, this.align] = saved;
  }

  /** Reads parts as the content of an element without blocks, such as a heading. Returns the blocks that do not fit into it. */
  inlineInto(element: Element, nodes: readonly TexNode[]): Element[] {
    const blocks = this.document.createElement('div');
    const { align } = this;
    this.align = null;
    this.blocksInto(blocks, nodes);
    this.align = align;
    const rest: Element[] = [];
    for (const block of [...blocks.children]) {
      if (block.localName === 'p') {
        if (element.childNodes.length > 0) element.append(' ');
        element.append(...block.childNodes);
      } else if (block.hasAttribute('data-latex')) element.append(' ', this.context.formulas.asInline(block));
      else rest.push(block);
    }
    return rest;
  }

  /** Returns the text of parts, without formulas and marks. */
  plain(nodes: readonly TexNode[]): string {
    const element = this.document.createElement('div');
    this.inlineInto(element, nodes);
    return (element.textContent ?? '').replaceAll(/\s+/g, ' ').trim();
  }

  /** Returns the text of a piece of TeX, such as the title of a theorem. */
  plainSource(source: string): string {
    return this.plain(parseTex(source, () => {}));
  }

  /** Returns the title that the document gives itself after its beginning, as a heading. */
  title(): Element | null {
    if (!this.context.title) return null;
    const heading = this.document.createElement('h1');
    this.inlineInto(heading, this.context.title);
    return heading;
  }

  /** Adds text. @param at its offset in the source */
  text(raw: string, at = 0): void {
    for (const part of typeset(raw).split(/([\u{F0000}-\u{FFFFD}])/u)) {
      if (HIDDEN.test(part)) this.#hidden(part, at + raw.indexOf(part));
      else this.#plain(part);
    }
  }

  /** Adds text as it is, such as an address. */
  verbatim(text: string): void {
    this.#plain(text);
  }

  #plain(text: string): void {
    const shown = this.#isAfterSpace ? text.replace(/^ +/, '') : text;
    if (shown === '') return;
    this.#isAfterSpace = / $/.test(shown);
    this.#append(this.document.createTextNode(shown));
  }

  #hidden(character: string, at: number): void {
    const part = this.context.hidden.at(character);
    if (!part) return;
    if (part.kind === 'address') {
      this.#plain(part.text);
      return;
    }
    const code = this.document.createElement('code');
    code.append(part.text);
    if (part.kind === 'code') {
      if (part.text !== '') this.inline(code);
      return;
    }
    if (part.text.trim() === '') return;
    if (part.kind === 'drawing')
      this.context.report.say(this.lineOf({ at }), `Dessin ${part.name} à remplacer par une image : son code reste dans le texte.`);
    if (part.language && part.language !== 'latex') code.setAttribute('class', `language-${part.language}`);
    const pre = this.document.createElement('pre');
    pre.append(code);
    this.block(pre);
  }

  /** Adds an element within the current paragraph. */
  inline(element: Element): void {
    this.#isAfterSpace = element.localName === 'br';
    this.#append(element);
  }

  #append(node: Node): void {
    if (!this.#paragraph) {
      this.#countBlock();
      this.#paragraph = this.document.createElement('p');
      if (this.align) this.#paragraph.setAttribute('class', `align-${this.align}`);
      this.container.append(this.#paragraph);
    }
    let last: Node = node;
    for (const { tag, class: name, href } of this.marks.toReversed()) {
      const element = this.document.createElement(tag);
      if (name !== undefined) element.setAttribute('class', name);
      if (href !== undefined) element.setAttribute('href', href);
      element.append(last);
      last = element;
    }
    this.#paragraph.append(last);
  }

  endParagraph(): void {
    const paragraph = this.#paragraph;
    this.#paragraph = null;
    this.#isAfterSpace = true;
    if (!paragraph) return;
    trimEnd(paragraph);
    if (paragraph.textContent === '' && !paragraph.querySelector('img, [data-latex], sup, a')) paragraph.remove();
    else asFigure(paragraph);
  }

  /** Adds a block after the current paragraph. */
  block(element: Element): void {
    this.endParagraph();
    this.#countBlock();
    this.container.append(element);
  }

  #countBlock(): void {
    this.context.blocks += 1;
    if (this.context.blocks > maxBlocks) throw tooComplex();
  }

  /** Removes the space before a closing quotation mark. */
  unskip(): void {
    if (this.#paragraph && this.#isAfterSpace) trimEnd(this.#paragraph);
  }

  #read(node: TexNode, cursor: Cursor): void {
    if (node.kind === 'text' || node.kind === 'sign') this.text(node.text, node.at);
    else if (node.kind === 'break') this.endParagraph();
    else if (node.kind === 'group') this.scoped(node.children);
    else if (node.kind === 'formula') this.#formula(node);
    else if (node.kind === 'environment') this.#environment(node);
    else this.#command(node, cursor);
  }

  #formula(node: FormulaNode): void {
    const { formulas, numbers, source } = this.context;
    const pending = { line: this.lineOf(node), source: source.text.slice(node.at, node.end) };
    const latex = latexOf(node, numbers);
    if (latex === '') return;
    const element = formulas.add(this.document, latex, node.displayed, pending);
    if (node.displayed) this.block(element);
    else this.inline(element);
  }

  #environment(node: EnvironmentNode): void {
    const { marks, align } = this;
    const known = this.#handlers.environments.get(node.name) ?? this.#handlers.environments.get(node.name.replace(/\*$/, ''));
    if (known) known(this, node);
    else this.#handlers.unknownEnvironment(this, node);
    this.marks = marks;
    this.align = align;
  }

  #command(node: CommandNode, cursor: Cursor): void {
    const { name } = node;
    const accent = accentOf(name);
    const sign = signOf(name);
    const known = this.#handlers.commands.get(name);
    if (accent !== undefined) this.text(accented(this.plain(cursor.argument() ?? []), accent));
    else if (known) known(this, cursor, node);
    else if (sign !== undefined) this.#sign(sign, cursor);
    else if (this.#handlers.silent.has(name)) {
      cursor.takeStar();
      for (let count = this.#handlers.silent.get(name) ?? 0; count > 0; count -= 1) {
        cursor.option();
        cursor.argument();
      }
    } else if (!this.#counter(name)) this.#handlers.unknownCommand(this, cursor, node);
  }

  #sign(sign: string, cursor: Cursor): void {
    if (sign.startsWith('\u00a0')) this.unskip();
    // Braces behind a command only end its name.
    if (/^[\p{L}«°]/u.test(sign) || sign === '…') this.#emptyGroup(cursor);
    if (sign !== '') this.#plain(sign === ' ' || sign.trim() !== '' || !this.#isAfterSpace ? sign : '');
  }

  #emptyGroup(cursor: Cursor): void {
    const next = cursor.peek();
    if (next?.kind === 'group' && next.children.length === 0) cursor.next();
  }

  /** Writes a counter as `\thesection` does. */
  #counter(name: string): boolean {
    const { numbers } = this.context;
    const counter = /^the(.+)$/.exec(name)?.[1];
    if (counter === undefined || !numbers.isKnown(counter)) return false;
    this.#plain(numbers.written(counter));
    return true;
  }
}
