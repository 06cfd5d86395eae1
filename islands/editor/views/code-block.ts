import type { Node } from 'prosemirror-model';
import type { Plugin } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';

/** A code block of the current document. */
export interface CodeBlock {
  node: Node;
  readonly getPos: () => number | undefined;
  readonly view: EditorView;
  readonly dom: HTMLElement;
  readonly code: HTMLElement;
}

/** What is loaded with the first code block. */
export interface CodeTools {
  readonly plugin: Plugin;
  add(block: CodeBlock): void;
  /** @param before the block's node before the change */
  changed(block: CodeBlock, before: Node): void;
  remove(block: CodeBlock): void;
}
