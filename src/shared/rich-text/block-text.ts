import type { Node } from 'prosemirror-model';

/** Returns the text of a textblock, with one character per position of its content: a line break is a newline, any other inline node U+FFFC. */
export const textOf = (block: Node): string =>
  block.textBetween(0, block.content.size, null, ({ type }) => (type.name === 'hard_break' ? '\n' : '\ufffc'));

/** Returns whether a block's text may say what the block is, as 'Question 2' does. A figure's caption and code say nothing about their block. */
export const isProse = ({ type }: Node): boolean => type.name === 'paragraph' || type.name === 'heading';
