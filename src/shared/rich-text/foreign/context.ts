import type { BlockStyle } from './block-style.ts';
import { plainBlock } from './block-style.ts';
import type { ElementStyle } from './style-sheet.ts';
import type { TableWriter } from './tables.ts';
import { plainText, type TextStyle } from './text-style.ts';
import type { TextBlock } from './writer.ts';

/** An element with what is asked of it again and again. */
export interface Source {
  readonly element: Element;
  readonly tag: string;
  readonly classes: readonly string[];
  readonly style: ElementStyle;
}

/** A list of the source that is being read. */
export interface SourceList {
  readonly kind: 'ul' | 'ol';
  readonly level: number;
  readonly id: unknown;
  /** The number of its first item, until that is read. */
  start: number | null;
  readonly dir: 'rtl' | null;
}

/** What the content of an element inherits. */
export interface Context {
  readonly text: TextStyle;
  readonly block: BlockStyle;
  /** The tag of the text block that stray text opens: `p`, or that of the heading it stands in. */
  readonly tag: string;
  readonly indent: number;
  /** Whether text stands in a paragraph of its own, where two line ends are two line ends. */
  readonly paragraph: boolean;
  /** Only what stands in a line may be written: a caption. */
  readonly inline: boolean;
  readonly list: SourceList | null;
  readonly inList: boolean;
  readonly table: TableWriter | null;
  readonly headRow: boolean;
}

/** How an element's content is read, and what happens after it. */
export interface Reading {
  readonly context: Context;
  readonly leave?: () => void;
  /** Where to go on reading instead of the element's own content. */
  readonly content?: Element;
}

/** Where nothing is inherited. */
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

/** The text block that stray text opens here. */
export const textBlock = ({ tag, indent, block }: Context): TextBlock => ({ tag, indent, ...block });
