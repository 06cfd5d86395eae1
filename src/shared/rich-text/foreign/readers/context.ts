import type { ListLabel } from '../../list-labels.ts';
import type { BlockStyle } from '../styles/block-style.ts';
import { plainBlock } from '../styles/block-style.ts';
import type { ElementStyle } from '../styles/style-sheet.ts';
import { plainText, type TextStyle } from '../styles/text-style.ts';
import type { TextBlock } from '../writer/writer.ts';
import type { TableWriter } from './tables.ts';

/** An element of the source with values that several readers need. */
export interface Source {
  readonly element: Element;
  readonly tag: string;
  readonly classes: readonly string[];
  readonly style: ElementStyle;
}

/** The list of the source that is being read. */
export interface SourceList {
  readonly kind: 'ul' | 'ol';
  readonly level: number;
  readonly id: unknown;
  readonly label: ListLabel;
  /** Number of its first item; null once that item has been read. */
  start: number | null;
  readonly dir: 'rtl' | null;
}

/** State that an element's content inherits. */
export interface Context {
  readonly text: TextStyle;
  readonly block: BlockStyle;
  /** Tag of the block opened for text outside any block: `p`, or the tag of the surrounding heading. */
  readonly tag: string;
  readonly indent: number;
  /** Whether the text is in a paragraph of its own, in which two line breaks do not begin a new one. */
  readonly paragraph: boolean;
  /** Whether only inline content may be written, as in a caption. */
  readonly inline: boolean;
  readonly list: SourceList | null;
  readonly inList: boolean;
  readonly table: TableWriter | null;
  readonly headRow: boolean;
}

/** How an element's content is read, and a callback after it. */
export interface Reading {
  readonly context: Context;
  readonly leave?: () => void;
  /** Element whose content is read instead of the element's own. */
  readonly content?: Element;
}

export const outermost: Context = {
  text: plainText,
  block: plainBlock,
  tag: 'p',
  indent: 0,
  paragraph: false,
  inline: false,
  list: null,
  inList: false,
  table: null,
  headRow: false,
};

/** Returns the text block for text outside any block. */
export const textBlock = ({ tag, indent, block }: Context): TextBlock => ({ tag, indent, ...block });
