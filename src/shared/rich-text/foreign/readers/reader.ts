import { blockStyle, plainBlock } from '../styles/block-style.ts';
import type { StyleSheet } from '../styles/style-sheet.ts';
import type { Notes } from '../support/notes.ts';
import { Writer } from '../writer/writer.ts';
import { type Context, outermost, textBlock } from './context.ts';
import { Elements } from './elements.ts';

interface Frame {
  next: Node | null;
  readonly context: Context;
  readonly leave: (() => void) | undefined;
}

/** Walks through a source without recursion, since the source may be nested to any depth. */
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
    const frames: Frame[] = [{ next: root.firstChild, context: { ...outermost, block }, leave: undefined }];
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
      else if (node.nodeType === 8) this.#elements.comment((node as Comment).data, context);
      else if (node.nodeType === 1) {
        const reading = this.#elements.enter(node as Element, context);
        if (reading) frames.push({ next: (reading.content ?? node).firstChild, context: reading.context, leave: reading.leave });
      }
    }
    this.#writer.endLine();
  }
}
