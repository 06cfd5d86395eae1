import type { Node } from 'prosemirror-model';
import { isProse, textOf } from '../rich-text/block-text.ts';
import { richTextSchema } from '../rich-text/schema.ts';

const { nodes } = richTextSchema;

/** A line of a paragraph, as a paragraph of its own, or another block. */
export interface Line {
  readonly block: Node;
  /** Index of the block of the text that holds it. */
  readonly at: number;
  readonly text: string;
  /** Number of the list item that it begins; null for other lines. */
  readonly number: number | null;
  /** How it begins a question: with a word ('Question 2'), with a number; null otherwise. */
  readonly start: 'word' | 'number' | null;
  /** Length of that beginning. */
  readonly labelLength: number;
  /** Whether it follows a line break in its paragraph. */
  readonly isContinuation: boolean;
  /** Whether it is a list whose items may be choices. */
  readonly isList: boolean;
}

const WORD = /^\s*(?:question|q)\s*(?:n\s*°\s*)?\d{0,3}\s*(?:[.):–-]+\s*|$|(?<=\d)\s+)/iu;
const NUMBER = /^\s*\d{1,3}\s*[.)°:–-]+\s*/u;

/** Returns the lines of a block. Items of a numbered list are lines when they hold choices, or when it has one item. @param at index of the block in its text */
export function linesOf(block: Node, at: number): Line[] {
  if (block.type === nodes.ordered_list && (block.childCount === 1 || block.children.every(holdsChoices)))
    return block.children.flatMap((item, index) => linesOfItem(item, at, block.attrs.order + index));
  return linesIn(block, at, null);
}

const linesOfItem = (item: Node, at: number, number: number): Line[] =>
  item.children.flatMap((block, index) => linesIn(block, at, index === 0 ? number : null));

const isList = ({ type }: Node): boolean => type === nodes.ordered_list || type === nodes.bullet_list;

/** Returns whether an item holds a list of choices, or a lettered line. */
const holdsChoices = (item: Node): boolean =>
  item.children.some(
    (block, index) => (index > 0 && isList(block)) || (isProse(block) && /(?:^|\n)\s*\(?\s*a\s*[.):–-]/iu.test(textOf(block))),
  );

function linesIn(block: Node, at: number, number: number | null): Line[] {
  if (block.type !== nodes.paragraph) {
    const text = isProse(block) ? textOf(block) : '';
    return [{ block, at, text, number, ...startOf(text, number), isContinuation: false, isList: isList(block) }];
  }
  let from = 0;
  return textOf(block)
    .split('\n')
    .map((text, index) => {
      const line = block.cut(from, from + text.length);
      from += text.length + 1;
      const own = index === 0 ? number : null;
      return { block: line, at, text, number: own, ...startOf(text, own), isContinuation: index > 0, isList: false };
    })
    .filter(({ text }) => text.trim() !== '');
}

function startOf(text: string, number: number | null): Pick<Line, 'start' | 'labelLength'> {
  const word = WORD.exec(text)?.[0].length;
  if (word !== undefined) return { start: 'word', labelLength: word };
  const typed = NUMBER.exec(text)?.[0].length;
  if (typed !== undefined) return { start: 'number', labelLength: typed };
  return { start: number === null ? null : 'number', labelLength: 0 };
}
