import { type BlockStyle, blockStyle, plainBlock } from './block-style.ts';
import { Elements } from './elements.ts';
import type { Notes } from './notes.ts';
import type { StyleSheet } from './style-sheet.ts';
import type { TableWriter } from './tables.ts';
import { plainText, type TextStyle } from './text-style.ts';
import { type TextBlock, Writer } from './writer.ts';

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

interface Frame {
  next: Node | null;
  readonly context: Context;
  readonly leave: (() => void) | undefined;
}

const OUTERMOST: Context = {
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

export const textBlock = ({ tag, indent, block }: Context): TextBlock => ({ tag, indent, ...block });

/** Walks through a source, without recursion, since its depth is anybody's choice. */
export class ForeignReader {
  readonly #writer: Writer;
  readonly #elements: Elements;

  constructor(output: Element, sheet: StyleSheet, notes: Notes) {
    this.#writer = new Writer(output, notes);
    this.#elements = new Elements(this.#writer, sheet, notes);
  }

  read(root: Element): void {
    const { all } = this.#elements.style(root);
    const block = blockStyle(root, root.localName, [], all, plainBlock);
    const frames: Frame[] = [{ next: root.firstChild, context: { ...OUTERMOST, block }, leave: undefined }];
    for (let frame = frames.at(-1); frame && !this.#writer.isFull; frame = frames.at(-1)) {
      const node = frame.next;
      if (!node) {
        frame.leave?.();
        frames.pop();
        continue;
      }
      frame.next = node.nextSibling;
      const { context } = frame;
      if (node.nodeType === 3 || node.nodeType === 4) this.#writer.text((node as Text).data, context.text, textBlock(context));
      else if (node.nodeType === 8) this.#elements.comment((node as Comment).data);
      else if (node.nodeType === 1) {
        const reading = this.#elements.enter(node as Element, context);
        if (reading) frames.push({ next: (reading.content ?? node).firstChild, context: reading.context, leave: reading.leave });
      }
    }
    this.#writer.endLine();
  }
}
