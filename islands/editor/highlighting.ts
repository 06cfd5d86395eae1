import type { Node } from 'prosemirror-model';
import { Plugin, PluginKey } from 'prosemirror-state';
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view';
import type { CodePiece } from '../../src/shared/highlighting/highlighter.ts';
import { fetchScript } from '../runtime/fetch-script.ts';

/** Specification §9: code is marked up again at most so often, in ms. */
const INTERVAL = 1_000;

type Highlight = (text: string, language: string | null) => CodePiece[];

/** A block of code as it stands in the text now. */
export interface CodeBlock {
  readonly node: Node;
  readonly getPos: () => number | undefined;
}

/** A block's words, marked up. */
interface MarkedBlock {
  from: number;
  to: number;
  decorations: Decoration[];
}

const key = new PluginKey<DecorationSet>('highlighting');

/** The blocks of code of one text: which have changed since their words were marked up. It knows them from their views, so that nobody searches the text. */
export class CodeMarker {
  readonly #changed = new Set<CodeBlock>();
  #view: EditorView | null = null;
  #timer = 0;
  #highlight: Highlight | null = null;

  add(block: CodeBlock): void {
    if (block.node.attrs.language) this.changed(block);
  }

  remove(block: CodeBlock): void {
    this.#changed.delete(block);
  }

  changed(block: CodeBlock): void {
    this.#changed.add(block);
    this.#schedule(INTERVAL);
  }

  #schedule(delay: number): void {
    if (this.#timer === 0 && this.#changed.size > 0) this.#timer = window.setTimeout(() => this.#mark(), delay);
  }

  async #mark(): Promise<void> {
    if ([...this.#changed].some(({ node }) => node.attrs.language)) {
      // Without network code stays plain, until the next change.
      this.#highlight ??= await fetchScript(() => import('../../src/shared/highlighting/highlighter.ts')).then(
        ({ highlight }) => highlight,
        () => null,
      );
    }
    this.#timer = 0;
    const view = this.#view;
    if (!view) return;
    // Between the composed keys of one letter nothing may change the text's elements.
    if (view.composing) return this.#schedule(INTERVAL);
    const marked = [...this.#changed].flatMap((block) => this.#decorate(block));
    this.#changed.clear();
    if (marked.length > 0) view.dispatch(view.state.tr.setMeta(key, marked).setMeta('addToHistory', false));
  }

  #decorate({ node, getPos }: CodeBlock): MarkedBlock[] {
    const pos = getPos();
    if (pos === undefined) return [];
    const from = pos + 1;
    const decorations: Decoration[] = [];
    let at = from;
    for (const { text, className } of this.#highlight?.(node.textContent, node.attrs.language) ?? []) {
      if (className) decorations.push(Decoration.inline(at, at + text.length, { class: className }));
      at += text.length;
    }
    return [{ from, to: from + node.content.size, decorations }];
  }

  readonly plugin = new Plugin<DecorationSet>({
    key,
    state: {
      init: () => DecorationSet.empty,
      apply: (tr, old) => {
        let set = old.map(tr.mapping, tr.doc);
        for (const { from, to, decorations } of (tr.getMeta(key) ?? []) as MarkedBlock[]) {
          set = set.remove(set.find(from, to)).add(tr.doc, decorations);
        }
        return set;
      },
    },
    props: { decorations: (state) => key.getState(state) },
    view: (view) => {
      this.#view = view;
      this.#schedule(0);
      return {
        destroy: () => {
          clearTimeout(this.#timer);
          this.#view = null;
        },
      };
    },
  });
}
