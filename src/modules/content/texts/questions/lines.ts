import type { Node } from 'prosemirror-model';
import { isProse, textOf } from '../../../../shared/rich-text/block-text.ts';
import { labelChain, tailStarts } from './labels.ts';
import { typedStarts } from './typed-answer.ts';

/** An item of a numbered list that was taken apart, because its items may be questions. */
interface Item {
  readonly list: Node;
  readonly index: number;
}

/** A line of a paragraph, or another block as a whole. */
export interface Line {
  readonly block: Node;
  /** Positions in the content of a paragraph or heading. Other blocks are one line from 0 to 0. */
  readonly from: number;
  readonly to: number;
  /** Text, with one character per position: a line break is a newline, any other inline node U+FFFC. '' for other blocks. */
  readonly text: string;
  readonly item: Item | null;
  /** Number that the list gives to the first line of an item. */
  readonly number: number | null;
}

/** Returns the lines of a block. Paragraphs are cut at line breaks, before choices typed one after the other, and before answers. */
export function linesOf(block: Node, item: Item | null = null, number: number | null = null): Line[] {
  if (!isProse(block)) return [{ block, from: 0, to: 0, text: '', item, number }];
  const text = textOf(block);
  const cuts = block.type.name === 'heading' ? [] : cutsOf(text);
  const edges = [0, ...cuts, text.length];
  return edges
    .slice(1)
    .map((to, index) => {
      const from = edges[index] ?? 0;
      return { block, from, to, text: text.slice(from, to), item, number: index === 0 ? number : null };
    })
    .filter(({ from, to }) => to > from || edges.length === 2);
}

function cutsOf(text: string): number[] {
  const cuts = new Set<number>();
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) cuts.add(at + 1);
  const chain = labelChain(text);
  for (const at of chain) cuts.add(at);
  const typed = typedStarts(text);
  for (const at of [...typed, ...tailStarts(text, chain.at(-1) ?? typed[0] ?? null)]) cuts.add(at);
  return [...cuts].filter((at) => at > 0 && at < text.length).sort((a, b) => a - b);
}

/** @param isTakenApart whether the items of this numbered list may be questions */
export function linesOfDocument(doc: Node, isTakenApart: (list: Node, next: Node | null) => boolean): Line[] {
  const lines: Line[] = [];
  doc.forEach((block, _offset, at) => {
    if (block.type.name !== 'ordered_list' || !isTakenApart(block, doc.maybeChild(at + 1))) {
      for (const line of linesOf(block)) lines.push(line);
      return;
    }
    block.forEach((entry, _itemOffset, index) => {
      const item = { list: block, index };
      entry.forEach((inner, _innerOffset, position) => {
        for (const line of linesOf(inner, item, position === 0 ? block.attrs.order + index : null)) lines.push(line);
      });
    });
  });
  return lines;
}

/** Returns the blocks of consecutive lines: lines of one paragraph are joined, and edges without content are left out. */
export function blocksOf(lines: readonly Line[]): Node[] {
  const blocks: Node[] = [];
  for (let index = 0; index < lines.length; ) {
    const { block, from } = lines[index] as Line;
    let { to } = lines[index] as Line;
    let next = index + 1;
    while (lines[next]?.block === block && lines[next]?.from === to) to = (lines[next++] as Line).to;
    index = next;
    if (!isProse(block) || (from === 0 && to === block.content.size)) blocks.push(block);
    else {
      const part = cutOf(block, from, to);
      if (part) blocks.push(part);
    }
  }
  return blocks;
}

/** Returns a paragraph or heading with a part of its content, without blanks at both ends; null when nothing is left. */
export function cutOf(block: Node, from: number, to: number): Node | null {
  const text = textOf(block).slice(from, to);
  const start = from + (text.length - text.trimStart().length);
  const end = start + text.trim().length;
  return start >= end ? null : block.copy(block.content.cut(start, end));
}

/** Puts lines together again: questions between the blocks that the other lines come from. */
export class Restoring {
  readonly #blocks: Node[] = [];
  #list: Node | null = null;
  #first = 0;
  #items: Node[] = [];

  question(node: Node): void {
    this.#close();
    this.#blocks.push(node);
  }

  /** Adds lines that are no question. An item none of whose lines is missing stands in its list again. */
  prose(lines: readonly Line[], start: number, end: number): void {
    for (let index = start; index < end; ) {
      const { item, number } = lines[index] as Line;
      let last = index + 1;
      while (last < end && lines[last]?.item === item) last += 1;
      if (item && number !== null && lines[last]?.item !== item) this.#item(item);
      else {
        this.#close();
        this.#blocks.push(...blocksOf(lines.slice(index, last)));
      }
      index = last;
    }
  }

  end(): Node[] {
    this.#close();
    return this.#blocks;
  }

  #item({ list, index }: Item): void {
    if (this.#list !== list || this.#first + this.#items.length !== index) {
      this.#close();
      this.#list = list;
      this.#first = index;
    }
    this.#items.push(list.child(index));
  }

  #close(): void {
    const list = this.#list;
    if (list && this.#items.length === list.childCount) this.#blocks.push(list);
    else if (list && this.#items.length > 0)
      this.#blocks.push(list.type.create({ ...list.attrs, order: list.attrs.order + this.#first }, this.#items));
    this.#list = null;
    this.#items = [];
  }
}
